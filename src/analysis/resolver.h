// SPDX-License-Identifier: Apache-2.0
// Builds a Resolved: visits nodes in topological order and applies their operators' rules. Used by
// resolve() only.
//
// The bodies of If, Loop, Scan and function calls are resolved at their owner's position:
// - Call: types and values pass in and out.
// - If: with a known condition, only that branch runs; otherwise the more expensive branch counts
//   (2*macs + flops + special + int_ops, then bytes), and an output has the type on which both
//   branches agree. A branch that cannot be resolved counts as not taken.
// - Loop: trips = M if the condition cannot end it earlier; otherwise unknown, at most M. A
//   dimension of a carried shape that changes from trip to trip is unknown.
// - Scan: trips = the length of the scanned axes.
// - Scan of opset 8: once per batch element and step.
// - SequenceMap: trips = the number of tensors in the sequence.
// - BeamSearch, GreedySearch, Sampling: the decoder at most once per token, other bodies once.
// - FlexAttention: its bodies run once each, on the scores.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "analysis/bodies.h"
#include "analysis/counts.h"
#include "analysis/precedents.h"
#include "analysis/resolved.h"
#include "analysis/sizes/binding.h"
#include "ops/operator.h"

namespace ridge::analysis {

class Resolver final : public ops::Context {
 public:
  explicit Resolver(std::shared_ptr<const graph::Model> model);
  Result<Resolved> run(const Bindings& bindings,
                       const std::map<std::string, std::int64_t>& defaults);

  /// Replaces bytes read and written, and their totals (fused_bytes.cc). `counts`: by node.
  static void set_bytes(Resolved& resolved, const std::vector<NodeCounts>& counts);

  const ops::Type& input(std::size_t i) const override;
  const ops::Value* folded(std::size_t i) const override;
  Result<const ops::Value*> tensor_attribute(std::string_view name) override;
  const ops::Type& output(std::size_t i) const override;
  void set_output(std::size_t i, const ops::Type& type) override;
  void set_value(std::size_t i, const ops::Value& value) override;

 private:
  /// Bodies are visited repeatedly until the carried shapes of a Loop settle; beyond the visit
  /// limit, carried shapes become unknown at once.
  static constexpr std::int64_t kSpareVisits = 1'000'000;
  /// Memory limit for shapes and folded constants: folding may use half of it, shapes the rest. A
  /// real network takes about 50 bytes per node.
  static constexpr std::size_t kSpareMemory = std::size_t{64} << 20, kMemoryPerNode = 256;

  // resolver.cc: traversal
  void seed_values();
  Result<void> give_values(const Bindings& bindings);
  Result<void> give_value(graph::ValueId v, const InputValue& given);
  Result<void> resolve_graph(graph::GraphId g);
  Result<void> resolve_node(graph::NodeId n);
  void follow(graph::NodeId n, graph::NodeId same);
  Result<void> apply_rules(graph::NodeId n);
  Result<void> apply(graph::NodeId n, const ops::Operator& op);
  void leave_unknown(graph::NodeId n);
  void fold(const ops::Operator& op);
  void count(graph::NodeId n, const ops::Operator& op);
  void note_parts(graph::NodeId n, const ops::Operator& op);
  void note_fixed(graph::NodeId n);
  bool data_decides() const;
  bool fill_unknown(ops::Shape& shape, const ops::Shape& declared);
  bool foldable() const;
  std::string_view why_unknown(graph::NodeId n) const;
  const ops::Operator* find_operator(const graph::Node& node) const {
    return operators_[node.kind];
  }
  Result<void> check_sizes() const;
  Result<void> check_limits();
  void reconcile(graph::ValueId v);
  void note_contradiction(graph::ValueId v, const ops::Type& declared);
  const ops::Value* constant_value(graph::ValueId v) const;
  Result<void> finish();
  void finish_notes();
  void note_unknown_operators();

  // control.cc: bodies
  Result<void> resolve_bodies(graph::NodeId n);
  Result<void> resolve_bodies_as(Bodies kind, graph::NodeId n);
  Result<void> resolve_call(graph::NodeId n);
  Result<void> resolve_if(graph::NodeId n);
  Result<void> resolve_loop(graph::NodeId n);
  Result<void> resolve_scan(graph::NodeId n);
  Result<void> resolve_batched_scan(graph::NodeId n);
  ops::Type without_axes(const ops::Type& type, std::size_t axes);
  Result<void> resolve_map(graph::NodeId n);
  Result<void> resolve_modifiers(graph::NodeId n);
  Result<void> resolve_search(graph::NodeId n, const ops::Operator& op);
  /// Values carried from one trip to the next: body inputs first_in .. first_in + count - 1 take
  /// the values of body outputs first_out .. first_out + count - 1.
  struct Carried {
    std::size_t first_in = 0, first_out = 0, count = 0;
  };
  Result<void> settle(const graph::Graph& body, graph::GraphId g, const Carried& carried);
  bool widen(const graph::Graph& body, const Carried& carried, bool at_once);
  Trips loop_trips(const graph::Node& node, const graph::Graph& body) const;
  std::optional<bool> known_bool(graph::ValueId v) const;
  bool keeps_running(graph::ValueId v) const;
  ops::Type one_element(ops::Type scalar, graph::ValueId v);
  Result<ops::Dim> enter_scan(const graph::Node& node, const graph::Graph& body, std::size_t states,
                              std::span<const std::int64_t> axes);
  void pass(graph::ValueId from, graph::ValueId to);
  bool steered_input() const;
  void pass_outputs(const graph::Node& node, const graph::Graph& body);
  ops::Type merged(const ops::Type& a, const ops::Type& b);
  ops::Type stacked(const ops::Type& element, ops::Dim trips, std::int64_t axis);
  /// Cost of one execution of a body, nested bodies included; unknown counts are taken as 0.
  struct Cost {
    std::int64_t operations = 0, bytes = 0;
    auto operator<=>(const Cost&) const = default;
  };
  Cost cost(graph::GraphId g) const;

  std::shared_ptr<const graph::Model> model_;
  Resolved out_;
  Sizes sizes_;
  // constants of initializers are decoded on first use
  mutable std::vector<const ops::Value*> values_;
  mutable std::vector<bool> decoded_;
  mutable std::vector<std::string> unread_;  // constants that were needed but could not be read
  std::vector<Trips> trips_;                 // by graph, per execution of its owner
  std::vector<Cost> costs_;                  // by graph
  // By KindId; nullptr if no operator has that name and version.
  std::vector<const ops::Operator*> operators_;
  std::vector<bool> unknown_;  // by node: its operator is unknown
  Precedents precedents_;
  // for the current node: no constant was consulted or produced
  mutable bool by_types_alone_ = false;
  std::int64_t visits_ = 0, visit_limit_ = 0;
  std::size_t memory_limit_ = 0;
  bool folding_stopped_ = false;
  std::set<graph::ValueId> contradictions_;
  std::string first_contradiction_;
};

}  // namespace ridge::analysis
