// SPDX-License-Identifier: Apache-2.0
// Layers of a runtime with the nodes of the original model that they compute. Plain data, made by
// attribute (attributor.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/model.h"
#include "profile/profile.h"

namespace ridge::attribution {

/// One kernel of the runtime's optimized graph, associated with its profiling events by name
/// (join_events).
struct Kernel {
  std::string name;  ///< name in the optimized graph; empty if the runtime gave none
  std::string op_type, domain;
  graph::NodeId parent = graph::kNone;  ///< kernel whose body contains this one
};

/// A group of kernels and the nodes that it computes: the smallest group whose members are certain.
struct Layer {
  std::string name;  ///< name of the node with the main work, else of the kernel
  /// operator of the first kernel, or of the single node that several kernels implement
  std::string type;
  /// Indices into Attribution::kernels; the first has the members.
  std::vector<std::uint32_t> kernels;
  std::vector<profile::Member> members;  ///< ascending by node
  /// true without members: a kernel of the runtime's own, such as a reorder, cast or copy
  bool inserted = false;
  std::string layout;  ///< same values as profile::Layer::layout
};

struct Attribution {
  std::vector<Kernel> kernels;  ///< by NodeId of the optimized graph, bodies included
  /// In order of execution of their first kernels; every kernel in exactly one layer.
  std::vector<Layer> layers;
  /// by kernel; kNone only after drop_views() or drop_unexecuted()
  std::vector<std::uint32_t> layer_of;
  std::vector<profile::WithoutLayer> without_layer;
  /// Nodes without even a placed neighbor: a defect, reported as such.
  std::vector<std::uint32_t> unplaced;

  /// By ValueId of the optimized graph: the original value of a tensor, maybe in another layout;
  /// kNone if unknown.
  std::vector<graph::ValueId> tensor;
  std::vector<profile::Evidence> tensor_evidence;
  std::vector<bool> tensor_blocked;  ///< true if its channels are in blocks (NCHWc)
};

}  // namespace ridge::attribution
