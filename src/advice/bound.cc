#include "advice/bound.h"

#include <algorithm>
#include <set>

#include "roofline/bound.h"

namespace ridge::advice {
namespace {

bool executes(const profile::Member& m) { return m.role == profile::Role::kExecutes; }

}  // namespace

Bound bound_of(const LayerGraph& graph, const profile::Profile& profile,
               const roofline::Roofs& all) {
  Bound out;
  std::vector<double> on_all;  // by layer
  std::set<graph::NodeId> unknown, beyond;
  double sum_ns = 0, known_ns = 0, time_ns = 0;
  std::size_t nodes = 0, known_nodes = 0, known = 0;
  for (const profile::Layer& layer : profile.layers) {
    const auto own = static_cast<std::size_t>(std::ranges::count_if(layer.members, executes));
    const profile::Bound on_machine =
        roofline::bound_of({.least = layer.least, .dtype = layer.precision}, all,
                           profile.profiling.cheapest_kernel_ns, layer.corrected_ns);
    on_all.push_back(layer.inserted ? 0 : on_machine.time_ns.value_or(0));
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
  return out;
}

}  // namespace ridge::advice
