// SPDX-License-Identifier: Apache-2.0
// Bodies of If, Loop and function calls. scan.cc handles bodies that iterate over a tensor or a
// sequence.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/bodies.h"
#include "analysis/resolver.h"
#include "base/checked.h"
#include "ops/rule.h"
#include "ops/sequence.h"

namespace ridge::analysis {
namespace {

const ops::Type kCondition{onnx::DataType::kBool, ops::Container::kTensor, {nullptr, 0}};
const ops::Type kIteration{onnx::DataType::kInt64, ops::Container::kTensor, {nullptr, 0}};

bool identical(const ops::Type& a, const ops::Type& b) {
  return a.dtype == b.dtype && a.container == b.container && a.shape.rank == b.shape.rank &&
         std::equal(a.shape.span().begin(), a.shape.span().end(), b.shape.span().begin());
}

std::int64_t saturated_sum(std::int64_t a, std::int64_t b) {
  return checked_add(a, b).value_or(INT64_MAX);
}
std::int64_t known_count(ops::Dim d) { return d.known() ? d.value() : 0; }

}  // namespace

Result<void> Resolver::resolve_bodies(graph::NodeId n) {
  NodeCounts c;
  c.status = Status::kZero;
  c.macs = c.flops = c.special = c.int_ops = c.bytes_read = c.bytes_written = ops::Dim(0);
  out_.counts_.set(n, c);
  const graph::Node& node = model_->node(n);
  for (const graph::GraphId g : node.bodies) trips_[g] = {};
  TRY(resolve_bodies_as(bodies_of(node), n));
  for (const graph::ValueId v : node.outputs)
    if (v != graph::kNone) reconcile(v);
  return {};
}

Result<void> Resolver::resolve_bodies_as(Bodies kind, graph::NodeId n) {
  switch (kind) {
    case Bodies::kCall:
      return resolve_call(n);
    case Bodies::kIf:
      return resolve_if(n);
    case Bodies::kLoop:
      return resolve_loop(n);
    case Bodies::kScan:
      return resolve_scan(n);
    case Bodies::kBatchedScan:
      return resolve_batched_scan(n);
    case Bodies::kMap:
      return resolve_map(n);
    case Bodies::kModifiers:
      return resolve_modifiers(n);
    case Bodies::kNone:
    case Bodies::kOther:
      break;
  }
  const ops::Operator* op = find_operator(node_);
  if (op != nullptr && op->kind == ops::Kind::kControl) return resolve_search(n, *op);
  leave_unknown(n);
  for (const graph::GraphId g : model_->node(n).bodies) {
    trips_[g] = {ops::Dim(), ops::Dim(), out_.counts_[n].reason};
    TRY(resolve_graph(g));
  }
  return {};
}

/// Resolves a generation operator (kind kControl, such as beam search): encoder and first step run
/// once, the decoder at most max_length times. Sizes that grow from step to step keep the decoder's
/// declared or bound values.
Result<void> Resolver::resolve_search(graph::NodeId n, const ops::Operator& op) {
  TRY(op.infer(*this));
  TRY(check_sizes());
  const ops::Dim most = dims_->max(ops::scalar_input(*this, 1), ops::Dim(0));
  const graph::Node& node = model_->node(n);
  const graph::GraphId decoder = body_named(node, "decoder");
  if (decoder == graph::kNone) return malformed(node, "attribute 'decoder' is missing");
  for (const graph::GraphId g : node.bodies) {
    for (const graph::ValueId v : model_->graphs()[g].inputs)
      if (v != graph::kNone) reconcile(v);
    TRY(resolve_graph(g));
    if (g != decoder) {
      trips_[g] = {ops::Dim(1)};
      continue;
    }
    trips_[g] = {
        ops::Dim(), most,
        arena_->copy(fmt::format("how many tokens {} makes depends on data", model_->describe(n)))};
  }
  return {};
}

void Resolver::pass(graph::ValueId from, graph::ValueId to) {
  if (from == graph::kNone || to == graph::kNone) return;
  out_.types_[to] = out_.types_[from];
  values_[to] = constant_value(from);
  if (!out_.steered_.empty()) out_.steered_[to] = out_.steered_[from];
}

void Resolver::pass_outputs(const graph::Node& node, const graph::Graph& body) {
  for (std::size_t i = 0; i < node.outputs.size() && i < body.outputs.size(); ++i)
    pass(body.outputs[i], node.outputs[i]);
}

Result<void> Resolver::resolve_call(graph::NodeId n) {
  const graph::Node& node = model_->node(n);
  for (const graph::GraphId g : node.bodies) {
    const graph::Graph& body = model_->graphs()[g];
    for (std::size_t i = 0; i < body.inputs.size() && i < node.inputs.size(); ++i)
      pass(node.inputs[i], body.inputs[i]);
    TRY(resolve_graph(g));
    pass_outputs(node, body);
  }
  return {};
}

/// True if `v` is the condition input of a Loop body: it is true whenever the body runs.
bool Resolver::keeps_running(graph::ValueId v) const {
  if (v == graph::kNone || model_->value(v).kind != graph::ValueKind::kInput) return false;
  const graph::Graph& body = model_->graphs()[model_->value(v).graph];
  return body.owner != graph::kNone && bodies_of(model_->node(body.owner)) == Bodies::kLoop &&
         body.inputs.size() > 1 && body.inputs[1] == v;
}

std::optional<bool> Resolver::known_bool(graph::ValueId v) const {
  if (keeps_running(v)) return true;
  const ops::Value* value = v == graph::kNone ? nullptr : constant_value(v);
  if (value == nullptr || value->ints.size() != 1 || !value->ints[0].known()) return std::nullopt;
  return value->ints[0].value() != 0;
}

Result<void> Resolver::resolve_if(graph::NodeId n) {
  const graph::Node& node = model_->node(n);
  const graph::GraphId branches[2] = {body_named(node, "then_branch"),
                                      body_named(node, "else_branch")};
  if (node.inputs.empty()) return malformed(node, "the condition input is missing");
  for (int b = 0; b < 2; ++b) {
    const std::string_view which = b == 0 ? "then_branch" : "else_branch";
    if (branches[b] == graph::kNone)
      return malformed(node, fmt::format("attribute '{}' is missing", which));
    const std::size_t has = model_->graphs()[branches[b]].outputs.size();
    if (has < node.outputs.size())
      return malformed(node, fmt::format("its {} has {} outputs, but the node has {}", which, has,
                                         node.outputs.size()));
  }
  const std::optional<bool> condition = known_bool(node.inputs[0]);
  Result<void> done[2];
  for (int b = 0; b < 2; ++b) {
    done[b] = resolve_graph(branches[b]);
    if (!done[b].ok()) dims_->clear_overflow();
  }

  // A known condition decides. Otherwise a branch that cannot run with these shapes is no choice
  // (an exporter's If on the rank, say), and of two that can, the one with more work counts.
  int taken = 0;
  if (condition)
    taken = *condition ? 0 : 1;
  else if (!done[0].ok() && !done[1].ok())
    taken = 0;
  else if (!done[0].ok() || !done[1].ok())
    taken = done[0].ok() ? 0 : 1;
  else
    taken = costs_[branches[0]] < costs_[branches[1]] ? 1 : 0;
  if (!done[taken].ok()) return std::move(done[taken]).error();

  const int other = 1 - taken;
  trips_[branches[other]] = {ops::Dim(0), ops::Dim(),
                             condition ? "the condition is known: this branch does not run"
                             : !done[other].ok()
                                 ? "this branch cannot run with these shapes"
                                 : "the other branch, which does more work, is counted"};
  const graph::Graph& body = model_->graphs()[branches[taken]];
  const graph::Graph& rest = model_->graphs()[branches[other]];
  if (condition || !done[other].ok()) {
    pass_outputs(node, body);
    return {};
  }
  for (std::size_t i = 0; i < node.outputs.size(); ++i)
    if (node.outputs[i] != graph::kNone)
      out_.types_[node.outputs[i]] =
          merged(out_.types_[body.outputs[i]], out_.types_[rest.outputs[i]]);
  return {};
}

/// Trip count of a Loop: M if the condition stays true, 1 if M is absent and the condition becomes
/// false in the first trip.
Trips Resolver::loop_trips(const graph::Node& node, const graph::Graph& body) const {
  const bool has_limit = node.inputs[0] != graph::kNone;
  const ops::Value* limit = has_limit ? constant_value(node.inputs[0]) : nullptr;
  const bool has_condition = node.inputs[1] != graph::kNone;
  const std::optional<bool> first =
      has_condition ? known_bool(node.inputs[1]) : std::optional(true);
  if (first == false) return {ops::Dim(0)};
  const ops::Dim most = limit != nullptr && limit->ints.size() == 1
                            ? dims_->max(limit->ints[0], ops::Dim(0))
                            : ops::Dim();

  graph::ValueId v = body.outputs[0];
  for (int hops = 0; hops < 16 && v != body.inputs[1]; ++hops) {
    const graph::NodeId producer = model_->value(v).producer;
    if (producer == graph::kNone || model_->node(producer).op_type != "Identity" ||
        model_->node(producer).inputs.empty())
      break;
    v = model_->node(producer).inputs[0];
  }
  const std::optional<bool> next = v == body.inputs[1] ? first : known_bool(v);
  if (!first || !next) return {ops::Dim(), most};
  if (*next) return {most};
  if (!has_limit) return {ops::Dim(1)};
  return {most.unknown() ? ops::Dim() : dims_->min(most, ops::Dim(1)), ops::Dim(1)};
}

/// Type of the iteration number or the condition in a Loop body: a scalar, or shape [1] if the body
/// declares that.
ops::Type Resolver::one_element(ops::Type scalar, graph::ValueId v) {
  const onnx::TypeInfo* declared = model_->value(v).declared;
  if (declared != nullptr && declared->has_shape && declared->shape.size() == 1)
    scalar.shape = shape(std::vector<ops::Dim>{ops::Dim(1)});
  return scalar;
}

Result<void> Resolver::resolve_loop(graph::NodeId n) {
  const graph::Node& node = model_->node(n);
  const graph::GraphId g = body_named(node, "body");
  if (g == graph::kNone) return malformed(node, "attribute 'body' is missing");
  if (node.inputs.size() < 2)
    return malformed(node,
                     fmt::format("it has {} inputs, it needs at least 2", node.inputs.size()));
  const graph::Graph& body = model_->graphs()[g];
  const Carried carried{2, 1, node.inputs.size() - 2};
  if (body.inputs.size() != carried.count + 2)
    return malformed(node, fmt::format("its body has {} inputs, but {} carried values require {}",
                                       body.inputs.size(), carried.count, carried.count + 2));
  if (body.outputs.size() < carried.count + 1 || node.outputs.size() > body.outputs.size() - 1)
    return malformed(
        node,
        fmt::format("its body has {} outputs, too few for {} carried values and {} node outputs",
                    body.outputs.size(), carried.count, node.outputs.size()));
  // ONNX Loop: the node takes (trip count, condition, carried...), the body takes (iteration,
  // condition, carried...) and returns (condition, carried..., scanned...), and the node returns
  // (carried..., scanned...). So output i of the node is output i + 1 of the body.
  out_.types_[body.inputs[0]] = one_element(kIteration, body.inputs[0]);
  out_.types_[body.inputs[1]] = one_element(kCondition, body.inputs[1]);
  for (std::size_t i = 0; i < carried.count; ++i)
    if (node.inputs[2 + i] != graph::kNone)
      out_.types_[body.inputs[2 + i]] = out_.types_[node.inputs[2 + i]];
  TRY(settle(body, g, carried));

  trips_[g] = loop_trips(node, body);
  const ops::Dim trips = trips_[g].count;
  if (trips.unknown())
    trips_[g].reason = arena_->copy(
        fmt::format("how often {} repeats its body depends on data", model_->describe(n)));
  if (trips.is(0))
    trips_[g].reason = arena_->copy(fmt::format("{} does not run its body", model_->describe(n)));
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] == graph::kNone) continue;
    const ops::Type& made = out_.types_[body.outputs[i + 1]];
    if (i >= carried.count)
      out_.types_[node.outputs[i]] = stacked(made, trips, 0);
    else if (trips.is(0) && node.inputs[2 + i] != graph::kNone)
      out_.types_[node.outputs[i]] = out_.types_[node.inputs[2 + i]];
    else
      out_.types_[node.outputs[i]] =
          trips.is(1) ? made : merged(out_.types_[body.inputs[2 + i]], made);
  }
  return {};
}

/// Repeats shape inference of the body until the carried values have the same type on entry and
/// exit (a fixed point). Each round only widens types; from the third round on, a carried value
/// that still changes gets an unknown shape. Nested loops multiply the rounds, so once the visit
/// limit is exceeded all carried shapes are unknown and a single round is done.
Result<void> Resolver::settle(const graph::Graph& body, graph::GraphId g, const Carried& carried) {
  constexpr int kRounds = 3;
  const bool spent = visits_ > visit_limit_;
  for (std::size_t i = 0; spent && i < carried.count; ++i)
    out_.types_[body.inputs[carried.first_in + i]].shape = {};
  for (int round = 1;; ++round) {
    TRY(resolve_graph(g));
    if (!widen(body, carried, round >= kRounds) || spent || round > kRounds) return {};
  }
}

bool Resolver::widen(const graph::Graph& body, const Carried& carried, bool at_once) {
  bool changed = false;
  for (std::size_t i = 0; i < carried.count; ++i) {
    ops::Type& in = out_.types_[body.inputs[carried.first_in + i]];
    ops::Type both = merged(in, out_.types_[body.outputs[carried.first_out + i]]);
    if (identical(in, both)) continue;
    if (at_once) both.shape = {};
    in = both;
    changed = true;
  }
  return changed;
}

/// Join of two types: dimensions that differ become unknown, and so does the shape if the ranks
/// differ.
ops::Type Resolver::merged(const ops::Type& a, const ops::Type& b) {
  ops::Type both = a;
  if (a.dtype != b.dtype) both.dtype = a.dtype == onnx::DataType::kUndefined ? b.dtype : a.dtype;
  if (!identical(a, b)) both.shape = ops::common_shape(*this, a.shape, b.shape);
  return both;
}

Resolver::Cost Resolver::cost(graph::GraphId g) const {
  Cost sum;
  const graph::Graph& body = model_->graphs()[g];
  for (graph::NodeId n = body.first; n < body.last; ++n) {
    const NodeCounts& c = out_.counts_[n];
    // A MAC is listed twice: it is two operations.
    for (const ops::Dim d : {c.macs, c.macs, c.flops, c.special, c.int_ops})
      sum.operations = saturated_sum(sum.operations, known_count(d));
    for (const ops::Dim d : {c.bytes_read, c.bytes_written})
      sum.bytes = saturated_sum(sum.bytes, known_count(d));
    for (const graph::GraphId inner : model_->node(n).bodies) {
      const std::int64_t trips = trips_[inner].count.known() ? trips_[inner].count.value() : 1;
      sum.operations = saturated_sum(
          sum.operations, checked_mul(costs_[inner].operations, trips).value_or(INT64_MAX));
      sum.bytes =
          saturated_sum(sum.bytes, checked_mul(costs_[inner].bytes, trips).value_or(INT64_MAX));
    }
  }
  return sum;
}

}  // namespace ridge::analysis
