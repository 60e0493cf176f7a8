// SPDX-License-Identifier: Apache-2.0
#include "export/profile/layer_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text.h"
#include "export/analysis/figure_text.h"
#include "export/profile/table.h"
#include "profile/summary.h"

namespace ridge::exports {
namespace {

using profile::Evidence;
using profile::Layer;
using profile::Member;
using profile::Profile;
using profile::Role;

std::string_view meaning(Role role) {
  switch (role) {
    case Role::kExecutes:
      return "executed by this layer";
    case Role::kPart:
      return "one of several layers into which the runtime split it";
    case Role::kAbsorbed:
      return "folded into the layer's weights";
  }
  return "";
}

std::string_view meaning(Evidence evidence) {
  switch (evidence) {
    case Evidence::kRuntimeList:
      return "the runtime names its originals";
    case Evidence::kSameTensor:
      return "the tensors at the layer's boundary survive by name";
    case Evidence::kRenamed:
      return "a documented rule of the runtime's renaming";
    case Evidence::kRegion:
      return "the region's members are certain, their assignment within it is a convention";
    case Evidence::kValue:
      return "outputs equal numerically in a check run";
    case Evidence::kShapes:
      return "operators in their order match in one way, and recorded shapes agree";
    case Evidence::kOrder:
      return "operators in their order match in one way; shapes are not recorded";
    case Evidence::kFusion:
      return "the runtime is known to fuse such nodes; the recording does not list them";
    case Evidence::kGuess:
      return "a guess";
  }
  return "";
}

std::string_view meaning(profile::Why why) {
  switch (why) {
    case profile::Why::kFolded:
      return "computed when the model was loaded";
    case profile::Why::kEliminated:
      return "it has no effect, or its output is not used";
    case profile::Why::kMerged:
      return "equal to another node, computed once";
    case profile::Why::kNotExecuted:
      return "its branch was not taken, or its loop made no trip";
  }
  return "";
}

std::string bound_text(const Layer& layer) {
  const profile::Bound& b = layer.bound;
  if (!b.time_ns) return "unknown: " + b.reason;
  std::string out = fmt::format("{}: at least {}", b.kind, duration(*b.time_ns));
  return out + "; " +
         (b.roof_share ? fmt::format("{:.0f} % of its bound", 100 * *b.roof_share) : b.reason);
}

/// Reported time with its interval, and corrected time; an imported recording has one time only.
std::string layer_time_text(const Profile& p, const Layer& layer) {
  const std::string mark = layer.below_resolution ? "below the resolution: " : "";
  if (profile::is_imported(p))
    return fmt::format("{} as recorded", mark + duration(layer.time_ns.value));
  std::string out = fmt::format("{} [{}, {}] as reported", duration(layer.time_ns.value),
                                duration(layer.time_ns.low()), duration(layer.time_ns.high()));
  if (!profile::is_corrected(p)) return mark + out;
  return out + fmt::format(", {}{} without profiling overhead", mark, duration(layer.corrected_ns));
}

std::string node_line(const Profile& p, std::uint32_t node) {
  if (node >= p.nodes.size()) return fmt::format("#{}", node);
  return fmt::format("#{} '{}', {}", node, p.nodes[node].name, p.nodes[node].op_type);
}

std::string text(const Member& member) {
  return fmt::format("{}: {}; {}: {}", profile::name(member.role), meaning(member.role),
                     profile::name(member.evidence), meaning(member.evidence));
}

void add_members(const Profile& p, const Layer& layer, Facts& out) {
  constexpr std::size_t kShown = 32;
  for (std::size_t i = 0; i < std::min(kShown, layer.members.size()); ++i) {
    const Member& m = layer.members[i];
    out.rows.push_back({i == 0 ? "nodes" : "", node_line(p, m.node)});
    out.rows.push_back({"", "  " + text(m)});
  }
  if (layer.members.size() > kShown)
    out.rows.push_back({"", fmt::format("and {} more", layer.members.size() - kShown)});
  if (layer.members.empty())
    out.rows.push_back({"nodes", layer.inserted ? "none: inserted by the runtime" : "none known"});
}

std::string rate_text(const Layer& layer) {
  const auto giga = [](std::optional<double> rate) {
    return rate ? fmt::format("{:.1f}", *rate / 1e9) : std::string("unknown");
  };
  return fmt::format("{} GFLOP/s, {} GB/s, {} FLOP/B, computed in {}", giga(layer.flop_per_s),
                     giga(layer.bytes_per_s),
                     layer.intensity ? fmt::format("{:.2f}", *layer.intensity) : "unknown",
                     layer.precision.empty() ? "an unknown type" : layer.precision);
}

}  // namespace

Facts run_facts(const Profile& p) {
  const profile::Subject& s = p.subject;
  std::string title = fmt::format("in {} {}", s.runtime, s.runtime_version);
  if (profile::is_imported(p))
    title += ", imported";
  else if (std::isfinite(p.latency.ns.value))
    title += fmt::format(", latency {}", duration(p.latency.ns.value));
  return {std::move(title), {}};
}

Facts layer_facts(const Profile& p, const Layer& layer) {
  Facts out{fmt::format("layer:{} {} {}", layer.index, layer.type, layer.name), {}};
  if (!layer.implementation.empty()) out.rows.push_back({"runs in", layer.implementation});
  add_members(p, layer, out);
  out.rows.push_back({"time", fmt::format("{}, {:.1f} % of all layers", layer_time_text(p, layer),
                                          100 * layer.share)});
  if (layer.executions != 1)
    out.rows.push_back({"executions", fmt::format("{} in a run", layer.executions)});
  out.rows.push_back({"rate", rate_text(layer)});
  out.rows.push_back({"bound", bound_text(layer)});
  for (const profile::Kernel& kernel : layer.kernels)
    out.rows.push_back({"kernel", fmt::format("{} {} {}", kernel.type, kernel.name,
                                              duration(kernel.time_ns.value))});
  return out;
}

Facts profiled_node_facts(const Profile& p, std::uint32_t n) {
  const profile::Node& node = p.nodes[n];
  Facts out{fmt::format("node {}", node_line(p, n)), {}};
  const auto figure = [&](std::string key, profile::Count count) {
    if (count != 0) out.rows.push_back({std::move(key), count ? count_text(count) : "?"});
  };
  if (!node.module.empty()) out.rows.push_back({"module", node.module});
  if (node.parent) out.rows.push_back({"inside", node_line(p, *node.parent)});
  if (!node.output_shape.empty()) out.rows.push_back({"output", node.output_shape});
  figure("MACs", node.work.macs);
  figure("flops", node.work.flops);
  figure("special", node.work.special);
  figure("int ops", node.work.int_ops);
  figure("params", node.params);
  figure("read", node.bytes_read);
  figure("written", node.bytes_written);
  out.rows.push_back({"status", node.status});
  for (const profile::WithoutLayer& w : p.without_layer)
    if (w.node == n)
      out.rows.push_back(
          {"no layer", fmt::format("{}: {}{}", profile::name(w.why), meaning(w.why),
                                   w.with ? fmt::format(" (node #{})", *w.with) : "")});
  return out;
}

std::vector<std::uint32_t> layers_of(const Profile& p, std::uint32_t node) {
  std::vector<std::pair<Role, std::uint32_t>> found;
  for (std::uint32_t l = 0; l < p.layers.size(); ++l)
    for (const Member& m : p.layers[l].members)
      if (m.node == node) found.emplace_back(m.role, l);
  std::ranges::stable_sort(found, {}, &std::pair<Role, std::uint32_t>::first);
  std::vector<std::uint32_t> out;
  for (const auto& [role, layer] : found) out.push_back(layer);
  return out;
}

}  // namespace ridge::exports
