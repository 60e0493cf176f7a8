// How much memory activations take at the worst moment, when nodes run one after the other in file
// order.
//
// A value lives from the node that makes it to its last reader; inputs of the graph from the start,
// outputs to the end. A view of the same size (Reshape and the like) shares its input's memory.
// Constants and folded sizes take none. Inside a body the values of the graph around it stay alive:
// inputs and outputs of a call or an If are the caller's, those of a Loop or Scan are held besides
// (one trip's worth).
// Cost: O(values + edges).
#pragma once

#include "analysis/resolved.h"

namespace ridge::analysis {

struct Peak {
  ops::Dim bytes{0};
  bool complete = true;  ///< false: some value's size is not known, `bytes` is a lower bound
};

/// `resolved` has types, values and constants; its totals are not used.
Peak peak_activations(const Resolved& resolved);

}  // namespace ridge::analysis
