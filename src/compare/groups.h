// The smallest groups of nodes that every run times on its own: connected components of the member
// tables of all runs.
//
// Two nodes are in one group where some run has them in one layer, or computes one with the other
// (merged with an equal node, or inside control flow that is timed as a whole). All of a run's
// layers that touch a group belong to it, so groups can be compared although runtimes fuse
// differently. A layer without members belongs to none: it is listed by run, as inserted (the
// runtime says so: reorder, cast, copy) or unattributed. So every layer of every run is in exactly
// one list, and times add up.
// Cost: near linear (union-find with halving and size).
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
  std::vector<bool> present;         ///< by run: its model has one of the nodes
};

struct Groups {
  std::vector<Group> groups;                      ///< with a layer in some run; by first node
  std::vector<LayerList> inserted, unattributed;  ///< by run
  std::size_t untimed = 0;                        ///< nodes that no run has a layer for
  std::size_t folded = 0;                         ///< of these, folded in every run that has them
};

Groups common_groups(std::span<const Run> runs, const NodeJoin& join);

}  // namespace ridge::compare
