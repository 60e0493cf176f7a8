// SPDX-License-Identifier: Apache-2.0
// Finds the chain of nodes around an anchor that an exporter writes for one PyTorch operator
// (torch_operators.h).
//
//   chain_around(resolved, row, node).nodes    // the anchor, then its chain; empty: not present
//
// Thread rule: plain function. Cost: a few lookups per node of the chain and its readers.
#pragma once

#include <vector>

#include "analysis/resolved.h"
#include "import/torch_operators.h"

namespace ridge::imports {

struct Chain {
  std::vector<graph::NodeId> nodes;   ///< the anchor first; empty: no such chain in the model
  graph::NodeId last = graph::kNone;  ///< produces the operator's output
};

Chain chain_around(const analysis::Resolved& resolved, const TorchOperator& row,
                   graph::NodeId anchor);

}  // namespace ridge::imports
