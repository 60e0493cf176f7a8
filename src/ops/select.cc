// Choosing and arranging elements, some as many as the data decides.
#include <fmt/format.h>

#include <algorithm>

#include "ops/fold.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

Result<void> infer_trilu(Context& c) {
  TRY(infer_same(c));
  const Shape& x = c.input(0).shape;
  if (x.ranked() && x.rank < 2)
    return c.fail(Fault::kRank,
                  fmt::format("input 0 has shape {}, it needs at least two axes", text(c, x)));
  return {};
}

// The positions of what is not 0 in a constant vector; false where that is not known.
bool known_positions(Context& c) {
  const Value* v = integral_value(c, 0);
  if (v == nullptr || v->shape.rank != 1) return false;
  const auto out = new_dims(c, v->ints.size());
  std::size_t n = 0;
  for (std::size_t i = 0; i < v->ints.size(); ++i) {
    if (!v->ints[i].known()) return false;
    if (v->ints[i].value() != 0) out[n++] = Dim(static_cast<std::int64_t>(i));
  }
  const Shape shape = c.shape({Dim(1), Dim(static_cast<std::int64_t>(n))});
  set_tensor(c, 0, DataType::kInt64, shape);
  c.set_value(0, {DataType::kInt64, shape, out.first(n), {}});
  return true;
}

// [rank, how many]: only the data knows how many.
Result<void> infer_non_zero(Context& c) {
  TRY(require_inputs(c, 1));
  if (known_positions(c)) return {};
  const Shape& x = c.input(0).shape;
  const Dim rank = x.ranked() ? Dim(std::max(x.rank, 1)) : Dim();
  set_tensor(c, 0, DataType::kInt64, c.shape({rank, Dim()}));
  return {};
}

Result<Dim> top_count(Context& c) {
  if (c.opset() < 10) return Dim(TRY(c.int_attribute("k", -1)));
  TRY(require_inputs(c, 2));
  const Value* v = integral_value(c, 1);
  return v != nullptr && v->ints.size() == 1 ? v->ints[0] : Dim();
}

Result<void> infer_top_k(Context& c) {
  TRY(require_inputs(c, 1));
  const Type& x = c.input(0);
  const Dim k = TRY(top_count(c));
  if (k.known() && k.value() < 0)
    return c.fail(Fault::kValue, fmt::format("k is {}, it must not be negative", k.value()));
  Shape shape;
  if (x.shape.ranked()) {
    const std::size_t axis = TRY(axis_attribute(c, "axis", -1, x.shape.span().size()));
    if (k.known() && x.shape[axis].known() && k.value() > x.shape[axis].value())
      return c.fail(Fault::kValue, fmt::format("k is {}, axis {} of {} has only {}", k.value(),
                                               axis, text(c, x.shape), x.shape[axis].value()));
    const auto out = c.arena().copy(x.shape.span());
    out[axis] = k;
    shape = shape_of(out);
  }
  set_tensor(c, 0, x.dtype, shape);
  set_tensor(c, 1, DataType::kInt64, shape);
  return {};
}

Result<void> infer_one_hot(Context& c) {
  TRY(require_inputs(c, 3));
  const Shape& indices = c.input(0).shape;
  Shape shape;
  if (indices.ranked()) {
    const auto out = new_dims(c, indices.span().size() + 1);
    const std::size_t axis = TRY(axis_attribute(c, "axis", -1, out.size()));
    const auto depth = known_scalar(c, 1);
    const bool usable = depth && *depth >= 0 && *depth < 9e18;
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (i == axis)
        out[i] = usable ? Dim(static_cast<std::int64_t>(*depth)) : Dim();
      else
        out[i] = indices[i < axis ? i : i - 1];
    }
    shape = shape_of(out);
  }
  set_tensor(c, 0, c.input(2).dtype, shape);
  return {};
}

Result<void> infer_compress(Context& c) {
  TRY(require_inputs(c, 2));
  const Type& x = c.input(0);
  if (!c.has_attribute("axis")) {
    set_tensor(c, 0, x.dtype, c.shape({Dim()}));
    return {};
  }
  Shape shape;
  if (x.shape.ranked()) {
    const auto out = c.arena().copy(x.shape.span());
    out[TRY(axis_attribute(c, "axis", 0, out.size()))] = Dim();
    shape = shape_of(out);
  }
  set_tensor(c, 0, x.dtype, shape);
  return {};
}

Result<void> infer_unique(Context& c) {
  TRY(require_inputs(c, 1));
  const Type& x = c.input(0);
  Shape shape = c.shape({Dim()});
  if (c.has_attribute("axis") && x.shape.ranked()) {
    const auto out = c.arena().copy(x.shape.span());
    out[TRY(axis_attribute(c, "axis", 0, out.size()))] = Dim();
    shape = shape_of(out);
  } else if (c.has_attribute("axis")) {
    shape = {};
  }
  set_tensor(c, 0, x.dtype, shape);
  for (std::size_t i = 1; i < 4; ++i) set_tensor(c, i, DataType::kInt64, c.shape({Dim()}));
  return {};
}

Result<void> infer_non_max_suppression(Context& c) {
  TRY(require_inputs(c, 2));
  TRY(require_rank(c, 0, 3));
  TRY(require_rank(c, 1, 3));
  set_tensor(c, 0, DataType::kInt64, c.shape({Dim(), Dim(3)}));
  return {};
}

// How many boxes are compared only the data knows.
Work work_data_decides(Context&) { return {.flops = Dim()}; }

Result<void> infer_eye_like(Context& c) {
  TRY(infer_same(c));
  TRY(require_rank(c, 0, 2));
  if (c.has_attribute("dtype"))
    set_tensor(c, 0, static_cast<DataType>(TRY(c.int_attribute("dtype", 1))), c.input(0).shape);
  return {};
}

constexpr std::string_view kMoves = "moves data: no work";

constexpr Operator kRows[] = {
    {.name = "Trilu", .since = 14, .infer = infer_trilu, .formula = kMoves},
    {.name = "ReverseSequence", .since = 10, .infer = infer_same, .formula = kMoves},
    {.name = "NonZero",
     .since = 9,
     .infer = infer_non_zero,
     .work = per_input<Cost{.flops = 1}>,
     .formula = "1 compare per input element"},
    {.name = "TopK",
     .since = 1,
     .infer = infer_top_k,
     .work = per_input<Cost{.flops = 1}>,
     .formula = "1 compare per input element, the least that any selection needs"},
    {.name = "OneHot", .since = 9, .infer = infer_one_hot, .formula = kMoves},
    {.name = "Compress",
     .since = 9,
     .infer = infer_compress,
     .traffic = touches_output,
     .formula = "moves data: no work; reads what it keeps"},
    {.name = "Unique",
     .since = 11,
     .infer = infer_unique,
     .work = per_input<Cost{.flops = 1}>,
     .formula = "1 compare per input element, the least that finding duplicates needs"},
    {.name = "NonMaxSuppression",
     .since = 10,
     .infer = infer_non_max_suppression,
     .work = work_data_decides,
     .formula = "the data decides: not known"},
    {.name = "EyeLike", .since = 9, .infer = infer_eye_like, .formula = "fills data: no work"},
};

}  // namespace

const std::span<const Operator> kSelect = kRows;

}  // namespace ridge::ops
