// SPDX-License-Identifier: Apache-2.0
// Permutations of elements.
#include <fmt/format.h>

#include "ops/fold.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// perm[i] is the input axis that becomes output axis i; by default the axes are reversed.
Result<std::span<const std::int64_t>> permutation(Context& c, std::size_t rank) {
  const auto given = TRY(c.ints_attribute("perm"));
  if (!c.has_attribute("perm")) {
    const auto reversed = c.arena().array<std::int64_t>(rank);
    for (std::size_t i = 0; i < rank; ++i) reversed[i] = static_cast<std::int64_t>(rank - 1 - i);
    return std::span<const std::int64_t>(reversed);
  }
  if (given.size() != rank)
    return c.fail(Fault::kAxis, fmt::format("attribute 'perm' has {} axes, the input {} has {}",
                                            given.size(), text(c, c.input(0).shape), rank));
  for (const std::int64_t axis : given)
    if (axis < 0) return c.fail(Fault::kAxis, fmt::format("attribute 'perm' holds {}", axis));
  TRY(mark_axes(c, given, rank, Repeats::kForbidden));
  return given;
}

Result<void> infer_transpose(Context& c) {
  TRY(require_inputs(c, 1));
  const Shape& x = c.input(0).shape;
  if (!x.ranked()) return infer_same(c);
  const auto perm = TRY(permutation(c, x.span().size()));
  const auto out = new_dims(c, perm.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = x[static_cast<std::size_t>(perm[i])];
  set_tensor(c, 0, c.input(0).dtype, out);
  return {};
}

void fold_transpose(Context& c) {
  const Value* v = c.value(0);
  if (v == nullptr || foldable(c, 0) < 0) return;
  const auto perm = permutation(c, v->shape.span().size());
  if (!perm.ok()) return;
  const auto strides = strides_of(c, v->shape);
  Odometer at(c, c.output(0).shape);
  fold_moved(c, 0, *v, [&] {
    std::int64_t flat = 0;
    for (std::size_t i = 0; i < perm->size(); ++i)
      flat += at[i] * strides[static_cast<std::size_t>((*perm)[i])];
    at.next();
    return static_cast<std::size_t>(flat);
  });
}

// [N, C, H, W] with blocks of b x b: DepthToSpace moves channels to positions, SpaceToDepth back.
Result<void> infer_blocks(Context& c, bool to_space) {
  TRY(require_inputs(c, 1));
  TRY(require_rank(c, 0, 4));
  const Shape& x = c.input(0).shape;
  const std::int64_t b = TRY(c.int_attribute("blocksize", 0));
  if (b < 1 || b > 32768)
    return c.fail(Fault::kAttribute, fmt::format("attribute 'blocksize' is {}, it must be in "
                                                 "[1, 32768]",
                                                 b));
  if (!x.ranked()) return infer_same(c);
  DimPool& p = c.dims();
  const Dim side(b), square(b * b);
  const auto out = new_dims(c, 4);
  for (std::size_t i = 0; i < 4; ++i) {
    const Dim unit = i == 1 ? square : side;
    const bool divides = i > 0 && (i == 1) == to_space;
    if (divides && x[i].known() && x[i].value() % unit.value() != 0)
      return c.fail(Fault::kDivision, fmt::format("axis {} of {} does not divide by {}", i,
                                                  text(c, x), unit.value()));
    out[i] = i == 0 ? x[0] : divides ? p.floor_div(x[i], unit) : p.mul(x[i], unit);
  }
  set_tensor(c, 0, c.input(0).dtype, out);
  return {};
}
Result<void> infer_depth_to_space(Context& c) { return infer_blocks(c, true); }
Result<void> infer_space_to_depth(Context& c) { return infer_blocks(c, false); }

constexpr Operator kTransposeRows[] = {
    {.name = "Transpose",
     .since = 1,
     .infer = infer_transpose,
     .fold = fold_transpose,
     .formula = kMoves},
    {.name = "DepthToSpace", .since = 1, .infer = infer_depth_to_space, .formula = kMoves},
    {.name = "SpaceToDepth", .since = 1, .infer = infer_space_to_depth, .formula = kMoves},
};

}  // namespace

const std::span<const Operator> kTranspose = kTransposeRows;

}  // namespace ridge::ops
