// SPDX-License-Identifier: Apache-2.0
// Smallest groups of nodes that every run times separately: connected components of the member
// tables of all runs.
//
// Two nodes are in one group if some run has them in one layer, or computes one of them for both
// (merged). All of a run's layers that touch a group belong to it, so groups are comparable even if
// runtimes fuse differently. A layer without members belongs to no group: it is listed per run, as
// inserted (marked so by the runtime: reorder, cast, copy) or unattributed. Thus every layer of
// every run is in exactly one list, and times add up. Cost: near linear (union-find with path
// halving and union by size).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compare/node_join.h"
#include "compare/run.h"

namespace ridge::compare {

using LayerList = std::vector<std::uint32_t>;  ///< positions in Profile::layers, ascending

struct Group {
  std::vector<std::uint32_t> nodes;  ///< common numbers, ascending
  std::vector<LayerList> layers;     ///< by run
  std::vector<bool> present;         ///< by run: true if its model has one of the nodes
};

struct Groups {
  std::vector<Group> groups;  ///< groups with a layer in at least one run, ordered by first node
  std::vector<LayerList> inserted, unattributed;  ///< by run
  std::size_t untimed = 0;                        ///< nodes without a layer in any run
  std::size_t folded = 0;  ///< number of these folded in every run that has them
};

Groups common_groups(std::span<const Run> runs, const NodeJoin& join);

}  // namespace ridge::compare
