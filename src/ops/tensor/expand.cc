// SPDX-License-Identifier: Apache-2.0
// Repetition of elements: Expand and Tile.
#include <fmt/format.h>

#include <algorithm>

#include "ops/fold.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// Elements of the list in input 1: its constant value, else unknowns if its length is known, else
// nullopt.
std::optional<std::span<const Dim>> list(Context& c) {
  if (const Value* v = integral_value(c, 1); v != nullptr) return v->ints;
  const Shape& s = c.input(1).shape;
  const bool short_list = s.ranked() && s.rank == 1 && s[0].known() && s[0].value() <= kMaxFolded;
  if (!short_list) return std::nullopt;
  return new_dims(c, static_cast<std::size_t>(s[0].value()));
}

Result<void> infer_expand(Context& c) {
  TRY(require_inputs(c, 2));
  TRY(require_rank(c, 1, 1));
  const auto target = list(c);
  if (target)
    for (const Dim& d : *target)
      if (d.known() && d.value() < 0)
        return c.fail(Fault::kValue, fmt::format("the target shape {} holds {}, sizes are not "
                                                 "negative",
                                                 text(c, shape_of(*target)), d.value()));
  const Shape out = target ? TRY(broadcast(c, c.input(0).shape, shape_of(*target))) : Shape{};
  set_tensor(c, 0, c.input(0).dtype, out);
  return {};
}

void fold_expand(Context& c) {
  const Value* v = c.value(0);
  if (v == nullptr || foldable(c, 0) < 0) return;
  const auto at = broadcast_index(c, v->shape, c.output(0).shape);
  fold_moved(c, 0, *v, [&, k = std::size_t{0}]() mutable { return std::size_t{at[k++]}; });
}

Result<void> infer_tile(Context& c) {
  TRY(require_inputs(c, 2));
  const Type& x = c.input(0);
  if (!x.shape.ranked()) {
    set_tensor(c, 0, x.dtype, Shape{});
    return {};
  }
  const auto out = new_dims(c, x.shape.span().size());
  if (const auto repeats = list(c)) {
    if (repeats->size() != out.size())
      return c.fail(Fault::kValue, fmt::format("{} repeats for the input {} of rank {}",
                                               repeats->size(), text(c, x.shape), out.size()));
    for (std::size_t i = 0; i < out.size(); ++i) {
      const Dim n = (*repeats)[i];
      if (n.known() && n.value() < 0)
        return c.fail(Fault::kValue, fmt::format("axis {} is repeated {} times", i, n.value()));
      out[i] = c.dims().mul(x.shape[i], n);
    }
  }
  set_tensor(c, 0, x.dtype, out);
  return {};
}

void fold_tile(Context& c) {
  const Value* v = c.value(0);
  if (v == nullptr || foldable(c, 0) < 1) return;
  const auto strides = strides_of(c, v->shape);
  Odometer at(c, c.output(0).shape);
  fold_moved(c, 0, *v, [&] {
    std::int64_t flat = 0;
    for (std::size_t i = 0; i < strides.size(); ++i)
      flat += at[i] % v->shape[i].value() * strides[i];
    at.next();
    return static_cast<std::size_t>(flat);
  });
}

// Opset 1: number of repeats and axis, one number each.
Result<void> infer_tile_axis(Context& c) {
  TRY(require_inputs(c, 3));
  const Type& x = c.input(0);
  const Dim times = scalar_input(c, 1), axis = scalar_input(c, 2);
  Shape shape = x.shape;
  if (x.shape.ranked()) {
    const auto out = c.arena().copy(x.shape.span());
    if (axis.known()) {
      Dim& size = out[TRY(axis_of(c, axis.value(), out.size()))];
      size = c.dims().mul(size, times);
    } else {
      std::fill(out.begin(), out.end(), Dim());
    }
    shape = shape_of(out);
  }
  set_tensor(c, 0, x.dtype, shape);
  return {};
}

constexpr Operator kExpandRows[] = {
    {.name = "Expand", .since = 8, .infer = infer_expand, .fold = fold_expand, .formula = kMoves},
    {.name = "Tile", .since = 1, .infer = infer_tile_axis, .formula = kMoves},
    {.name = "Tile", .since = 6, .infer = infer_tile, .fold = fold_tile, .formula = kMoves},
};

}  // namespace

const std::span<const Operator> kExpand = kExpandRows;

}  // namespace ridge::ops
