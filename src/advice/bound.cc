// SPDX-License-Identifier: Apache-2.0
#include "advice/bound.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "roofline/bound.h"

namespace ridge::advice {
namespace {

bool executes(const profile::Member& m) { return m.role == profile::Role::kExecutes; }

/// True if two layers at the same time can be served by one transfer through this roof: caches and
/// memory that processors share, where both read the same tensor.
bool may_be_shared(const std::string& roof) {
  return roof != "compute" && roof != "memory:L1" && roof != "memory:L2";
}

/// Operators that ONNX Runtime 1.31 executes on one thread: those that move data, and recurrences,
/// whose steps wait for each other. In eight networks of the zoo, 580 such layers took 0.7 to 1.2
/// times as long on one thread as on two.
constexpr std::array<std::string_view, 9> kOneThread = {
    "Concat", "Expand", "GRU", "Gather", "LSTM", "RNN", "Slice", "Split", "Transpose"};
/// Other layers as brief as this are not divided either: the runtime has a loop on one thread if it
/// estimates it at less than 100,000 cycles or so (Eigen's TensorCostModel). In these networks
/// layers below it were as fast on one thread as on two in the median.
constexpr double kUndividedNs = 20e3;

/// True if more threads make the layer faster, as far as its operator and its time tell. Control
/// flow has no bound, so it is left out before.
bool gains_from_threads(const profile::Layer& layer) {
  return !layer.below_resolution && layer.corrected_ns >= kUndividedNs &&
         std::ranges::find(kOneThread, layer.type) == kOneThread.end();
}

}  // namespace

KernelBound bound_of(const LayerGraph& graph, const profile::Profile& profile,
                     const roofline::Roofs& all) {
  KernelBound out;
  std::vector<double> on_all;  // by layer
  std::set<graph::NodeId> unknown, beyond;
  std::map<std::string, double> by_roof;  // of the whole machine
  double sum_ns = 0, known_ns = 0, time_ns = 0;
  std::size_t nodes = 0, known_nodes = 0, known = 0;
  const std::int64_t streamed = roofline::run_stream(profile.layers);
  for (const profile::Layer& layer : profile.layers) {
    const auto own = static_cast<std::size_t>(std::ranges::count_if(layer.members, executes));
    const profile::Bound on_machine = roofline::bound_of(
        {.least = layer.least, .dtype = layer.precision, .run_streamed = streamed}, all, 0,
        layer.corrected_ns);
    const std::size_t l = on_all.size();
    on_all.push_back(layer.inserted ? 0 : on_machine.time_ns.value_or(0));
    if (!may_be_shared(on_machine.kind) || !graph.shares_input(l))
      by_roof[on_machine.kind] += on_all[l];
    nodes += own;
    time_ns += layer.corrected_ns;
    if (layer.inserted || layer.bound.time_ns) {
      known_nodes += own;
      known_ns += layer.corrected_ns;
    }
    if (layer.inserted) continue;
    if (layer.bound.time_ns) {
      ++known;
      sum_ns += *layer.bound.time_ns;
    }
    const bool faster = layer.bound.roof_share.value_or(0) > 1 && !layer.below_resolution;
    for (const profile::Member& m : layer.members) {
      if (!executes(m)) continue;
      if (!layer.bound.time_ns) unknown.insert(m.node);
      if (faster) beyond.insert(m.node);
    }
  }
  out.coverage = {
      .nodes = nodes > 0 ? static_cast<double>(known_nodes) / static_cast<double>(nodes) : 0,
      .time = time_ns > 0 ? known_ns / time_ns : 0,
      .unknown = {unknown.begin(), unknown.end()}};
  out.beyond = {beyond.begin(), beyond.end()};
  if (known == 0) return out;
  out.sequential_ns = sum_ns;
  out.critical_path_ns = graph.longest_path(on_all);
  for (const auto& [roof, ns] : by_roof) out.critical_path_ns = std::max(*out.critical_path_ns, ns);
  out.critical_path_ns =
      std::max(*out.critical_path_ns, roofline::stream_bound(streamed, all).time_ns);
  return out;
}

std::optional<double> scaled_to(const profile::Profile& profile, const roofline::Roofs& all) {
  double layers_ns = 0, scaled_ns = 0;
  bool known = false;
  const std::int64_t streamed = roofline::run_stream(profile.layers);
  for (const profile::Layer& layer : profile.layers) {
    const profile::Bound there = roofline::bound_of(
        {.least = layer.least, .dtype = layer.precision, .run_streamed = streamed}, all, 0, 0);
    const double here = layer.bound.time_ns.value_or(0);
    const bool scales =
        here > 0 && there.time_ns && *there.time_ns < here && gains_from_threads(layer);
    known = known || (here > 0 && there.time_ns);
    layers_ns += layer.corrected_ns;
    scaled_ns += layer.corrected_ns * (scales ? *there.time_ns / here : 1);
  }
  if (!known) return std::nullopt;
  const double latency = profile.latency.ns.value;
  return std::min(latency, std::max(0.0, latency - layers_ns) + scaled_ns);
}

}  // namespace ridge::advice
