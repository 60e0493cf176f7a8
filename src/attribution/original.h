// The original model as attribution reads it: calls looked through, and what a runtime may do away
// with.
//
// Values are named by their origin (expansion.h) throughout. Ownership: refers to the Resolved and
// the Canonical it was made from.
// Thread rule: immutable once made. Cost: O(nodes + values).
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
  /// All nodes, each after what it reads.
  std::span<const NodeId> order() const { return order_; }
  /// Position of a node in order().
  std::uint32_t rank(NodeId n) const { return rank_[n]; }

  ValueId origin(ValueId v) const { return expansion_.origin(v); }
  /// The node that makes a value; kNone for inputs and constants of the file.
  NodeId producer(ValueId v) const;
  /// Nodes that read a value, ascending, each once.
  std::span<const NodeId> readers(ValueId v) const;
  /// The type of operator as the runtime saw it.
  std::string_view op(NodeId n) const;

  /// The elements of a small constant as the runtime has them, or nullptr.
  const ops::Value* known(ValueId v) const {
    return folds_[v] && !seeded_[v] ? resolved_->value(v) : nullptr;
  }

  /// A weight that the copy has as a seeded initialiser: equal to no other.
  bool seeded(NodeId n) const { return copy_->seeded[n]; }

  /// The value that a tensor name of the copy stands for; kNone where the name is none of the
  /// copy's.
  ValueId tensor(std::string_view name) const;

  /// Known without running the model: constants, shapes, and what is computed from such alone.
  bool folds(ValueId v) const { return folds_[v]; }
  bool folds_node(NodeId n) const;
  /// Has no effect (neutral.h).
  bool neutral(NodeId n) const { return neutral_[n] != kNotNeutral; }
  /// The input that a neutral node hands on.
  ValueId handed_on(NodeId n) const { return node(n).inputs[neutral_[n]]; }
  /// An output of the model depends on it.
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
  std::vector<std::uint8_t> neutral_;  // by node: the input that is handed on
  std::vector<bool>
      seeded_;  // by value: computed from weights that the copy seeds, so unlike what the file says
  std::unordered_map<std::string_view, ValueId> kept_;  // names of inputs and outputs
};

/// Work is done by multiply-accumulates: Conv, Gemm, MatMul, attention, recurrent, under any of the
/// names that runtimes give them.
bool is_product(std::string_view op);

}  // namespace ridge::attribution
