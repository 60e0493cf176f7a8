// Nodes of a model by the names that recordings have for them.
//
//   NameIndex names(model);
//   const Found f = names.find("/conv1/Conv + /relu/Relu", Naming::kTensorRt);
//   f.nodes, f.evidence
//
// A name is tried as it stands, as a node's and as a tensor's; then without what the runtime is
// known to add to it (the table in names.cc, in docs/import.md). What several nodes are called, and
// what no rule explains, is nothing. Ownership: refers to the model. Cost: O(nodes + values) once,
// a hash per name tried.
#pragma once

#include <cstdint>
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

  /// One name. kRuntimeList: a node is called so; kSameTensor: a tensor that it makes is;
  /// kRenamed: by a rule.
  Found find(std::string_view name, Naming naming) const;
  /// The value of the model that is called so: an input, or what a node makes; kNone: none or
  /// several.
  graph::ValueId tensor(std::string_view name) const;

  /// Whether a module of the model has this path, in any of the forms of torch_operators.h.
  bool is_module(std::string_view path) const;
  /// Nodes of the main graph that multiply matrices, convolutions among them.
  std::size_t products() const { return products_; }

 private:
  Found exact(std::string_view name) const;
  Found unnamed(std::string_view name) const;

  const graph::Model& model_;
  std::unordered_map<std::string_view, graph::NodeId> nodes_, tensors_;  // kNone: several
  std::unordered_set<std::string> modules_;
  std::size_t products_ = 0;
  std::vector<graph::NodeId> numbered_;  // ONNX Runtime's index of nodes of the main graph
};

/// The runtime's own: a reorder, copy or cast that no node asks for, by its name or type.
bool inserted_name(std::string_view name, std::string_view type, Naming naming);

}  // namespace ridge::imports
