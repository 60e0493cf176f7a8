// SPDX-License-Identifier: Apache-2.0
// Where the time of a layer stands among the nodes that it computes, for everything that shows
// times by node: viewers that draw models, views of the run database.
//
// A fused layer has one time. It is not divided among nodes: it stands once, at the layer's leading
// node, so that sums over nodes are the sums over layers that have nodes.
//
//   Conv (layer 0, 9 MACs), Add (layer 0), Relu (layer 0): the layer's time stands at Conv; Add and
//   Relu have a layer and no time of their own.
//
// Ownership: borrows the profile. Cost: linear. Thread rule: pure.
#pragma once

#include <vector>

#include "profile/profile.h"

namespace ridge::profile {

struct NodeLayer {
  const Layer* layer = nullptr;  ///< nullptr: none
  const Member* member = nullptr;
  bool leads = false;  ///< the layer's time stands at this node
};

/// Layer of each node: among several the one that executes it, else the first.
std::vector<NodeLayer> layers_of_nodes(const Profile& profile);

/// The member at whose node the layer's time stands: among those that the layer executes the one
/// with most MACs, the first of equals; the first member where it executes none. nullptr for a
/// layer without members.
const Member* leading_member(const Profile& profile, const Layer& layer);

}  // namespace ridge::profile
