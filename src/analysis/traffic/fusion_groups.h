// SPDX-License-Identifier: Apache-2.0
// Shared state of the fusion rules: growing groups, and queries on nodes and values. Private to
// fuser.cc, fusion_runtime.cc and fusion_quantized.cc.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/resolved.h"
#include "analysis/traffic/fusion.h"

namespace ridge::analysis {

class FusionGroups {
 public:
  explicit FusionGroups(const Resolved& resolved);

  const Resolved& resolved() const { return r_; }
  const graph::Model& model() const { return model_; }
  graph::Node node(graph::NodeId n) const { return model_.node(n); }

  /// Returns the only output in use; kNone if there are several or none.
  graph::ValueId output(graph::NodeId n) const;
  /// Returns the only node that reads `v`, if it is in the same graph and `v` is not a graph
  /// output.
  std::optional<graph::NodeId> only_reader(graph::ValueId v) const;
  /// Returns the node that produces `v`, if it is in the graph of `reader`; nullopt for inputs,
  /// constants and values of other graphs.
  std::optional<graph::NodeId> producer(graph::ValueId v, graph::NodeId reader) const;
  /// True for an ai.onnx operator with one of these names and without bodies.
  bool is_one_of(graph::NodeId n, std::span<const std::string_view> names) const;
  bool is(graph::NodeId n, std::string_view name) const { return is_one_of(n, {&name, 1}); }
  /// True if the dimensions are known to be equal; false if either value is kNone.
  bool same_shape(graph::ValueId a, graph::ValueId b) const;
  /// True for a constant with one element.
  bool scalar_constant(graph::ValueId v) const;
  bool constant(graph::ValueId v) const { return v != graph::kNone && r_.constant(v); }
  /// True if the node reads or writes memory by definition, so that others can be fused with it.
  bool moves(graph::NodeId n) const;

  bool grouped(graph::NodeId n) const { return grouped_[n]; }
  std::uint32_t position(graph::NodeId n) const { return position_[n]; }

  /// Last member of the group of `n`.
  graph::NodeId group(graph::NodeId n) { return end(n); }
  /// Merges the groups of `first`, whose output no longer leaves its group, and of `last`. Unless
  /// they are one already, `last` must come after all members of the first group.
  void join(graph::NodeId first, graph::NodeId last);
  /// Groups `members`, none of which may be grouped yet, to run with `last`, one of them. The
  /// outputs of the others stay inside. Does nothing if a member other than `last` has several
  /// outputs.
  void make(std::span<const graph::NodeId> members, graph::NodeId last);

  /// Requests that `reader` applies the producer of `v` itself, and so reads `from`, the producer's
  /// input. If all readers do so, the producer runs with them. finish() decides, for producers that
  /// are ungrouped by then, last values first.
  void take_in(graph::NodeId reader, graph::ValueId v, graph::ValueId from) {
    taken_.push_back({reader, v, from});
  }
  /// Marks `members` as causing no traffic: `to`, the last one's output, shares the storage of
  /// `from`.
  void drop(std::span<const graph::NodeId> members, graph::ValueId from, graph::ValueId to);
  /// Marks the node as computed at model load.
  void fold(graph::NodeId n) { out_.folded[n] = true; }
  bool folded(graph::NodeId n) const { return out_.folded[n]; }
  /// True if neither grouped nor folded.
  bool free_to_join(graph::NodeId n) const { return !grouped_[n] && !out_.folded[n]; }

  // Queries for pattern matching, restricted to nodes that are free to join.
  graph::ValueId input(graph::NodeId n, std::size_t i) const {
    const auto inputs = model_.inputs(n);
    return i < inputs.size() ? inputs[i] : graph::kNone;
  }
  /// Returns the only reader of the output of `n`, if it has this operator name.
  std::optional<graph::NodeId> next(graph::NodeId n, std::string_view name) const;
  /// Returns the producer of `v`, if it has this operator name.
  std::optional<graph::NodeId> maker(graph::ValueId v, graph::NodeId reader,
                                     std::string_view name) const;
  /// Returns the operand of a two-input node that is not `v`; kNone if there is none.
  graph::ValueId other(graph::NodeId n, graph::ValueId v) const;

  /// Returns the result; the object must not be used afterwards.
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
  std::vector<std::uint32_t> position_;  // position in the order of the node's graph
  std::vector<bool> grouped_;
  std::vector<Taken> taken_;
  Fusion out_;
};

/// Applies the rules of fusion_runtime.cc.
void fuse_as_runtimes_do(FusionGroups& groups);
/// Applies the rules of fusion_quantized.cc: operators between DequantizeLinear and QuantizeLinear.
void fuse_quantized(FusionGroups& groups);

}  // namespace ridge::analysis
