// SPDX-License-Identifier: Apache-2.0
// Layer of each node of a profiled model, for viewers that draw models: Netron, Model Explorer.
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
  /// True for one member per layer, where its time is shown once: among those that the layer
  /// executes the one with most MACs, the first of equals; the first member where it executes none.
  bool leads = false;
};

/// Layer of each node: among several the one that executes it, else the first.
std::vector<NodeLayer> layers_of_nodes(const profile::Profile& profile);

/// Checks that the model is the one that was profiled. Input error: another structure hash or,
/// where the profile has none, other operators.
Result<void> check_model(const profile::Profile& profile, const graph::Model& model);

}  // namespace ridge::exports
