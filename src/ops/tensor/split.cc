// SPDX-License-Identifier: Apache-2.0
// Splitting along an axis.
#include <fmt/format.h>

#include <numeric>

#include "ops/fold.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// Sizes of the parts: as given, else equal; since opset 18 the last may be smaller.
Result<std::span<const Dim>> parts(Context& c, Dim whole) {
  const std::size_t n = c.output_count();
  const auto out = new_dims(c, n);
  std::optional<std::span<const std::int64_t>> given;
  if (c.opset() < 13) {
    if (c.has_attribute("split")) given = TRY(c.ints_attribute("split"));
  } else if (c.has_input(1)) {
    given = known_integers(c, 1);
    if (!given) return std::span<const Dim>(out);
  }
  if (given) {
    std::int64_t total = 0;
    for (const std::int64_t size : *given) {
      const auto next = size < 0 ? std::nullopt : checked_add(total, size);
      if (!next) return c.fail(Fault::kDivision, fmt::format("invalid part size {}", size));
      total = *next;
    }
    if (given->size() != n)
      return c.fail(Fault::kDivision, fmt::format("{} parts for {} outputs", given->size(), n));
    if (whole.known() && total != whole.value())
      return c.fail(Fault::kDivision,
                    fmt::format("the parts add up to {}, the axis has {}", total, whole.value()));
    for (std::size_t i = 0; i < n; ++i) out[i] = Dim((*given)[i]);
    return std::span<const Dim>(out);
  }
  const Dim count(static_cast<std::int64_t>(n));
  const Dim each = c.dims().ceil_div(whole, count);
  const Dim last = c.dims().sub(whole, c.dims().mul(each, Dim(count.value() - 1)));
  if (whole.known() && !last.same(each) && (c.opset() < 18 || last.value() < 0))
    return c.fail(
        Fault::kDivision,
        fmt::format("an axis of {} does not divide into {} equal parts", whole.value(), n),
        "give the sizes of the parts");
  for (std::size_t i = 0; i < n; ++i) out[i] = i + 1 < n ? each : last;
  return std::span<const Dim>(out);
}

Result<void> infer_split(Context& c) {
  TRY(require_inputs(c, 1));
  const Type& x = c.input(0);
  if (!x.shape.ranked()) {
    for (std::size_t i = 0; i < c.output_count(); ++i) set_tensor(c, i, x.dtype, Shape{});
    return {};
  }
  const std::size_t axis = TRY(axis_attribute(c, "axis", 0, x.shape.span().size()));
  const auto sizes = TRY(parts(c, x.shape[axis]));
  for (std::size_t i = 0; i < c.output_count(); ++i) {
    const auto out = c.arena().copy(x.shape.span());
    out[axis] = sizes[i];
    set_tensor(c, i, x.dtype, out);
  }
  return {};
}

void fold_split(Context& c) {
  const Value* v = c.value(0);
  if (v == nullptr) return;
  const auto axis = axis_attribute(c, "axis", 0, v->shape.span().size());
  if (!axis.ok()) return;
  const auto strides = strides_of(c, v->shape);
  std::int64_t start = 0;
  for (std::size_t i = 0; i < c.output_count(); ++i) {
    const Shape& part = c.output(i).shape;
    if (!part.known()) return;
    if (foldable(c, i) > 0) {
      Odometer at(c, part);
      fold_moved(c, i, *v, [&] {
        std::int64_t flat = start * strides[*axis];
        for (std::size_t k = 0; k < strides.size(); ++k) flat += at[k] * strides[k];
        at.next();
        return static_cast<std::size_t>(flat);
      });
    }
    start += part[*axis].value();
  }
}

constexpr Operator kSplitRows[] = {
    {.name = "Split", .since = 1, .infer = infer_split, .fold = fold_split, .formula = kMoves},
};

}  // namespace

const std::span<const Operator> kSplit = kSplitRows;

}  // namespace ridge::ops
