// The operators that PyTorch ran, matched with the nodes of the model that was exported of it,
// where no name joins them.
//
//   OrderedMembers found = match_in_order(layers, named, resolved, placed);
//
// Both sequences are aligned (alignment.h): an operator fits a node of a type that the table of
// torch_operators.h has for it, whose inputs have the shapes that were recorded, in the module that
// was recorded where that has a path of the model. What only one of the best alignments matches is
// ambiguous and left out. Products weigh more than other operators. Evidence: kRenamed where the
// module's path agrees, kShapes where shapes were recorded, else kOrder; kRegion for the further
// nodes of a chain; kGuess where a module of the trace ("nn.Module: Conv2d_3") would be several of
// the model or the other way round, and for a BatchNormalization behind a convolution that the
// exporter folded into its weights. Cost: see alignment.h.
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

/// `named`: by layer, that names place; `placed`: by node, that a layer has already.
OrderedMembers match_in_order(const std::vector<RecordedLayer>& layers,
                              const std::vector<bool>& named, const analysis::Resolved& resolved,
                              const std::vector<bool>& placed);

}  // namespace ridge::imports
