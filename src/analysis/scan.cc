// SPDX-License-Identifier: Apache-2.0
// Bodies that iterate over a tensor or a sequence (Scan, SequenceMap), and bodies that modify
// intermediate tensors of an operator (FlexAttention).
#include <fmt/format.h>

#include <algorithm>

#include "analysis/bodies.h"
#include "analysis/resolver.h"
#include "ops/nn/attention.h"

namespace ridge::analysis {

Result<void> Resolver::resolve_scan(graph::NodeId n) {
  const graph::Node& node = model_->node(n);
  const graph::GraphId g = body_named(node, "body");
  if (g == graph::kNone) return malformed(node, "attribute 'body' is missing");
  const graph::Graph& body = model_->graphs()[g];
  const auto scans =
      static_cast<std::size_t>(std::max<std::int64_t>(0, TRY(int_attribute("num_scan_inputs", 0))));
  const auto in_axes = TRY(ints_attribute("scan_input_axes"));
  const auto out_axes = TRY(ints_attribute("scan_output_axes"));
  if (scans < 1 || scans > node.inputs.size() || body.inputs.size() != node.inputs.size())
    return malformed(node, fmt::format("num_scan_inputs is {}, the node has {} inputs, its body {}",
                                       scans, node.inputs.size(), body.inputs.size()));
  const std::size_t states = node.inputs.size() - scans;
  if (body.outputs.size() < states || node.outputs.size() > body.outputs.size())
    return malformed(node, fmt::format("it has {} outputs and {} states, its body {} outputs",
                                       node.outputs.size(), states, body.outputs.size()));
  const ops::Dim trips = TRY(enter_scan(node, body, states, in_axes));
  TRY(settle(body, g, {0, 0, states}));

  trips_[g].count = trips;
  if (trips.unknown())
    trips_[g].reason =
        arena_->copy(fmt::format("the length that {} scans depends on data", model_->describe(n)));
  if (trips.is(0))
    trips_[g].reason = arena_->copy(fmt::format("{} scans nothing", model_->describe(n)));
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] == graph::kNone) continue;
    const ops::Type& made = out_.types_[body.outputs[i]];
    const std::int64_t axis =
        i >= states && i - states < out_axes.size() ? out_axes[i - states] : 0;
    out_.types_[node.outputs[i]] =
        i < states ? merged(out_.types_[body.inputs[i]], made) : stacked(made, trips, axis);
  }
  return {};
}

/// Sets the types of the body's inputs: states unchanged, scanned inputs without the scan axis.
/// Returns the number of slices.
Result<ops::Dim> Resolver::enter_scan(const graph::Node& node, const graph::Graph& body,
                                      std::size_t states, std::span<const std::int64_t> axes) {
  ops::Dim trips;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i] == graph::kNone)
      return malformed(node, fmt::format("input {} is missing", i));
    const ops::Type& whole = out_.types_[node.inputs[i]];
    ops::Type& inner = out_.types_[body.inputs[i]];
    inner = whole;
    if (i < states || !whole.shape.ranked()) continue;
    const std::int64_t given = i - states < axes.size() ? axes[i - states] : 0;
    const std::int64_t axis = given < 0 ? given + whole.shape.rank : given;
    if (axis < 0 || axis >= whole.shape.rank)
      return malformed(node, fmt::format("axis {} of input {} is outside its {} dimensions", given,
                                         i, whole.shape.rank));
    const auto dims = whole.shape.span();
    const ops::Dim length = dims[static_cast<std::size_t>(axis)];
    if (trips.known() && length.known() && !trips.same(length))
      return malformed(node, fmt::format("input {} has scan length {}, an earlier input {}", i,
                                         length.value(), trips.value()));
    if (trips.unknown()) trips = length;
    std::vector<ops::Dim> slice(dims.begin(), dims.end());
    slice.erase(slice.begin() + static_cast<std::ptrdiff_t>(axis));
    inner.shape = shape(slice);
  }
  return trips;
}

/// Inputs: sequence lengths (or none), states [batch, ...], then scanned tensors [batch, steps,
/// ...]. Inside the body, the axes batch and steps are removed.
Result<void> Resolver::resolve_batched_scan(graph::NodeId n) {
  const graph::Node& node = model_->node(n);
  const graph::GraphId g = body_named(node, "body");
  if (g == graph::kNone) return malformed(node, "attribute 'body' is missing");
  const graph::Graph& body = model_->graphs()[g];
  const std::int64_t given = TRY(int_attribute("num_scan_inputs", 0));
  const std::size_t held = node.inputs.empty() ? 0 : node.inputs.size() - 1;
  if (given < 1 || static_cast<std::size_t>(given) > held || body.inputs.size() != held ||
      node.outputs.size() > body.outputs.size())
    return malformed(node, fmt::format("num_scan_inputs is {}, the node has {} inputs, its body {}",
                                       given, node.inputs.size(), body.inputs.size()));
  const std::size_t states = held - static_cast<std::size_t>(given);
  ops::Dim batch, steps;
  for (std::size_t i = 0; i < held; ++i) {
    const graph::ValueId v = node.inputs[i + 1];
    if (v == graph::kNone) return malformed(node, fmt::format("input {} is missing", i + 1));
    const ops::Type& whole = out_.types_[v];
    const std::size_t axes = i < states ? 1 : 2;
    if (whole.shape.span().size() >= axes) {
      if (batch.unknown()) batch = whole.shape[0];
      if (axes == 2 && steps.unknown()) steps = whole.shape[1];
    }
    out_.types_[body.inputs[i]] = without_axes(whole, axes);
  }
  TRY(settle(body, g, {0, 0, states}));
  // Scan of opset 8 runs the body for each step of each sequence: 4 sequences of 10 steps are 40
  // runs. Lengths in input 0 may end a sequence before its last step, so the product is then only
  // the most.
  trips_[g].count = dims_->mul(batch, steps);
  if (node.inputs[0] != graph::kNone) trips_[g] = {ops::Dim(), trips_[g].count, {}};
  if (trips_[g].count.unknown())
    trips_[g].reason =
        arena_->copy(fmt::format("the lengths that {} scans depend on data", model_->describe(n)));
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] == graph::kNone) continue;
    ops::Type type = out_.types_[body.outputs[i]];
    if (i < states) type = merged(out_.types_[body.inputs[i]], type);
    if (i >= states) type = stacked(type, steps, 0);
    out_.types_[node.outputs[i]] = stacked(type, batch, 0);
  }
  return {};
}

ops::Type Resolver::without_axes(const ops::Type& type, std::size_t axes) {
  ops::Type out = type;
  if (type.shape.span().size() < axes)
    out.shape = {};
  else
    out.shape = shape(type.shape.span().subspan(axes));
  return out;
}

/// Resolves SequenceMap. The body runs once per tensor of the first input, with their common type;
/// an input that is a tensor is the same in every run.
Result<void> Resolver::resolve_map(graph::NodeId n) {
  const graph::Node& node = model_->node(n);
  const graph::GraphId g = body_named(node, "body");
  if (g == graph::kNone) return malformed(node, "attribute 'body' is missing");
  const graph::Graph& body = model_->graphs()[g];
  if (node.inputs.empty() || body.inputs.size() != node.inputs.size() ||
      body.outputs.size() < node.outputs.size())
    return malformed(
        node, fmt::format("it has {} inputs and {} outputs, its body {} and {}", node.inputs.size(),
                          node.outputs.size(), body.inputs.size(), body.outputs.size()));
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i] == graph::kNone)
      return malformed(node, fmt::format("input {} is missing", i));
    pass(node.inputs[i], body.inputs[i]);
    ops::Type& type = out_.types_[body.inputs[i]];
    if (type.container != ops::Container::kSequence) continue;
    type.container = ops::Container::kTensor;
    values_[body.inputs[i]] = nullptr;
  }
  const ops::Members* members = this->members(0);
  TRY(resolve_graph(g));
  node_ = node;
  if (members != nullptr)
    trips_[g] = {ops::Dim(static_cast<std::int64_t>(members->size()))};
  else
    trips_[g] = {ops::Dim(), ops::Dim(),
                 arena_->copy(fmt::format("how many tensors {} is given depends on data",
                                          model_->describe(n)))};
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] == graph::kNone) continue;
    out_.types_[node.outputs[i]] = out_.types_[body.outputs[i]];
    out_.types_[node.outputs[i]].container = ops::Container::kSequence;
  }
  return {};
}

/// Resolves a node with its own rule whose bodies modify intermediate tensors, each body once:
/// scores and probabilities of FlexAttention.
Result<void> Resolver::resolve_modifiers(graph::NodeId n) {
  const ops::Operator* op = find_operator(node_);
  if (op == nullptr) return resolve_bodies_as(Bodies::kOther, n);
  TRY(apply(n, *op));
  const ops::Type scores = ops::attention_scores(*this);
  const graph::Node& node = model_->node(n);
  for (const graph::GraphId g : node.bodies) {
    const graph::Graph& body = model_->graphs()[g];
    if (body.inputs.size() != 1 || body.outputs.size() != 1)
      return malformed(node,
                       fmt::format("a body has {} inputs and {} outputs, it must have one of each",
                                   body.inputs.size(), body.outputs.size()));
    out_.types_[body.inputs[0]] = scores;
    TRY(resolve_graph(g));
    trips_[g] = {};
  }
  return {};
}

/// Type of `trips` elements stacked along a new axis.
ops::Type Resolver::stacked(const ops::Type& element, ops::Dim trips, std::int64_t axis) {
  ops::Type type = element;
  if (element.container != ops::Container::kTensor) return type;
  if (!element.shape.ranked()) return type;
  std::vector<ops::Dim> dims(element.shape.span().begin(), element.shape.span().end());
  // A negative axis counts in the result, which has one axis more: 5 elements of [2, 3] stacked
  // along axis -1 are [2, 3, 5].
  const std::int64_t at = axis < 0 ? axis + element.shape.rank + 1 : axis;
  if (at < 0 || at > element.shape.rank) {
    type.shape = {};
    return type;
  }
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(at), trips);
  type.shape = shape(dims);
  return type;
}

}  // namespace ridge::analysis
