// SPDX-License-Identifier: Apache-2.0
// Pieces of a model that an edit changes: what they take before and after, joined by the nodes that
// they compute.
//
//   for (const ChangedPiece& piece : changed_pieces(before, after))
//     piece.nodes, piece.before_ns, piece.after_ns           // largest gain first
//
// A model and its edited copy are each divided into pieces. Pieces of both that share a node
// compute the same, and so do all that are connected by shared nodes: they are one group.
//
//   model   {0 Conv} {1 Neg} {2 Exp} {3 Add} {4 Div} {5 Sin}
//   copy    {0 Conv, a Sigmoid that stands for 1 to 4} {5 Sin}
//   groups  {0 to 4}: its bricks differ; {5}: the same brick in both, so it is no change
//
// Pieces without a node, kernels of the runtime's own, are one group. Thread rule: pure. Cost:
// O(nodes log nodes).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "advice/record/advice.h"

namespace ridge::advice {

struct TimedPiece {
  std::vector<graph::NodeId> nodes;  ///< nodes of the edited model, also for a piece of the copy
  double time_ns = 0;
  std::string brick;  ///< its key: equal in pieces that execute the same
};

std::vector<ChangedPiece> changed_pieces(std::span<const TimedPiece> before,
                                         std::span<const TimedPiece> after);

}  // namespace ridge::advice
