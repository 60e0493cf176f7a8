// SPDX-License-Identifier: Apache-2.0
// Padding.
#include <fmt/format.h>

#include "ops/rule.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// Amounts for the begin of all axes, then for the end: an attribute before opset 11, input 1 since.
Result<std::optional<std::span<const Dim>>> amounts(Context& c) {
  if (c.opset() >= 11 || !c.node().domain.empty()) {
    TRY(require_inputs(c, 2));
    const Value* v = integral_value(c, 1);
    if (v == nullptr) return std::optional<std::span<const Dim>>();
    return std::optional(v->ints);
  }
  const auto given = TRY(c.ints_attribute(c.opset() < 2 ? "paddings" : "pads"));
  const auto out = new_dims(c, given.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = Dim(given[i]);
  return std::optional<std::span<const Dim>>(out);
}

Result<void> infer_pad(Context& c) {
  TRY(require_inputs(c, 1));
  const Type& x = c.input(0);
  const auto pads = TRY(amounts(c));
  if (!x.shape.ranked()) {
    set_tensor(c, 0, x.dtype, Shape{});
    return {};
  }
  const std::size_t rank = x.shape.span().size();
  const Axes axes = c.opset() >= 18 && c.node().domain.empty() ? TRY(given_axes(c, 3, 18)) : Axes{};
  const std::size_t padded = axes.known ? axes.axes.size() : rank;
  if (!pads || (axes.given && !axes.known)) {
    set_tensor(c, 0, x.dtype, new_dims(c, rank));
    return {};
  }
  if (pads->size() != 2 * padded)
    return c.fail(Fault::kValue, fmt::format("{} amounts of padding for {} axes, it needs {}",
                                             pads->size(), padded, 2 * padded));
  TRY(mark_axes(c, axes.axes, rank, Repeats::kForbidden));
  const auto out = c.arena().copy(x.shape.span());
  for (std::size_t i = 0; i < padded; ++i) {
    const std::size_t axis = axes.known ? TRY(axis_of(c, axes.axes[i], rank)) : i;
    out[axis] = c.dims().add(out[axis], c.dims().add((*pads)[i], (*pads)[i + padded]));
    if (out[axis].known() && out[axis].value() < 0)
      return c.fail(Fault::kValue, fmt::format("padding axis {} of {} leaves {} elements", axis,
                                               text(c, x.shape), out[axis].value()));
  }
  set_tensor(c, 0, x.dtype, out);
  return {};
}

// The axes of the attribute (all if absent) take the sizes of input 1.
Result<void> infer_center(Context& c) {
  TRY(require_inputs(c, 2));
  const Type& x = c.input(0);
  if (!x.shape.ranked()) {
    set_tensor(c, 0, x.dtype, Shape{});
    return {};
  }
  const std::size_t rank = x.shape.span().size();
  const auto axes = TRY(c.ints_attribute("axes"));
  TRY(mark_axes(c, axes, rank, Repeats::kForbidden));
  const std::size_t count = c.has_attribute("axes") ? axes.size() : rank;
  const Value* wanted = integral_value(c, 1);
  if (wanted != nullptr && wanted->ints.size() != count)
    return c.fail(Fault::kValue, fmt::format("{} sizes for {} axes", wanted->ints.size(), count));
  const auto out = c.arena().copy(x.shape.span());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t axis = c.has_attribute("axes") ? TRY(axis_of(c, axes[i], rank)) : i;
    out[axis] = wanted != nullptr ? wanted->ints[i] : Dim();
    if (out[axis].known() && out[axis].value() < 0)
      return c.fail(Fault::kValue, fmt::format("size {} of axis {}", out[axis].value(), axis));
  }
  set_tensor(c, 0, x.dtype, out);
  return {};
}

constexpr Operator kPadRows[] = {
    {.name = "Pad", .since = 1, .infer = infer_pad, .formula = kMoves},
    {.name = "CenterCropPad", .since = 18, .infer = infer_center, .formula = kMoves},
    {.domain = kMicrosoft, .name = "Pad", .infer = infer_pad, .formula = kMoves},
};

}  // namespace

const std::span<const Operator> kPad = kPadRows;

}  // namespace ridge::ops
