// SPDX-License-Identifier: Apache-2.0
// Writes at computed positions into a copy of the data.
#include <fmt/format.h>

#include "ops/fold.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

Result<void> infer_scatter_nd(Context& c) {
  TRY(require_inputs(c, 3));
  const Shape &x = c.input(0).shape, &indices = c.input(1).shape, &updates = c.input(2).shape;
  TRY(infer_same(c));
  if (!x.ranked() || !indices.ranked() || indices.rank == 0 || !indices.span().back().known())
    return {};
  const std::int64_t depth = indices.span().back().value();
  if (depth < 0 || depth > x.rank)
    return c.fail(Fault::kAxis, fmt::format("indices of {} address {} axes, the data {} has {}",
                                            text(c, indices), depth, text(c, x), x.rank));
  // Example: data [8, 3], indices [4, 1]: four rows are replaced, so the updates are [4, 3].
  const auto kept = x.span().subspan(static_cast<std::size_t>(depth));
  const std::size_t outer = indices.span().size() - 1;
  TRY(require_rank(c, 2, static_cast<std::int32_t>(outer + kept.size())));
  for (std::size_t i = 0; updates.ranked() && i < updates.span().size(); ++i)
    TRY(require_same(c, updates[i], i < outer ? indices[i] : kept[i - outer],
                     fmt::format("axis {} of the updates", i)));
  return {};
}

Result<void> infer_scatter_elements(Context& c) {
  TRY(require_inputs(c, 3));
  const Shape& x = c.input(0).shape;
  if (x.ranked()) {
    TRY(axis_attribute(c, "axis", 0, x.span().size()));
    TRY(require_rank(c, 1, x.rank));
    TRY(require_rank(c, 2, x.rank));
  }
  return infer_same(c);
}

// A cache, and an update that is written into it along `axis`.
Result<void> infer_tensor(Context& c) {
  TRY(require_inputs(c, 2));
  const Shape &x = c.input(0).shape, &update = c.input(1).shape;
  if (x.ranked()) {
    const std::size_t axis = TRY(axis_attribute(c, "axis", -2, x.span().size()));
    if (axis == 0) return c.fail(Fault::kAxis, "attribute 'axis' names axis 0, which is the batch");
    TRY(require_rank(c, 1, x.rank));
    for (std::size_t i = 0; i < update.span().size(); ++i)
      if (i != axis) TRY(require_same(c, update[i], x[i], fmt::format("axis {} of the update", i)));
  }
  return infer_same(c);
}

bool combines(const Context& c) {
  const auto how = c.string_attribute("reduction", "none");
  return how.ok() && *how != "none";
}

// With a reduction, each update is combined with the existing element.
Work work_scatter(Context& c) {
  if (!combines(c)) return {};
  return elementwise(c, c.elements(c.input(2).shape), {.flops = 1}, c.input(0).dtype);
}

// Flat output position addressed by row `row` of the indices; nullopt if unknown.
std::optional<std::int64_t> scatter_target(const Value& indices, std::size_t row, std::size_t depth,
                                           const Shape& x, std::span<const std::int64_t> strides) {
  std::int64_t flat = 0;
  for (std::size_t k = 0; k < depth; ++k) {
    const Dim d = indices.ints[row * depth + k];
    if (!d.known()) return std::nullopt;
    const std::int64_t size = x[k].value();
    const std::int64_t at = d.value() < 0 ? d.value() + size : d.value();
    if (at < 0 || at >= size) return std::nullopt;
    flat += at * strides[k];
  }
  return flat;
}

template <typename Element>
bool overwrite(Context& c, std::span<Element> out, std::span<const Element> updates) {
  const Value& indices = *c.value(1);
  const Shape& x = c.output(0).shape;
  const auto strides = strides_of(c, x);
  const auto depth = static_cast<std::size_t>(indices.shape.span().back().value());
  if (depth == 0) return false;
  const std::size_t rows = indices.ints.size() / depth;
  const std::size_t length = rows == 0 ? 0 : updates.size() / rows;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto at = scatter_target(indices, row, depth, x, strides);
    if (!at || static_cast<std::size_t>(*at) + length > out.size()) return false;
    for (std::size_t i = 0; i < length; ++i)
      out[static_cast<std::size_t>(*at) + i] = updates[row * length + i];
  }
  return true;
}

void fold_nd(Context& c) {
  const Value *x = c.value(0), *indices = integral_value(c, 1), *updates = c.value(2);
  if (x == nullptr || indices == nullptr || updates == nullptr || combines(c)) return;
  if (foldable(c, 0) < 0 || x->dtype != updates->dtype || indices->shape.rank < 1) return;
  if (is_integral(x->dtype)) {
    const auto out = c.arena().copy(x->ints);
    if (overwrite(c, out, updates->ints)) set_ints(c, 0, out);
  } else if (is_floating(x->dtype)) {
    const auto out = c.arena().copy(x->reals);
    if (overwrite(c, out, updates->reals)) set_reals(c, 0, out);
  }
}

constexpr std::string_view kScatterFormula = "moves data; with a reduction 1 FLOP per update";

constexpr Operator kScatterRows[] = {
    {.name = "ScatterND",
     .since = 11,
     .infer = infer_scatter_nd,
     .work = work_scatter,
     .fold = fold_nd,
     .formula = kScatterFormula},
    {.name = "ScatterElements",
     .since = 11,
     .infer = infer_scatter_elements,
     .work = work_scatter,
     .formula = kScatterFormula},
    {.name = "TensorScatter", .since = 24, .infer = infer_tensor, .formula = kMoves},
    {.name = "Scatter", .since = 9, .infer = infer_scatter_elements, .formula = kScatterFormula},
};

}  // namespace

const std::span<const Operator> kScatter = kScatterRows;

}  // namespace ridge::ops
