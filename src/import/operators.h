// SPDX-License-Identifier: Apache-2.0
// Matches the operators that PyTorch ran with the nodes of the model exported from it, where names
// do not.
//
//   OrderedMembers found = match_in_order(layers, named, resolved, placed);
//
// The two sequences are aligned (alignment.h). An operator fits a node if the table of
// torch_operators.h maps it to that node type, the recorded input shapes agree, and the recorded
// module agrees if its path is one of the model's. Ambiguous matches are dropped. Matrix products
// score higher than other operators. Evidence: kRenamed if the module path agrees, kShapes if
// shapes were recorded, else kOrder; kRegion for the further nodes of a chain; kGuess if a module
// of the trace ("nn.Module: Conv2d_3") would correspond to several modules of the model or vice
// versa, and for a BatchNormalization behind a convolution into whose weights the exporter folded
// it. Cost: see alignment.h.
#pragma once

#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "import/recorded.h"
#include "profile/profile.h"

namespace ridge::imports {

struct OrderedMember {
  std::uint32_t layer = 0;
  graph::NodeId node = 0;
  profile::Evidence evidence = profile::Evidence::kOrder;
};

struct OrderedMembers {
  std::vector<OrderedMember> members;
  std::vector<std::string> notes;
};

/// `named`: by layer, true if names already place it; `placed`: by node, true if a layer has it.
OrderedMembers match_in_order(const std::vector<RecordedLayer>& layers,
                              const std::vector<bool>& named, const analysis::Resolved& resolved,
                              const std::vector<bool>& placed);

}  // namespace ridge::imports
