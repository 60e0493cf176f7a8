// SPDX-License-Identifier: Apache-2.0
// Element-wise functions of one input, and the determinant.
#include <fmt/format.h>

#include <cmath>

#include "ops/fold.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

Result<void> infer_unary_flags(Context& c) {
  TRY(require_inputs(c, 1));
  set_tensor(c, 0, DataType::kBool, c.input(0).shape);
  return {};
}

Dim negate(DimPool& p, Dim a) { return fold_sub(p, Dim(0), a); }
Dim magnitude(DimPool& p, Dim a) {
  if (p.nonnegative(a)) return a;
  return a.known() ? negate(p, a) : Dim();
}
Dim sign(DimPool&, Dim a) { return a.known() ? Dim((a.value() > 0) - (a.value() < 0)) : Dim(); }

double negate(double x) { return -x; }
double magnitude(double x) { return std::fabs(x); }
double sign(double x) { return (x > 0) - (x < 0); }
double floor(double x) { return std::floor(x); }
double ceil(double x) { return std::ceil(x); }
// Halves are rounded to even, as ONNX requires; the rounding mode is never changed.
double round(double x) { return std::nearbyint(x); }
double sqrt(double x) { return std::sqrt(x); }
double reciprocal(double x) { return 1 / x; }
double exp(double x) { return std::exp(x); }
double log(double x) { return std::log(x); }

using Fold = void (*)(Context&);

constexpr Operator unary_flop(std::string_view name, std::int32_t since, Fold fold) {
  return {.name = name,
          .since = since,
          .infer = infer_same,
          .work = per_output<Cost{.flops = 1}>,
          .fold = fold,
          .formula = "1 FLOP per element"};
}
constexpr Operator unary_special(std::string_view name, std::int32_t since, Fold fold = nullptr) {
  return {.name = name,
          .since = since,
          .infer = infer_same,
          .work = per_output<Cost{.special = 1}>,
          .fold = fold,
          .formula = "1 special operation per element"};
}
constexpr Operator test(std::string_view name, std::int32_t since) {
  return {.name = name,
          .since = since,
          .infer = infer_unary_flags,
          .work = per_output<Cost{.flops = 1}>,
          .formula = "1 FLOP per element"};
}

Result<void> infer_det(Context& c) {
  TRY(require_inputs(c, 1));
  const Shape& x = c.input(0).shape;
  if (!x.ranked()) {
    set_tensor(c, 0, c.input(0).dtype, Shape{});
    return {};
  }
  const std::size_t rank = x.span().size();
  if (rank < 2)
    return c.fail(Fault::kRank,
                  fmt::format("input 0 has shape {}, it needs at least two axes", text(c, x)));
  TRY(require_same(c, x[rank - 2], x[rank - 1], "rows and columns of the matrix"));
  set_tensor(c, 0, c.input(0).dtype, x.span().first(rank - 2));
  return {};
}

// Gaussian elimination of n x n: (n-1)n(2n-1)/6 times a multiply and a subtract, n(n-1)/2
// divisions; then the product of the diagonal.
Work work_det(Context& c) {
  const Shape& x = c.input(0).shape;
  if (x.rank < 2) return {.flops = Dim(), .special = Dim()};
  DimPool& p = c.dims();
  const Dim n = x.span().back(), less = p.sub(n, Dim(1)), pairs = p.mul(n, less);
  const Dim steps = p.floor_div(p.mul(pairs, p.sub(p.mul(n, Dim(2)), Dim(1))), Dim(3));
  const Dim matrices = c.elements(c.output(0).shape);
  return {.flops = p.mul(matrices, p.add(steps, p.max(less, Dim(0)))),
          .special = p.mul(matrices, p.floor_div(pairs, Dim(2)))};
}

constexpr Operator kMathRows[] = {
    {.name = "Det",
     .since = 11,
     .infer = infer_det,
     .work = work_det,
     .formula = "elimination of n x n: n(n-1)(2n-1)/3 + n-1 FLOPs, n(n-1)/2 divisions"},
    unary_flop("Abs", 1, fold_unary<magnitude, magnitude>),
    unary_flop("Neg", 1, fold_unary<negate, negate>),
    unary_flop("Sign", 9, fold_unary<sign, sign>),
    unary_flop("Floor", 1, fold_unary<nullptr, floor>),
    unary_flop("Ceil", 1, fold_unary<nullptr, ceil>),
    unary_flop("Round", 11, fold_unary<nullptr, round>),
    unary_special("Sqrt", 1, fold_unary<nullptr, sqrt>),
    unary_special("Reciprocal", 1, fold_unary<nullptr, reciprocal>),
    unary_special("Exp", 1, fold_unary<nullptr, exp>),
    unary_special("Log", 1, fold_unary<nullptr, log>),
    unary_special("Sin", 7),
    unary_special("Cos", 7),
    unary_special("Tan", 7),
    unary_special("Asin", 7),
    unary_special("Acos", 7),
    unary_special("Atan", 7),
    unary_special("Sinh", 9),
    unary_special("Cosh", 9),
    unary_special("Tanh", 1),
    unary_special("Asinh", 9),
    unary_special("Acosh", 9),
    unary_special("Atanh", 9),
    unary_special("Erf", 9),
    unary_special("Sigmoid", 1),
    test("IsNaN", 9),
    test("IsInf", 10),
};

}  // namespace

const std::span<const Operator> kMath = kMathRows;

}  // namespace ridge::ops
