// Which kernel each original node runs in.
//
// For every kernel with an anchored output the original is walked backwards from that tensor to the
// next anchored ones: the nodes on the way are what the kernel, or its region, computes. A region
// of one kernel takes them all. In a larger region they are exact as a whole, and split by these
// rules, the first that applies:
//   a  a kernel is called after the node
//   b  a kernel of the node's operator makes the node's output
//   c  a tensor is called like the node, and a kernel makes it
//   d  a kernel of the node's operator has no member yet
//   e the node is a product (Conv, Gemm, MatMul, ...), and so is a kernel that has none yet, or the
//      only one there is
//   f  a neighbouring node is placed, in a product if possible
//   g  the kernel whose output the walk began at
// Cost: each node and each kernel is visited once, apart from the ends of walks.
#pragma once

#include <vector>

#include "attribution/regions.h"

namespace ridge::attribution {

/// A further kernel that computes a node placed elsewhere: two kernels each took a copy of it.
struct Part {
  NodeId node;
  NodeId kernel;
};

struct Placement {
  std::vector<NodeId> kernel;  ///< by original node; kNone: none of these rules placed it
  std::vector<profile::Evidence> evidence;  ///< by original node, where placed
  std::vector<bool> eliminated;  ///< by original node: without effect, and no kernel of its own
  std::vector<Part> parts;
  std::vector<bool> copies;  ///< by kernel: its outputs are values that it reads, in another layout
};

Placement place(const Original& original, const ValueNumbers& numbers, const OptimisedGraph& graph,
                const Anchors& anchors, const Regions& regions);

}  // namespace ridge::attribution
