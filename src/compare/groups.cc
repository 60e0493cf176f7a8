// SPDX-License-Identifier: Apache-2.0
#include "compare/groups.h"

#include <algorithm>
#include <optional>

#include "base/disjoint_sets.h"

namespace ridge::compare {
namespace {

// Example: run x has layers {0,1}, {2}, {3}, run y has layers {0}, {1,2}, {3}. x joins 0 and 1, y
// joins 1 and 2: groups {0,1,2} (layers 0 and 1 of x, layers 0 and 1 of y) and {3}.
DisjointSets connect(std::span<const Run> runs, const NodeJoin& join) {
  DisjointSets components(join.nodes.size());
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const std::vector<std::uint32_t>& common = join.common[r];
    for (const profile::Layer& layer : runs[r].profile.layers)
      for (const profile::Member& m : layer.members)
        components.join(common[layer.members[0].node], common[m.node]);
    for (const profile::WithoutLayer& n : runs[r].profile.without_layer)
      if (n.with) components.join(common[n.node], common[*n.with]);
  }
  return components;
}

/// By common number: true if some run folds the node and no run lists it as missing for another
/// reason.
std::vector<bool> folded_nodes(std::span<const Run> runs, const NodeJoin& join) {
  std::vector<bool> folded(join.nodes.size(), false), otherwise = folded;
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (const profile::WithoutLayer& n : runs[r].profile.without_layer)
      (n.why == profile::Why::kFolded ? folded : otherwise)[join.common[r][n.node]] = true;
  for (std::size_t n = 0; n < folded.size(); ++n) folded[n] = folded[n] && !otherwise[n];
  return folded;
}

}  // namespace

Groups common_groups(std::span<const Run> runs, const NodeJoin& join) {
  DisjointSets components = connect(runs, join);
  Groups out;
  out.inserted.resize(runs.size());
  out.unattributed.resize(runs.size());
  std::vector<std::optional<std::size_t>> group_of(join.nodes.size());  // by root of the component
  std::vector<Group> all;
  for (std::uint32_t n = 0; n < join.nodes.size(); ++n) {
    std::optional<std::size_t>& group = group_of[components.root(n)];
    if (!group) {
      group = all.size();
      all.push_back({{}, std::vector<LayerList>(runs.size()), std::vector<bool>(runs.size())});
    }
    all[*group].nodes.push_back(n);
  }
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (const std::uint32_t n : join.common[r])
      all[*group_of[components.root(n)]].present[r] = true;
    const std::vector<profile::Layer>& layers = runs[r].profile.layers;
    for (std::uint32_t l = 0; l < layers.size(); ++l) {
      if (layers[l].members.empty()) {
        (layers[l].inserted ? out.inserted : out.unattributed)[r].push_back(l);
        continue;
      }
      const std::uint32_t node = join.common[r][layers[l].members[0].node];
      all[*group_of[components.root(node)]].layers[r].push_back(l);
    }
  }
  const std::vector<bool> folded = folded_nodes(runs, join);
  for (Group& group : all) {
    const bool timed = std::any_of(group.layers.begin(), group.layers.end(),
                                   [](const LayerList& layers) { return !layers.empty(); });
    if (timed) {
      out.groups.push_back(std::move(group));
      continue;
    }
    out.untimed += group.nodes.size();
    for (const std::uint32_t n : group.nodes) out.folded += folded[n] ? 1 : 0;
  }
  return out;
}

}  // namespace ridge::compare
