// SPDX-License-Identifier: Apache-2.0
// Peak memory of the activations when nodes run one after the other in file order.
//
// A value is live from its producer to its last reader; graph inputs are live from the start, graph
// outputs to the end. A view of the same size (such as Reshape) shares its input's memory.
// Constants and folded sizes take no memory. While a body runs, the values of the enclosing graph
// stay live: inputs and outputs of a call or an If belong to the caller, a Loop's or Scan's are
// counted in addition (one trip).
// Cost: O(values + edges).
#pragma once

#include "analysis/resolved.h"

namespace ridge::analysis {

struct Peak {
  ops::Dim bytes{0};
  bool complete = true;  ///< false if a value has unknown size; `bytes` is then a lower bound
};

/// `resolved` needs types, values and constants; its totals are not used.
Peak peak_activations(const Resolved& resolved);

}  // namespace ridge::analysis
