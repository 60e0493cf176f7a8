// SPDX-License-Identifier: Apache-2.0
// Topological order of one graph's nodes, stable with respect to file order: only dependencies that
// the file lists later are moved, to just before their first reader.
#pragma once

#include <span>
#include <vector>

#include "graph/model.h"

namespace ridge::graph {

/// A node whose bodies, at any depth, read a value of the node's graph.
struct Capture {
  NodeId holder;
  ValueId value;
  bool operator<(const Capture& o) const { return holder < o.holder; }
};

/// Fills `order` (size: the graph's nodes) and returns an empty vector, or returns the nodes of a
/// cycle, each reading from the next and the last from the first. `captures` must be sorted by
/// holder. Time and memory O(nodes + edges); iterative.
std::vector<NodeId> topological_order(const Model& model, const Graph& graph,
                                      std::span<const Capture> captures, std::span<NodeId> order);

}  // namespace ridge::graph
