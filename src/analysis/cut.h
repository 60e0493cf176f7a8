// SPDX-License-Identifier: Apache-2.0
// Finds the places where a model can be split in two with a single tensor between the halves.
//
//   for (const Cut& cut : cuts(resolved)) ...                       // in order of execution
//   const std::vector<bool> before = ancestors(resolved.model(), cut.tensor);
//
// A tensor is a cut if it is the only tensor computed in this run that the live nodes after it
// read: every earlier live node is needed to compute it, and none of their other results is needed
// afterwards. Constants, and values that follow from constants and shapes alone, are not computed
// in a run and may cross. A model output that is computed earlier is needed at the end, so it
// prevents the cut. Model outputs are not cuts themselves: nothing follows them.
//
//   x -> Conv -> a -> Relu -> b -> Conv -> c -> Add(b, c) -> d -> Relu -> y
//
// has the cuts a, b and d; c is not a cut, because b crosses too.
//
// Only tensors of the main graph count, not sequences; the nodes of a body belong to the node that
// owns the body. Thread safety: pure. Cost: O(nodes + values) for all cuts, and the same for the
// ancestors of one cut.
#pragma once

#include <vector>

#include "analysis/resolved.h"

namespace ridge::analysis {

struct Cut {
  graph::ValueId tensor = graph::kNone;
  graph::NodeId node = graph::kNone;  ///< producer of `tensor`
};

std::vector<Cut> cuts(const Resolved& resolved);

/// By NodeId: true if the tensor depends on the node. Nodes of a body have the flag of their owner.
std::vector<bool> ancestors(const graph::Model& model, graph::ValueId tensor);

}  // namespace ridge::analysis
