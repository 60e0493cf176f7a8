// SPDX-License-Identifier: Apache-2.0
// Softmax, LogSoftmax and Hardmax, counted by their function bodies (opset 13) at every opset.
#include "ops/math/reduce.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// Before opset 13 all axes from `axis` on are merged.
std::int64_t default_axis(const Context& c) { return c.opset() < 13 ? 1 : -1; }

Result<void> infer_softmax(Context& c) {
  TRY(infer_same(c));
  const Shape& x = c.input(0).shape;
  const std::int64_t axis = TRY(c.int_attribute("axis", default_axis(c)));
  // Before opset 13 an axis equal to the rank was allowed, since the input was viewed as 2-D.
  const bool end = c.opset() < 13 && axis == x.rank;
  if (x.ranked() && x.rank > 0 && !end) TRY(axis_of(c, axis, x.span().size()));
  return {};
}

// Number of distributions.
Dim softmax_rows(Context& c) {
  const Shape& x = c.input(0).shape;
  if (!x.ranked()) return {};
  const auto given = c.int_attribute("axis", default_axis(c));
  if (!given.ok()) return {};
  const auto axis = static_cast<std::size_t>(*given < 0 ? *given + x.rank : *given);
  Dim out(1);
  for (std::size_t i = 0; i < x.span().size(); ++i)
    if (c.opset() < 13 ? i < axis : i != axis) out = c.dims().mul(out, x[i]);
  return out;
}

// ReduceMax, Sub, Exp, ReduceSum, Div.
Work work_softmax(Context& c) {
  DimPool& p = c.dims();
  const Dim n = c.elements(c.input(0).shape), once = combining(c, n, softmax_rows(c));
  return {.flops = p.add(n, p.mul(once, Dim(2))), .special = p.mul(n, Dim(2))};
}

// ReduceMax, Sub, Exp, ReduceSum, Log, Sub.
Work work_log_softmax(Context& c) {
  DimPool& p = c.dims();
  const Dim n = c.elements(c.input(0).shape), m = softmax_rows(c), once = combining(c, n, m);
  return {.flops = p.mul(p.add(n, once), Dim(2)), .special = p.add(n, m)};
}

Work work_hardmax(Context& c) {
  return {.flops = combining(c, c.elements(c.input(0).shape), softmax_rows(c))};
}

constexpr Operator kSoftmaxRows[] = {
    {.name = "Softmax",
     .since = 1,
     .infer = infer_softmax,
     .work = work_softmax,
     .formula = "N elements in R rows: 2(N-R) for max and sum, N subtracts; N exp, N divisions"},
    {.name = "LogSoftmax",
     .since = 1,
     .infer = infer_softmax,
     .work = work_log_softmax,
     .formula = "N elements in R rows: 2(N-R) for max and sum, 2N subtracts; N exp, R log"},
    {.name = "Hardmax",
     .since = 1,
     .infer = infer_softmax,
     .work = work_hardmax,
     .formula = "N elements in R rows: N-R compares"},
};

}  // namespace

const std::span<const Operator> kSoftmax = kSoftmaxRows;

}  // namespace ridge::ops
