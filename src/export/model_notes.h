// What a profile says of each node of its model: the layer that a node's time stands with. For the
// viewers that draw models: Netron, Model Explorer.
//
// Ownership: borrows the profile. Cost: linear.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/model.h"
#include "profile/profile.h"

namespace ridge::exports {

struct NodeLayer {
  const profile::Layer* layer = nullptr;  ///< nullptr: none
  const profile::Member* member = nullptr;
  /// The member that stands for the layer where its time may be said once: of those it executes the
  /// one with most MACs, the first among equals.
  bool leads = false;
};

/// By node. Of several layers of a node the one that executes it, else the first.
std::vector<NodeLayer> layers_of_nodes(const profile::Profile& profile);

/// Input error where the model is not the one that was profiled: another structure hash, or, where
/// the profile says none, other operators.
Result<void> check_model(const profile::Profile& profile, const graph::Model& model);

}  // namespace ridge::exports
