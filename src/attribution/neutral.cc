// SPDX-License-Identifier: Apache-2.0
#include "attribution/neutral.h"

#include <algorithm>
#include <initializer_list>

#include "ops/math/einsum_equation.h"

namespace ridge::attribution {
namespace {

using analysis::Resolved;
using graph::kNone;
using graph::ValueId;

bool one_of(std::string_view op, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), op) != names.end();
}

bool same_known_shape(const ops::Shape& a, const ops::Shape& b) {
  return a.known() && ops::same_shape(a, b);
}

bool moves_only_ones(const Resolved& r, const graph::Node& node) {
  const ops::Shape& shape = r.type(node.inputs[0]).shape;
  if (!shape.known()) return false;
  std::vector<std::int64_t> order;
  if (const onnx::Attribute* perm = graph::attribute(node, "perm"))
    order.assign(perm->ints.begin(), perm->ints.end());
  else
    for (std::int64_t i = shape.rank; i-- > 0;) order.push_back(i);
  std::int64_t last = -1;
  for (const std::int64_t axis : order) {
    if (axis < 0 || axis >= shape.rank) return false;
    if (shape[static_cast<std::size_t>(axis)].is(1)) continue;
    if (axis < last) return false;
    last = axis;
  }
  return true;
}

/// True for an Einsum of one operand whose output has the axes of the operand in the same order:
/// "ij->ij", "->".
bool keeps_axes(const graph::Node& node) {
  const onnx::Attribute* equation = graph::attribute(node, "equation");
  if (equation == nullptr || node.inputs.size() != 1) return false;
  const ops::EinsumEquation terms = ops::split_equation(equation->s);
  return terms.inputs.size() == 1 && terms.inputs[0] == terms.output;
}

/// True if the constant is known and all its elements are `wanted`.
bool all_equal(const ops::Value* value, double wanted) {
  if (value == nullptr || value->ints.size() + value->reals.size() == 0) return false;
  return std::all_of(value->ints.begin(), value->ints.end(),
                     [&](ops::Dim d) { return d.is(static_cast<std::int64_t>(wanted)); }) &&
         std::all_of(value->reals.begin(), value->reals.end(),
                     [&](double d) { return d == wanted; });
}

/// Returns x of x + 0, x - 0, x * 1, x / 1, if the constant does not broadcast x.
std::optional<std::size_t> neutral_arithmetic(const Resolved& r, const graph::Node& node) {
  if (node.inputs.size() != 2 || node.inputs[1] == kNone) return std::nullopt;
  const bool sum = one_of(node.op_type, {"Add", "Sub"});
  if (!sum && !one_of(node.op_type, {"Mul", "Div"})) return std::nullopt;
  const double neutral = sum ? 0 : 1;
  const ops::Shape& out = r.type(node.outputs[0]).shape;
  const auto hands_on = [&](std::size_t input) {
    return all_equal(r.value(node.inputs[1 - input]), neutral) &&
           same_known_shape(r.type(node.inputs[input]).shape, out);
  };
  if (hands_on(0)) return 0;
  if (one_of(node.op_type, {"Add", "Mul"}) && hands_on(1)) return 1;
  return std::nullopt;
}

/// True if the node, which has a first input and output, passes that input through.
bool hands_first_on(const Resolved& r, const graph::Node& node) {
  const std::string_view op = node.op_type;
  const ops::Type& in = r.type(node.inputs[0]);
  const ops::Type& out = r.type(node.outputs[0]);
  const auto constant = [&](std::size_t i) -> const ops::Value* {
    return i < node.inputs.size() && node.inputs[i] != kNone ? r.value(node.inputs[i]) : nullptr;
  };
  if (op == "Identity") return true;
  if (op == "Cast" || op == "CastLike")
    return in.dtype == out.dtype && in.dtype != onnx::DataType::kUndefined;
  // Of one operand, these are the operand.
  if (one_of(op, {"Concat", "Sum", "Max", "Min", "Mean"})) return node.inputs.size() == 1;
  if (op == "Transpose") return moves_only_ones(r, node);
  if (op == "Einsum") return keeps_axes(node) && same_known_shape(in.shape, out.shape);
  // Equal shapes are not sufficient: a step of -1 reverses, and a negative pad may be compensated
  // at the other end.
  if (op == "Slice")
    return same_known_shape(in.shape, out.shape) &&
           (node.inputs.size() <= 4 || node.inputs[4] == kNone || all_equal(constant(4), 1));
  if (op == "Pad") return same_known_shape(in.shape, out.shape) && all_equal(constant(1), 0);
  return one_of(op, {"Reshape", "Flatten", "Squeeze", "Unsqueeze", "Expand", "Tile"}) &&
         same_known_shape(in.shape, out.shape);
}

}  // namespace

std::optional<std::size_t> neutral_input(const Resolved& r, graph::NodeId id) {
  const graph::Node& node = r.model().node(id);
  if (!node.domain.empty() || node.inputs.empty() || node.outputs.empty()) return std::nullopt;
  if (node.inputs[0] == kNone || node.outputs[0] == kNone) return std::nullopt;
  if (hands_first_on(r, node)) return 0;
  return neutral_arithmetic(r, node);
}

}  // namespace ridge::attribution
