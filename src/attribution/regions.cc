// SPDX-License-Identifier: Apache-2.0
#include "attribution/regions.h"

#include "base/disjoint_sets.h"

namespace ridge::attribution {
Regions find_regions(const OptimizedGraph& graph, const Anchors& anchors) {
  const graph::Model& model = *graph.model;
  const std::size_t kernels = model.nodes().size();
  DisjointSets joins(kernels);
  for (ValueId v = 0; v < model.values().size(); ++v) {
    const NodeId producer = model.value(v).producer;
    if (producer == kNone || anchors.value[v] != kNone) continue;
    for (const NodeId reader : model.consumers(v)) joins.join(producer, reader);
  }

  Regions regions;
  regions.of.resize(kernels);
  std::vector<std::uint32_t> number(kernels, kNone);
  for (const NodeId k : graph.order) {
    std::uint32_t& r = number[joins.root(k)];
    if (r == kNone) {
      r = static_cast<std::uint32_t>(regions.kernels.size());
      regions.kernels.emplace_back();
      regions.boundary.push_back(profile::Evidence::kSameTensor);
    }
    regions.of[k] = r;
    regions.kernels[r].push_back(k);
    const auto look = [&](ValueId v) {
      if (v == kNone || anchors.value[v] == kNone) return;
      const profile::Evidence evidence = anchors.evidence[v];
      const bool weaker = evidence == profile::Evidence::kRenamed ||
                          regions.boundary[r] == profile::Evidence::kSameTensor;
      if (weaker && evidence != profile::Evidence::kSameTensor) regions.boundary[r] = evidence;
    };
    for (const ValueId v : graph.kernel(k).inputs) look(v);
    for (const ValueId v : graph.kernel(k).outputs) look(v);
  }
  return regions;
}

}  // namespace ridge::attribution
