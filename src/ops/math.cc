// Element-wise functions of one input.
#include <cmath>

#include "ops/fold.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

Result<void> infer_flags(Context& c) {
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
// Halves go to the even neighbour, as ONNX says; the rounding mode is never changed.
double round(double x) { return std::nearbyint(x); }
double sqrt(double x) { return std::sqrt(x); }
double reciprocal(double x) { return 1 / x; }
double exp(double x) { return std::exp(x); }
double log(double x) { return std::log(x); }

using Fold = void (*)(Context&);

constexpr Operator flop(std::string_view name, std::int32_t since, Fold fold) {
  return {.name = name,
          .since = since,
          .infer = infer_same,
          .work = per_output<Cost{.flops = 1}>,
          .fold = fold,
          .formula = "1 FLOP per element"};
}
constexpr Operator special(std::string_view name, std::int32_t since, Fold fold = nullptr) {
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
          .infer = infer_flags,
          .work = per_output<Cost{.flops = 1}>,
          .formula = "1 FLOP per element"};
}

constexpr Operator kRows[] = {
    flop("Abs", 6, fold_unary<magnitude, magnitude>),
    flop("Neg", 6, fold_unary<negate, negate>),
    flop("Sign", 9, fold_unary<sign, sign>),
    flop("Floor", 6, fold_unary<nullptr, floor>),
    flop("Ceil", 6, fold_unary<nullptr, ceil>),
    flop("Round", 11, fold_unary<nullptr, round>),
    special("Sqrt", 6, fold_unary<nullptr, sqrt>),
    special("Reciprocal", 6, fold_unary<nullptr, reciprocal>),
    special("Exp", 6, fold_unary<nullptr, exp>),
    special("Log", 6, fold_unary<nullptr, log>),
    special("Sin", 7),
    special("Cos", 7),
    special("Tan", 7),
    special("Asin", 7),
    special("Acos", 7),
    special("Atan", 7),
    special("Sinh", 9),
    special("Cosh", 9),
    special("Tanh", 6),
    special("Asinh", 9),
    special("Acosh", 9),
    special("Atanh", 9),
    special("Erf", 9),
    special("Sigmoid", 6),
    test("IsNaN", 9),
    test("IsInf", 10),
};

}  // namespace

const std::span<const Operator> kMath = kRows;

}  // namespace ridge::ops
