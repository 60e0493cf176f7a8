// SPDX-License-Identifier: Apache-2.0
// Reductions over axes, cumulative sums and arg-extremes.
#include "ops/math/reduce.h"

#include <algorithm>

#include "ops/fold.h"
#include "ops/tables.h"

namespace ridge::ops {

Dim combining(Context& c, Dim n, Dim m) {
  const Dim gap = c.dims().sub(n, m);
  return gap.known() ? Dim(std::max<std::int64_t>(gap.value(), 0)) : gap;
}

namespace {

// Flag per axis of input 0; nullopt if the model computes the axes.
Result<std::optional<std::span<const bool>>> reduced_axes(Context& c, std::int32_t input_since) {
  const auto rank = static_cast<std::size_t>(c.input(0).shape.rank);
  const Axes axes = TRY(given_axes(c, 1, input_since));
  if (axes.given && !axes.known) return std::optional<std::span<const bool>>();
  auto marks = TRY(mark_axes(c, axes.axes, rank, Repeats::kAllowed));
  if (axes.axes.empty() && TRY(c.int_attribute("noop_with_empty_axes", 0)) == 0) {
    const auto all = c.arena().array<bool>(rank);
    std::fill(all.begin(), all.end(), true);
    marks = all;
  }
  return std::optional(marks);
}

Result<void> infer_from(Context& c, std::int32_t input_since) {
  TRY(require_inputs(c, 1));
  const Type& x = c.input(0);
  const bool keep = TRY(c.int_attribute("keepdims", 1)) != 0;
  if (!x.shape.ranked()) {
    set_tensor(c, 0, x.dtype, Shape{});
    return {};
  }
  const auto marks = TRY(reduced_axes(c, input_since));
  if (!marks) {
    set_tensor(c, 0, x.dtype, keep ? shape_of(new_dims(c, x.shape.span().size())) : Shape{});
    return {};
  }
  const auto out = new_dims(c, x.shape.span().size());
  std::size_t n = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!(*marks)[i])
      out[n++] = x.shape[i];
    else if (keep)
      out[n++] = Dim(1);
  }
  set_tensor(c, 0, x.dtype, out.first(n));
  return {};
}

// The axes are an input since opset 13 for ReduceSum, and since 18 for the others.
Result<void> infer_sum(Context& c) { return infer_from(c, 13); }
Result<void> infer_other(Context& c) { return infer_from(c, 18); }

// Cost per element before combining, and per result after it.
struct Steps {
  Cost before = {}, after = {};
};

template <Steps steps>
Work work_reduce(Context& c) {
  // Example: ReduceL2 of [2, 3] over axis 1 squares 6 elements, adds 6 - 2 = 4 times and takes 2
  // roots.
  const DataType t = c.input(0).dtype;
  const Dim n = c.elements(c.input(0).shape), m = c.elements(c.output(0).shape);
  const Work around = sum(c, elementwise(c, n, steps.before, t), elementwise(c, m, steps.after, t));
  return sum(c, around, elementwise(c, combining(c, n, m), {.flops = 1}, t));
}

// Reduces `in` into `out`: visits the inputs in order and combines each with its output.
//
// Example: shape [2, 3] reduced over axis 1 (marks {no, yes}): kept = {1, 0}, so the element at (i,
// j) goes to output i.
template <typename Element, typename Combine>
void reduce_into(Context& c, std::span<const Element> in, std::span<Element> out,
                 std::span<const bool> marks, Combine combine) {
  const Shape& from = c.input(0).shape;
  const auto kept = c.arena().array<std::int64_t>(marks.size());
  std::int64_t stride = 1;
  for (std::size_t i = marks.size(); i-- > 0;) {
    if (marks[i]) continue;
    kept[i] = stride;
    stride *= from[i].value();
  }
  const auto started = c.arena().array<bool>(out.size());
  Odometer at(c, from);
  for (const Element& x : in) {
    std::int64_t flat = 0;
    for (std::size_t i = 0; i < kept.size(); ++i) flat += kept[i] * at[i];
    const auto k = static_cast<std::size_t>(flat);
    out[k] = started[k] ? combine(out[k], x) : x;
    started[k] = true;
    at.next();
  }
}

template <std::int32_t input_since, IntRule ints, RealRule reals>
void fold_reduce(Context& c) {
  const Value* v = c.value(0);
  const std::int64_t n = foldable(c, 0);
  if (v == nullptr || n < 1) return;
  const auto marks = reduced_axes(c, input_since);
  if (!marks.ok() || !*marks) return;
  if (is_integral(v->dtype) && !v->ints.empty()) {
    const auto out = c.arena().array<Dim>(static_cast<std::size_t>(n));
    reduce_into(c, v->ints, out, **marks, [&](Dim a, Dim b) { return ints(c.dims(), a, b); });
    set_ints(c, 0, out);
  } else if (is_floating(v->dtype) && !v->reals.empty()) {
    const auto out = c.arena().array<double>(static_cast<std::size_t>(n));
    reduce_into(c, v->reals, out, **marks, reals);
    set_reals(c, 0, out);
  }
}

double reduced_sum(double a, double b) { return a + b; }
double multiply(double a, double b) { return a * b; }
double reduced_min(double a, double b) { return std::min(a, b); }
double reduced_max(double a, double b) { return std::max(a, b); }

Result<void> infer_arg(Context& c) {
  TRY(require_inputs(c, 1));
  const Shape& x = c.input(0).shape;
  if (!x.ranked()) {
    set_tensor(c, 0, DataType::kInt64, Shape{});
    return {};
  }
  const std::size_t axis = TRY(axis_attribute(c, "axis", 0, x.span().size()));
  const bool keep = TRY(c.int_attribute("keepdims", 1)) != 0;
  const auto out = new_dims(c, x.span().size());
  std::size_t n = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (i != axis)
      out[n++] = x[i];
    else if (keep)
      out[n++] = Dim(1);
  }
  set_tensor(c, 0, DataType::kInt64, out.first(n));
  return {};
}

Work work_arg(Context& c) {
  const Dim n = combining(c, c.elements(c.input(0).shape), c.elements(c.output(0).shape));
  return elementwise(c, n, {.flops = 1}, c.input(0).dtype);
}

constexpr std::string_view kPlain = "inputs - outputs FLOPs";

constexpr Operator kReduceRows[] = {
    {.name = "ReduceSum",
     .since = 1,
     .infer = infer_sum,
     .work = work_reduce<Steps{}>,
     .fold = fold_reduce<13, fold_add, reduced_sum>,
     .formula = kPlain},
    {.name = "ReduceMax",
     .since = 1,
     .infer = infer_other,
     .work = work_reduce<Steps{}>,
     .fold = fold_reduce<18, fold_max, reduced_max>,
     .formula = kPlain},
    {.name = "ReduceMin",
     .since = 1,
     .infer = infer_other,
     .work = work_reduce<Steps{}>,
     .fold = fold_reduce<18, fold_min, reduced_min>,
     .formula = kPlain},
    {.name = "ReduceProd",
     .since = 1,
     .infer = infer_other,
     .work = work_reduce<Steps{}>,
     .fold = fold_reduce<18, fold_mul, multiply>,
     .formula = kPlain},
    {.name = "ReduceMean",
     .since = 1,
     .infer = infer_other,
     .work = work_reduce<Steps{.after = {.special = 1}}>,
     .formula = "inputs - outputs adds, 1 division per output element"},
    {.name = "ReduceL1",
     .since = 1,
     .infer = infer_other,
     .work = work_reduce<Steps{.before = {.flops = 1}}>,
     .formula = "abs per input, inputs - outputs adds"},
    {.name = "ReduceSumSquare",
     .since = 1,
     .infer = infer_other,
     .work = work_reduce<Steps{.before = {.flops = 1}}>,
     .formula = "multiply per input, inputs - outputs adds"},
    {.name = "ReduceL2",
     .since = 1,
     .infer = infer_other,
     .work = work_reduce<Steps{.before = {.flops = 1}, .after = {.special = 1}}>,
     .formula = "multiply per input, inputs - outputs adds, sqrt per output"},
    {.name = "ReduceLogSum",
     .since = 1,
     .infer = infer_other,
     .work = work_reduce<Steps{.after = {.special = 1}}>,
     .formula = "inputs - outputs adds, log per output"},
    {.name = "ReduceLogSumExp",
     .since = 1,
     .infer = infer_other,
     .work = work_reduce<Steps{.before = {.special = 1}, .after = {.special = 1}}>,
     .formula = "exp per input, inputs - outputs adds, log per output"},
    {.name = "ArgMax",
     .since = 1,
     .infer = infer_arg,
     .work = work_arg,
     .formula = "inputs - outputs compares"},
    {.name = "ArgMin",
     .since = 1,
     .infer = infer_arg,
     .work = work_arg,
     .formula = "inputs - outputs compares"},
    {.name = "CumSum",
     .since = 11,
     .infer = infer_same,
     .work = per_output<Cost{.flops = 1}>,
     .formula = "1 add per element"},
    {.name = "CumProd",
     .since = 26,
     .infer = infer_same,
     .work = per_output<Cost{.flops = 1}>,
     .formula = "1 multiply per element"},
};

}  // namespace

const std::span<const Operator> kReduce = kReduceRows;

}  // namespace ridge::ops
