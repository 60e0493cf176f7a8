// SPDX-License-Identifier: Apache-2.0
// Slices.
#include <fmt/format.h>

#include <algorithm>

#include "ops/fold.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// Exporters write "to the end" as one of several huge numbers.
constexpr std::int64_t kHuge = INT32_MAX;

// Slice of one axis: output element i is input element first + i * step.
struct Cut {
  Dim first, step, size;
  bool cut = false;  ///< the slice names this axis
};

// Normalizes a bound to [0, size]; unknown if its sign is unknown.
Dim clipped(DimPool& p, Dim bound, Dim size) {
  if (bound.known() && bound.value() >= kHuge) return size;
  if (bound.known() && bound.value() < 0)
    return bound.value() <= -kHuge ? Dim(0) : p.max(p.add(size, bound), Dim(0));
  return p.nonnegative(bound) ? p.min(bound, size) : Dim();
}

// Normalizes a bound for a negative step, to [-1, size - 1].
//
// Example: axis of size 5, start -1, end -6, step -2: the start is 4, the end -1 (before the
// front), so the slice has ceil((4 - -1) / 2) = 3 elements: 4, 2, 0.
Dim clipped_down(Dim bound, std::int64_t size) {
  if (!bound.known()) return {};
  const std::int64_t b =
      bound.value() < 0 ? std::max(bound.value(), -kHuge - size) + size : bound.value();
  return Dim(std::clamp<std::int64_t>(b, -1, size - 1));
}

Result<Cut> cut_axis(Context& c, Dim size, Dim start, Dim end, Dim step) {
  DimPool& p = c.dims();
  if (step.is(0)) return c.fail(Fault::kValue, "a step is 0, it must be positive or negative");
  Cut out{{}, step, {}, true};
  if (!step.known()) return out;
  if (step.value() > 0) {
    out.first = clipped(p, start, size);
    const Dim length = p.sub(clipped(p, end, size), out.first);
    out.size = p.max(p.ceil_div(length, step), Dim(0));
  } else if (size.known()) {
    // A start before the front of the axis is clamped to it (as in numpy, and ONNX's clamp to [0,
    // size-1]).
    out.first = clipped_down(start, size.value());
    const Dim last = clipped_down(end, size.value());
    const Dim down = step.value() == INT64_MIN ? Dim(INT64_MAX) : Dim(-step.value());
    out.size = p.max(p.ceil_div(p.sub(out.first, last), down), Dim(0));
  }
  return out;
}

// Lists that define the slice: attributes before opset 10, inputs 1 to 4 since.
struct Lists {
  std::optional<std::span<const Dim>> starts, ends, axes, steps;
  bool has_axes = false, has_steps = false;
};

std::optional<std::span<const Dim>> constant_list(Context& c, std::size_t input) {
  const Value* v = integral_value(c, input);
  return v == nullptr ? std::nullopt : std::optional(v->ints);
}

Result<Lists> read_lists(Context& c) {
  if (c.opset() >= 10) {
    TRY(require_inputs(c, 3));
    return Lists{constant_list(c, 1), constant_list(c, 2), constant_list(c, 3),
                 constant_list(c, 4), c.has_input(3),      c.has_input(4)};
  }
  const auto dims = [&](std::span<const std::int64_t> list) {
    const auto out = new_dims(c, list.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = Dim(list[i]);
    return std::span<const Dim>(out);
  };
  const auto starts = TRY(c.ints_attribute("starts")), ends = TRY(c.ints_attribute("ends"));
  const auto axes = TRY(c.ints_attribute("axes"));
  return Lists{dims(starts), dims(ends), dims(axes), {}, c.has_attribute("axes"), false};
}

// Cut per axis of input 0; nullopt if the model computes the axes.
Result<std::optional<std::span<const Cut>>> cuts(Context& c) {
  const Shape& x = c.input(0).shape;
  const Lists lists = TRY(read_lists(c));
  if (lists.has_axes && !lists.axes) return std::optional<std::span<const Cut>>();
  const auto out = c.arena().array<Cut>(x.span().size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = {Dim(0), Dim(1), x[i]};
  const std::size_t n = lists.has_axes ? lists.axes->size()
                        : lists.starts ? lists.starts->size()
                                       : out.size();
  for (const auto* list : {&lists.starts, &lists.ends, &lists.steps})
    if (*list && (*list)->size() != n)
      return c.fail(Fault::kValue,
                    fmt::format("{} starts, ends or steps for {} axes", (*list)->size(), n));
  if (n > out.size())
    return c.fail(Fault::kAxis, fmt::format("{} axes are sliced, but the input {} has {}", n,
                                            text(c, x), out.size()));
  for (std::size_t i = 0; i < n; ++i) {
    if (lists.has_axes && !(*lists.axes)[i].known()) return std::optional<std::span<const Cut>>();
    const std::size_t axis =
        lists.has_axes ? TRY(axis_of(c, (*lists.axes)[i].value(), out.size())) : i;
    if (out[axis].cut) return c.fail(Fault::kAxis, fmt::format("axis {} is repeated", axis));
    const Dim step = !lists.has_steps ? Dim(1) : lists.steps ? (*lists.steps)[i] : Dim();
    out[axis] = TRY(cut_axis(c, x[axis], lists.starts ? (*lists.starts)[i] : Dim(),
                             lists.ends ? (*lists.ends)[i] : Dim(), step));
  }
  return std::optional<std::span<const Cut>>(out);
}

Result<void> infer_slice(Context& c) {
  TRY(require_inputs(c, 1));
  const Type& x = c.input(0);
  if (!x.shape.ranked()) {
    set_tensor(c, 0, x.dtype, Shape{});
    return {};
  }
  const auto all = TRY(cuts(c));
  const auto out = new_dims(c, x.shape.span().size());
  for (std::size_t i = 0; all && i < out.size(); ++i) out[i] = (*all)[i].size;
  set_tensor(c, 0, x.dtype, out);
  return {};
}

void fold_slice(Context& c) {
  const Value* v = c.value(0);
  if (v == nullptr || foldable(c, 0) < 0) return;
  const auto all = cuts(c);
  if (!all.ok() || !*all) return;
  for (const Cut& cut : **all)
    if (!cut.first.known() || !cut.step.known()) return;
  const auto strides = strides_of(c, v->shape);
  Odometer at(c, c.output(0).shape);
  fold_moved(c, 0, *v, [&] {
    std::int64_t flat = 0;
    for (std::size_t i = 0; i < strides.size(); ++i) {
      const Cut& cut = (**all)[i];
      flat += (cut.first.value() + at[i] * cut.step.value()) * strides[i];
    }
    at.next();
    return static_cast<std::size_t>(flat);
  });
}

constexpr Operator kSliceRows[] = {
    {.name = "Slice",
     .since = 1,
     .infer = infer_slice,
     .fold = fold_slice,
     .traffic = touches_output,
     .formula = kMovesKept},
};

}  // namespace

const std::span<const Operator> kSlice = kSliceRows;

}  // namespace ridge::ops
