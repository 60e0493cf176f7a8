// SPDX-License-Identifier: Apache-2.0
// Index from the names in recordings to the nodes of a model.
//
//   NameIndex names(model);
//   const Found f = names.find("fused /fc/Gemm", Naming::kOnnxRuntime);
//   f.node, f.evidence
//
// A name is looked up unchanged, as a node's and then as a tensor's name; after that with the
// additions removed that the runtime is known to make (the table in names.cc, described in
// docs/import.md). A name that several nodes share, or that no rule explains, is not found.
// Ownership: refers to the model. Cost: O(nodes + values) once, one hash lookup per name tried.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graph/model.h"
#include "import/recorded.h"
#include "profile/profile.h"

namespace ridge::imports {

struct Found {
  graph::NodeId node = graph::kNone;
  profile::Evidence evidence = profile::Evidence::kGuess;

  explicit operator bool() const { return node != graph::kNone; }
};

class NameIndex {
 public:
  explicit NameIndex(const graph::Model& model);

  /// Looks up one name. Evidence kRuntimeList: a node has this name; kSameTensor: a tensor that the
  /// node produces has it; kRenamed: found by a naming rule.
  Found find(std::string_view name, Naming naming) const;
  /// Value of the model with this name: an input or an output of a node; kNone if there is none or
  /// several.
  graph::ValueId tensor(std::string_view name) const;

  /// Nodes of the main graph that read the weight of this name; empty if there is no such weight.
  std::span<const graph::NodeId> readers_of_weight(std::string_view name) const;
  /// Concat that a copy of TensorRT belongs to: "TENSOR copy" or "CONCAT_TENSOR_clone_0 copy" of a
  /// tensor that the Concat reads. Evidence kRenamed.
  Found copied(std::string_view name) const;

  /// True if a module of the model has this path, in any of the forms of torch_operators.h.
  bool is_module(std::string_view path) const;
  /// Number of nodes of the main graph that multiply matrices, including convolutions.
  std::size_t products() const { return products_; }
  /// Number of nodes of the main graph that ONNX Runtime numbers; nodes of its own come after them.
  std::size_t numbered() const { return numbered_.size(); }

 private:
  Found exact(std::string_view name) const;
  Found unnamed(std::string_view name) const;
  Found concat_of(graph::ValueId tensor) const;

  const graph::Model& model_;
  std::unordered_map<std::string_view, graph::NodeId> nodes_, tensors_;  // kNone: several
  std::unordered_map<std::string_view, graph::ValueId> weights_;
  std::unordered_set<std::string> modules_;
  std::size_t products_ = 0;
  // Node by ONNX Runtime's index of nodes of the main graph.
  std::vector<graph::NodeId> numbered_;
};

/// True if the layer is one that the runtime inserted (a reorder, copy or cast without a node),
/// judged by name and type.
bool inserted_name(std::string_view name, std::string_view type, Naming naming);

}  // namespace ridge::imports
