// SPDX-License-Identifier: Apache-2.0
#include "roofline/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>

#include "base/text.h"
#include "measure/reported_times.h"
#include "profile/module_order.h"
#include "profile/rows.h"
#include "profile/summary.h"
#include "roofline/bound.h"

namespace ridge::roofline {
namespace {

constexpr std::int64_t kSeveral = 3;

void add(profile::Module& module, const profile::Layer& layer) {
  module.time_ns += layer.corrected_ns;
  module.share += layer.share;
  profile::add(module.work, layer.work);
  profile::add(module.bytes, layer.bytes);
  ++module.layers;
}

/// True for control flow that the runtime times as a whole: one member lies in the body of another.
bool runs_a_body(const profile::Layer& layer, const std::vector<profile::Node>& nodes) {
  std::unordered_set<std::uint32_t> members;
  if (layer.members.size() > 1)
    for (const profile::Member& m : layer.members) members.insert(m.node);
  return std::ranges::any_of(members, [&](std::uint32_t n) {
    return n < nodes.size() && nodes[n].parent && members.contains(*nodes[n].parent);
  });
}

void place(profile::Layer& layer, const Roofs& roofs, double cheapest_kernel_ns,
           std::int64_t run_streamed) {
  const auto ops = profile::operations(layer.work);
  const bool timed = layer.corrected_ns > 0 && !layer.below_resolution;
  if (ops && timed) layer.flop_per_s = *ops / layer.corrected_ns * 1e9;
  if (layer.bytes && timed)
    layer.bytes_per_s = static_cast<double>(*layer.bytes) / layer.corrected_ns * 1e9;
  if (ops && layer.bytes && *layer.bytes > 0)
    layer.intensity = *ops / static_cast<double>(*layer.bytes);
  layer.bound = bound_of({layer.least, layer.precision, run_streamed}, roofs, cheapest_kernel_ns,
                         timed ? layer.corrected_ns : 0);
}

void place_layers(profile::Profile& profile, const Roofs& roofs) {
  const std::int64_t streamed = run_stream(profile.layers);
  for (profile::Layer& layer : profile.layers) {
    place(layer, roofs, profile.profiling.cheapest_kernel_ns, streamed);
    // The state of the caches between trips and the branch that is taken are unknown.
    if (runs_a_body(layer, profile.nodes))
      layer.bound = {.kind = "",
                     .time_ns = {},
                     .roof_share = {},
                     .reason = "the runtime times this control flow as a whole"};
  }
}

/// Reason why the corrected times cannot be right: the layers that beat their bounds by the
/// correction alone; "" if there are too few.
std::string impossible(const profile::Profile& p) {
  if (!profile::is_corrected(p) || !p.verification.cuts.empty()) return "";
  std::int64_t layers = 0;
  double ns = 0, all_ns = 0;
  for (const profile::Layer& layer : p.layers) {
    const double reported = layer.time_ns.value;
    all_ns += reported;
    if (!layer.bound.time_ns || reported <= p.profiling.resolution_ns) continue;
    const double bound = *layer.bound.time_ns;
    if (bound > reported || bound <= kBeaten * layer.corrected_ns) continue;
    ++layers;
    ns += reported;
  }
  if (layers < kSeveral || ns <= kBeatenTime * all_ns) return "";
  return fmt::format("by it alone {}, with {:.0f} % of the time, beat their bounds",
                     counted(layers, "layer"), 100 * ns / all_ns);
}

using Levers = std::vector<Lever>;

/// Least time of a layer that has a bound.
double floor_ns(const profile::Profile& profile, const profile::Layer& layer) {
  return layer.bound.kind == "overhead" ? profile.profiling.cheapest_kernel_ns
                                        : *layer.bound.time_ns;
}

/// Aggregates all layers by type, as in the table of types; only those with a bound contribute to
/// the gap.
Levers levers_by_type(const profile::Profile& profile) {
  std::map<std::string, Lever> by_type;
  std::map<std::string, std::map<std::string, double>> bounds;
  for (const profile::Layer& layer : profile.layers) {
    Lever& lever = by_type[layer.type];
    ++lever.layers;
    lever.time_ns += layer.corrected_ns;
    lever.share += layer.share;
    if (!layer.bound.time_ns) ++lever.unbounded;
    if (!layer.bound.time_ns || layer.corrected_ns <= 0) continue;
    lever.gap_ns += std::max(0.0, layer.corrected_ns - floor_ns(profile, layer));
    bounds[layer.type][layer.bound.kind] += layer.corrected_ns;
  }
  Levers out;
  for (auto& [type, lever] : by_type) {
    const auto& kinds = bounds[type];
    if (kinds.empty()) continue;
    lever.type = type;
    lever.bound = std::max_element(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) {
                    return a.second < b.second;
                  })->first;
    out.push_back(std::move(lever));
  }
  return out;
}

std::optional<Lever> best_of(const Levers& levers) {
  const auto best =
      std::max_element(levers.begin(), levers.end(),
                       [](const Lever& a, const Lever& b) { return a.gap_ns < b.gap_ns; });
  return best == levers.end() ? std::nullopt : std::optional(*best);
}

}  // namespace

void place(profile::Profile& profile, const Roofs& roofs) {
  place_layers(profile, roofs);
  if (const std::string why = impossible(profile); !why.empty()) {
    measure::show_reported(profile, why);
    place_layers(profile, roofs);
  }
  for (profile::Layer& layer : profile.layers) layer.reported_runs_ns = {};  // no longer needed
  profile.modules = roll_up(profile.layers);
}

std::vector<profile::Module> roll_up(const std::vector<profile::Layer>& layers) {
  std::map<std::string, profile::Module, profile::ModuleOrder> by_path;
  // A sum starts at 0, not at "unknown".
  const auto at = [&](const std::string& path) -> profile::Module& {
    return by_path.try_emplace(path, profile::Module{.bytes = 0}).first->second;
  };
  for (const profile::Layer& layer : layers) {
    add(at(""), layer);
    std::uint32_t depth = 0;
    for (std::size_t end = 0; !layer.module.empty() && end != std::string::npos;) {
      end = layer.module.find('/', end + 1);
      profile::Module& module = at(layer.module.substr(0, end));
      module.depth = ++depth;
      add(module, layer);
    }
  }
  std::vector<profile::Module> out;
  for (auto& [path, module] : by_path) {
    module.path = path;
    out.push_back(std::move(module));
  }
  return out;
}

double outside_layers_ns(const profile::Profile& profile) {
  const profile::Profiling& f = profile.profiling;
  const double latency = profile.latency.ns.value;
  const double ns = std::min(f.outside_layers_ns, latency - f.corrected_sum_ns);
  return latency > 0 && ns > 0 ? ns : 0;
}

std::optional<double> above_bound_ns(const profile::Profile& profile, const profile::Layer& layer) {
  if (!layer.bound.time_ns || layer.below_resolution) return std::nullopt;
  return std::max(0.0, layer.corrected_ns - floor_ns(profile, layer));
}

std::optional<Lever> biggest_lever(const profile::Profile& profile) {
  std::optional<Lever> best = best_of(levers_by_type(profile));
  const double ns = outside_layers_ns(profile);
  if (!(ns > (best ? best->gap_ns : 0))) return best;
  return Lever{.type = "", .time_ns = ns, .share = ns / profile.latency.ns.value, .gap_ns = ns};
}

std::string text(const Lever& lever) {
  if (lever.type.empty())
    return fmt::format(
        "Biggest lever: {} of the latency ({:.0f} %) lie outside layers: between them, in the "
        "runtime's own work, or waiting.",
        duration(lever.time_ns), 100 * lever.share);
  const std::string roof =
      lever.bound == "compute" ? "the compute roof"
      : lever.bound == "overhead"
          ? "the cost of the runtime's cheapest kernel"
          : "the bandwidth of " + lever.bound.substr(lever.bound.find(':') + 1);
  std::string out = fmt::format(
      "Biggest lever: {} {} layer{} take{} {} ({:.0f} % of the layers' time); at their bounds, "
      "mostly {}, they would take {}",
      lever.layers, printable(lever.type), lever.layers == 1 ? "" : "s",
      lever.layers == 1 ? "s" : "", duration(lever.time_ns), 100 * lever.share, roof,
      duration(lever.time_ns - lever.gap_ns));
  if (lever.unbounded > 0)
    out += fmt::format(" ({} without a known bound counted as {})", lever.unbounded,
                       lever.unbounded == 1 ? "it is" : "they are");
  return out + ".";
}

}  // namespace ridge::roofline
