// What the rules of fusion share: groups that grow, and questions about nodes and values.
// Used by fusion.cc, fusion_runtime.cc and fusion_quantised.cc alone.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/fusion.h"

namespace ridge::analysis {

class FusionGroups {
 public:
  explicit FusionGroups(const Resolved& resolved);

  const Resolved& resolved() const { return r_; }
  const graph::Model& model() const { return model_; }
  graph::Node node(graph::NodeId n) const { return model_.node(n); }

  /// The one wanted output; kNone where there are several or none.
  graph::ValueId output(graph::NodeId n) const;
  /// The one node that reads `v`, in the same graph, where `v` is no output of the graph.
  std::optional<graph::NodeId> only_reader(graph::ValueId v) const;
  /// The node of the same graph that makes `v`; nullopt for inputs, constants and other graphs'.
  std::optional<graph::NodeId> producer(graph::ValueId v, graph::NodeId reader) const;
  /// An ai.onnx operator of one of these names that has no bodies.
  bool is_one_of(graph::NodeId n, std::span<const std::string_view> names) const;
  bool is(graph::NodeId n, std::string_view name) const { return is_one_of(n, {&name, 1}); }
  /// The same known dimensions; false where either is kNone.
  bool same_shape(graph::ValueId a, graph::ValueId b) const;
  /// A constant of one element.
  bool scalar_constant(graph::ValueId v) const;
  bool constant(graph::ValueId v) const { return v != graph::kNone && r_.constant(v); }
  /// Reads or writes memory by the definition, so that something can ride with it.
  bool moves(graph::NodeId n) const;

  bool grouped(graph::NodeId n) const { return grouped_[n]; }
  std::uint32_t position(graph::NodeId n) const { return position_[n]; }

  /// `last` joins the group of `first`, whose output stays inside from now on. `last` comes after
  /// all members of that group.
  void join(graph::NodeId first, graph::NodeId last);
  /// Every node of `members` runs with `last`, which is one of them; what only they read stays
  /// inside. None was grouped before. Nothing happens where a member but the last has several
  /// outputs.
  void make(std::span<const graph::NodeId> members, graph::NodeId last);

  /// `reader` takes in the node that makes `v`, and so reads `from`, which that node reads. Where
  /// all readers take it in the node itself runs with them. Settled by finish(), for nodes that are
  /// in no group by then, last nodes first.
  void take_in(graph::NodeId reader, graph::ValueId v, graph::ValueId from) {
    taken_.push_back({reader, v, from});
  }
  /// None of `members` moves anything: `to`, made by the last of them, is stored as `from` is.
  void drop(std::span<const graph::NodeId> members, graph::ValueId from, graph::ValueId to);
  /// Computed when the model is loaded.
  void fold(graph::NodeId n) { out_.folded[n] = true; }
  bool folded(graph::NodeId n) const { return out_.folded[n]; }
  /// Neither in a group nor folded.
  bool free_to_join(graph::NodeId n) const { return !grouped_[n] && !out_.folded[n]; }

  // Questions of patterns: about nodes that are free to join.
  graph::ValueId input(graph::NodeId n, std::size_t i) const {
    const auto inputs = model_.inputs(n);
    return i < inputs.size() ? inputs[i] : graph::kNone;
  }
  /// The only reader of what `n` makes, where it has that name.
  std::optional<graph::NodeId> next(graph::NodeId n, std::string_view name) const;
  /// What makes `v`, where it has that name.
  std::optional<graph::NodeId> maker(graph::ValueId v, graph::NodeId reader,
                                     std::string_view name) const;
  /// The operand of a node of two inputs that is not `v`; kNone where there is none.
  graph::ValueId other(graph::NodeId n, graph::ValueId v) const;

  /// The result; nothing is to be asked of the groups afterwards.
  Fusion finish();

 private:
  struct Taken {
    graph::NodeId reader;
    graph::ValueId value, from;
  };

  graph::NodeId end(graph::NodeId n);
  void settle_taken();

  const Resolved& r_;
  const graph::Model& model_;
  std::vector<std::uint32_t> position_;  // in the order of the node's graph
  std::vector<bool> grouped_;
  std::vector<Taken> taken_;
  Fusion out_;
};

/// fusion_runtime.cc
void fuse_as_runtimes_do(FusionGroups& groups);
/// fusion_quantised.cc: the part of it between DequantizeLinear and QuantizeLinear.
void fuse_quantised(FusionGroups& groups);

}  // namespace ridge::analysis
