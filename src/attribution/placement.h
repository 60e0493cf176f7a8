// SPDX-License-Identifier: Apache-2.0
// Kernel on which each original node is placed. Plain data, made by place (placer.h).
#pragma once

#include <vector>

#include "graph/model.h"
#include "profile/profile.h"

namespace ridge::attribution {

/// An additional kernel that computes a node placed elsewhere: the runtime duplicated the node.
struct Part {
  graph::NodeId node;
  graph::NodeId kernel;
};

struct Placement {
  std::vector<graph::NodeId> kernel;        ///< by original node; kNone: no rule placed it
  std::vector<profile::Evidence> evidence;  ///< by original node, if placed
  /// by original node: without effect, and without a kernel of its own
  std::vector<bool> eliminated;
  std::vector<Part> parts;
  std::vector<bool> copies;  ///< by kernel: its outputs are values that it reads, in another layout
};

}  // namespace ridge::attribution
