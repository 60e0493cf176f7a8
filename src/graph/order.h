// A topological order of one graph's nodes, stable in file order: a node stands right after what it
// needs and the file put later.
#pragma once

#include <span>
#include <vector>

#include "graph/model.h"

namespace ridge::graph {

/// A node of a graph that holds, at any depth of bodies, a reader of a value of that graph.
struct Capture {
  NodeId holder;
  ValueId value;
  bool operator<(const Capture& o) const { return holder < o.holder; }
};

/// Fills `order` (size: the graph's nodes) and returns nothing, or the nodes of a cycle, each
/// reading from the next, the last from the first. `captures` are sorted by holder. Time and memory
/// O(nodes + edges); iterative.
std::vector<NodeId> topological_order(const Model& model, const Graph& graph,
                                      std::span<const Capture> captures, std::span<NodeId> order);

}  // namespace ridge::graph
