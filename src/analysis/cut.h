// Where a model can be cut in two with one tensor between the halves.
//
//   for (const Cut& cut : cuts(resolved)) ...                       // in order of execution
//   const std::vector<bool> before = ancestors(resolved.model(), cut.tensor);
//
// A tensor is a cut where every later node that something depends on reads, of all that this run
// computed, only that tensor: everything before it is needed to make it, nothing before it is
// needed once it is made. Constants, and what follows from them and from shapes alone, are not
// computed by a run and may cross. An output of the model that is made earlier is needed at the
// end, so it forbids the cut. Outputs of the model are no cuts: nothing lies behind them.
//
//   x -> Conv -> a -> Relu -> b -> Conv -> c -> Add(b, c) -> d -> Relu -> y
//
// has the cuts a, b and d; c is none, because b crosses beside it.
//
// Only tensors of the main graph count, no sequences; a body belongs to the node that owns it.
// Thread rule: pure. Cost: O(nodes + values) for all cuts, the same for the ancestors of one.
#pragma once

#include <vector>

#include "analysis/resolved.h"

namespace ridge::analysis {

struct Cut {
  graph::ValueId tensor = graph::kNone;
  graph::NodeId node = graph::kNone;  ///< that makes it
};

std::vector<Cut> cuts(const Resolved& resolved);

/// By NodeId, bodies with their owner: whether the tensor needs the node.
std::vector<bool> ancestors(const graph::Model& model, graph::ValueId tensor);

}  // namespace ridge::analysis
