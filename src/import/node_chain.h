// The nodes around another that an exporter writes for one operator: the chains of
// torch_operators.h.
//
//   chain_around(resolved, row, node)    // the node and its chain, ascending; empty: not there
//
// Thread rule: plain function. Cost: a few look-ups per node of the chain and its readers.
#pragma once

#include <vector>

#include "analysis/resolved.h"
#include "import/torch_operators.h"

namespace ridge::imports {

struct Chain {
  std::vector<graph::NodeId> nodes;   ///< the anchor first; empty: the model does not have it
  graph::NodeId last = graph::kNone;  ///< that makes what the operator puts out
};

Chain chain_around(const analysis::Resolved& resolved, const TorchOperator& row,
                   graph::NodeId anchor);

}  // namespace ridge::imports
