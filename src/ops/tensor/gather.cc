// SPDX-License-Identifier: Apache-2.0
// Reading at computed positions. Traffic: as many bytes of the data as the output has.
#include <fmt/format.h>

#include "ops/fold.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

Result<void> check_indices(Context& c, Dim size) {
  const Value* indices = integral_value(c, 1);
  if (indices == nullptr || !size.known()) return {};
  for (const Dim& d : indices->ints)
    if (d.known() && (d.value() < -size.value() || d.value() >= size.value()))
      return c.fail(Fault::kValue, fmt::format("index {} is outside [{}, {})", d.value(),
                                               -size.value(), size.value()));
  return {};
}

Result<void> infer_gather(Context& c) {
  TRY(require_inputs(c, 2));
  const Shape &x = c.input(0).shape, &indices = c.input(1).shape;
  if (!x.ranked() || !indices.ranked()) {
    set_tensor(c, 0, c.input(0).dtype, Shape{});
    return {};
  }
  const std::size_t axis = TRY(axis_attribute(c, "axis", 0, x.span().size()));
  TRY(check_indices(c, x[axis]));
  const auto out = new_dims(c, x.span().size() + indices.span().size() - 1);
  std::size_t n = 0;
  for (std::size_t i = 0; i < axis; ++i) out[n++] = x[i];
  for (const Dim& d : indices.span()) out[n++] = d;
  for (std::size_t i = axis + 1; i < x.span().size(); ++i) out[n++] = x[i];
  set_tensor(c, 0, c.input(0).dtype, out);
  return {};
}

// Output k is data[outer, indices[j], inner].
//
// Example: data {1, 2, 3, 4, 5, 6} of shape [2, 3], axis 1, indices {2, 0}: inner = 1 and k = 0..3
// read the flat positions 2, 0, 5, 3, so the output is {3, 1, 6, 4}.
void fold_gather(Context& c) {
  const Value *data = c.value(0), *indices = integral_value(c, 1);
  const std::int64_t n = foldable(c, 0);
  if (data == nullptr || indices == nullptr || n < 1) return;
  for (const Dim& d : indices->ints)
    if (!d.known()) return;
  const auto axis = axis_attribute(c, "axis", 0, data->shape.span().size());
  if (!axis.ok()) return;
  const std::int64_t size = data->shape[*axis].value();
  const std::int64_t inner = c.dims().product(data->shape.span().subspan(*axis + 1)).value();
  const auto count = static_cast<std::int64_t>(indices->ints.size());
  fold_moved(c, 0, *data, [&, k = std::int64_t{0}]() mutable {
    const std::int64_t j = k / inner % count, outer = k / inner / count;
    const std::int64_t given = indices->ints[static_cast<std::size_t>(j)].value();
    const std::int64_t at = given < 0 ? given + size : given;
    const std::int64_t flat = (outer * size + at) * inner + k % inner;
    ++k;
    return static_cast<std::size_t>(flat);
  });
}

Result<void> infer_gather_elements(Context& c) {
  TRY(require_inputs(c, 2));
  const Shape &x = c.input(0).shape, &indices = c.input(1).shape;
  if (x.ranked()) {
    TRY(axis_attribute(c, "axis", 0, x.span().size()));
    TRY(require_rank(c, 1, x.rank));
  }
  set_tensor(c, 0, c.input(0).dtype, indices);
  return {};
}

Result<void> infer_gather_nd(Context& c) {
  TRY(require_inputs(c, 2));
  const Shape &x = c.input(0).shape, &indices = c.input(1).shape;
  const std::int64_t batch = TRY(c.int_attribute("batch_dims", 0));
  if (!x.ranked() || !indices.ranked() || indices.rank == 0 || !indices.span().back().known()) {
    set_tensor(c, 0, c.input(0).dtype, Shape{});
    return {};
  }
  const std::int64_t depth = indices.span().back().value();
  if (batch < 0 || batch >= indices.rank || depth < 1 || depth > x.rank - batch)
    return c.fail(Fault::kAxis,
                  fmt::format("indices of {} address {} axes after {} batch axes, the data {} has "
                              "{}",
                              text(c, indices), depth, batch, text(c, x), x.rank));
  // Example: data [2, 3, 4], indices [5, 2]: five pairs address axes 0 and 1, so the output is [5,
  // 4].
  const auto kept = x.span().subspan(static_cast<std::size_t>(batch + depth));
  const auto out = new_dims(c, indices.span().size() - 1 + kept.size());
  std::size_t n = 0;
  for (std::size_t i = 0; i + 1 < indices.span().size(); ++i) out[n++] = indices[i];
  for (const Dim& d : kept) out[n++] = d;
  set_tensor(c, 0, c.input(0).dtype, out);
  return {};
}

constexpr Operator kGatherRows[] = {
    {.name = "Gather",
     .since = 1,
     .infer = infer_gather,
     .fold = fold_gather,
     .traffic = touches_output,
     .formula = kMovesKept},
    {.name = "GatherElements",
     .since = 11,
     .infer = infer_gather_elements,
     .traffic = touches_output,
     .formula = kMovesKept},
    {.name = "GatherND",
     .since = 11,
     .infer = infer_gather_nd,
     .traffic = touches_output,
     .formula = kMovesKept},
    {.domain = kMicrosoft,
     .name = "GatherND",
     .infer = infer_gather_nd,
     .traffic = touches_output,
     .formula = kMovesKept},
};

}  // namespace

const std::span<const Operator> kGather = kGatherRows;

}  // namespace ridge::ops
