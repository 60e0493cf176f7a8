// SPDX-License-Identifier: Apache-2.0
// The original model as seen by attribution: function calls expanded, and nodes marked that a
// runtime may remove.
//
// Values are always identified by their origin (expansion.h). Ownership: refers to the Resolved and
// the Canonical it was made from. Thread rule: immutable. Cost: O(nodes + values).
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/resolved.h"
#include "attribution/canonical.h"
#include "attribution/expansion.h"

namespace ridge::attribution {

class Original {
 public:
  Original(const analysis::Resolved& resolved, const Canonical& copy, Expansion expansion);

  const analysis::Resolved& resolved() const { return *resolved_; }
  const graph::Model& model() const { return resolved_->model(); }
  graph::Node node(NodeId n) const { return model().node(n); }
  const Expansion& expansion() const { return expansion_; }
  /// All nodes, each after the producers of its inputs.
  std::span<const NodeId> order() const { return order_; }
  /// Position of a node in order().
  std::uint32_t rank(NodeId n) const { return rank_[n]; }

  ValueId origin(ValueId v) const { return expansion_.origin(v); }
  /// Returns the node that produces a value; kNone for inputs and constants of the file.
  NodeId producer(ValueId v) const;
  /// Returns the nodes that read a value, ascending, without duplicates.
  std::span<const NodeId> readers(ValueId v) const;
  /// Returns the operator type in the copy that the runtime loaded.
  std::string_view op(NodeId n) const;

  /// Returns the elements of a small constant as the runtime has them, or nullptr.
  const ops::Value* known(ValueId v) const {
    return folds_[v] && !seeded_[v] ? resolved_->value(v) : nullptr;
  }

  /// True for a weight that is a seeded initializer in the copy: equal to no other.
  bool seeded(NodeId n) const { return copy_->seeded[n]; }

  /// Returns the value of a tensor name of the copy; kNone if the copy has no such tensor.
  ValueId tensor(std::string_view name) const;

  /// True if the value is known without running the model: constants, shapes, and values computed
  /// only from these.
  bool folds(ValueId v) const { return folds_[v]; }
  bool folds_node(NodeId n) const;
  /// True if the node has no effect (neutral.h).
  bool neutral(NodeId n) const { return neutral_[n] != kNotNeutral; }
  /// Returns the input that a neutral node passes through.
  ValueId handed_on(NodeId n) const { return node(n).inputs[neutral_[n]]; }
  /// True if an output of the model depends on the node.
  bool live(NodeId n) const { return live_[n]; }

 private:
  void index_readers();
  void find_folds();
  bool node_folds(const graph::Node& node) const;
  void find_neutral();
  void find_live();

  const analysis::Resolved* resolved_;
  const Canonical* copy_;
  Expansion expansion_;
  std::vector<NodeId> order_;
  std::vector<std::uint32_t> rank_;
  std::vector<std::uint32_t> reader_start_;
  std::vector<NodeId> reader_;
  std::vector<bool> folds_, live_;
  static constexpr std::uint8_t kNotNeutral = 0xff;
  std::vector<std::uint8_t> neutral_;  // by node: index of the input that is passed through
  /// By value: computed from weights that the copy seeds, so different from the file's content.
  std::vector<bool> seeded_;
  std::unordered_map<std::string_view, ValueId> kept_;  // names of inputs and outputs
};

/// True for operators whose work is multiply-accumulates: Conv, Gemm, MatMul, attention, recurrent,
/// under any name that runtimes use.
bool is_product(std::string_view op);

}  // namespace ridge::attribution
