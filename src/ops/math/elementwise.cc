// SPDX-License-Identifier: Apache-2.0
// Element-wise arithmetic, comparison and logic with broadcasting. On integer types, all operations
// count as integer operations.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ops/fold.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

double add(double a, double b) { return a + b; }
double sub(double a, double b) { return a - b; }
double mul(double a, double b) { return a * b; }
double div(double a, double b) { return a / b; }
double power(double a, double b) { return std::pow(a, b); }
double least(double a, double b) { return std::min(a, b); }
double greatest(double a, double b) { return std::max(a, b); }

// Before opset 7 the second input broadcasts to the first, at the axes given by an attribute.
Result<void> infer_two(Context& c) {
  TRY(require_inputs(c, 2));
  if (c.opset() >= 7) return infer_broadcast(c, 0);
  const Shape &a = c.input(0).shape, &b = c.input(1).shape;
  const std::int64_t axis = TRY(c.int_attribute("axis", 0));
  if (!a.ranked() || !b.ranked()) return infer_same(c);
  if (b.rank > a.rank)
    return c.fail(Fault::kBroadcast,
                  fmt::format("shape {} does not broadcast to {}", text(c, b), text(c, a)));
  // Example: [2, 3, 4] and [3] with axis = 1: the second covers axis 1 of the first. Without the
  // attribute it would cover the last axis, and 3 would not fit 4.
  const std::int64_t from = c.has_attribute("axis") && axis >= 0 ? axis : a.rank - b.rank;
  for (std::int64_t i = 0; i < b.rank; ++i) {
    const Dim d = b[static_cast<std::size_t>(i)];
    if (from + i >= a.rank)
      return c.fail(Fault::kAxis,
                    fmt::format("axis {} of {} for {}", axis, text(c, a), text(c, b)));
    if (!d.is(1))
      TRY(require_same(c, a[static_cast<std::size_t>(from + i)], d,
                       fmt::format("axis {} of the second input and its axis of the first", i)));
  }
  return infer_same(c);
}

Result<void> infer_many(Context& c) { return infer_broadcast(c, 0); }

Result<void> infer_flags(Context& c) {
  TRY(infer_two(c));
  set_tensor(c, 0, DataType::kBool, c.output(0).shape);
  return {};
}

Result<void> infer_not(Context& c) {
  TRY(require_inputs(c, 1));
  set_tensor(c, 0, DataType::kBool, c.input(0).shape);
  return {};
}

Result<void> infer_where(Context& c) {
  TRY(require_inputs(c, 3));
  return infer_broadcast(c, c.input(1).dtype == DataType::kUndefined ? 2 : 1);
}

Work work_chain(Context& c) {
  const auto inputs = static_cast<std::int32_t>(c.input_count());
  return elementwise(c, c.elements(c.output(0).shape), {.flops = inputs - 1}, c.input(0).dtype);
}

Work work_mean(Context& c) {
  const Dim n = c.elements(c.output(0).shape);
  return sum(c, work_chain(c), elementwise(c, n, {.special = 1}, c.input(0).dtype));
}

// The function body consists of Less or Greater, Equal, and Or.
Work work_or_equal(Context& c) {
  const Dim n = c.elements(c.output(0).shape);
  return sum(c, elementwise(c, n, {.flops = 2}, c.input(0).dtype), {.int_ops = n});
}

Work work_where(Context& c) {
  return elementwise(c, c.elements(c.output(0).shape), {.flops = 1}, c.output(0).dtype);
}

void fold_mean(Context& c) {
  if (c.input_count() == 1) fold_same(c);
}

void fold_modulo(Context& c) {
  const auto fmod = c.int_attribute("fmod", 0);
  if (!fmod.ok()) return;
  if (*fmod == 0) return fold_chain(c, fold_mod, nullptr);
  // ONNX Mod: with fmod = 1 the sign is the dividend's, as in C (-7 mod 3 = -1), otherwise the
  // divisor's, as in Python (2). A divisor of -1 is left out: INT64_MIN % -1 overflows.
  const IntRule c_remainder = [](DimPool&, Dim a, Dim b) {
    const bool known = a.known() && b.known() && !b.is(0) && !b.is(-1);
    return known ? Dim(a.value() % b.value()) : Dim();
  };
  fold_chain(c, c_remainder, [](double a, double b) { return std::fmod(a, b); });
}

Dim integer_power(DimPool& p, Dim base, Dim exponent) {
  if (!exponent.known() || exponent.value() < 0 || exponent.value() > 64) return {};
  Dim out(1);
  for (std::int64_t i = 0; i < exponent.value(); ++i) out = fold_mul(p, out, base);
  return out;
}

// Flags are 0 or 1, so the minimum is "and" and the maximum is "or"; with one side known that also
// decides where the other is not: min(0, d) = 0.
Dim fold_and(DimPool& p, Dim a, Dim b) { return p.min(a, b); }
Dim fold_or(DimPool& p, Dim a, Dim b) { return p.max(a, b); }
Dim fold_xor(DimPool& p, Dim a, Dim b) {
  const Dim equal = fold_equal(p, a, b);
  return equal.known() ? Dim(equal.is(0) ? 1 : 0) : Dim();
}
Dim fold_greater(DimPool& p, Dim a, Dim b) { return fold_less(p, b, a); }
Dim fold_not(DimPool&, Dim flag) { return flag.known() ? Dim(flag.value() == 0 ? 1 : 0) : Dim(); }
Dim fold_less_equal(DimPool& p, Dim a, Dim b) { return fold_not(p, fold_less(p, b, a)); }
Dim fold_greater_equal(DimPool& p, Dim a, Dim b) { return fold_not(p, fold_less(p, a, b)); }

double equal(double a, double b) { return a == b ? 1 : 0; }
double less(double a, double b) { return a < b ? 1 : 0; }
double greater(double a, double b) { return a > b ? 1 : 0; }
double less_equal(double a, double b) { return a <= b ? 1 : 0; }
double greater_equal(double a, double b) { return a >= b ? 1 : 0; }

void fold_where(Context& c) {
  const Value *condition = integral_value(c, 0), *x = c.value(1), *y = c.value(2);
  const std::int64_t n = foldable(c, 0);
  if (condition == nullptr || x == nullptr || y == nullptr || n < 0) return;
  const Shape& to = c.output(0).shape;
  const auto at = broadcast_index(c, condition->shape, to);
  const auto at_x = broadcast_index(c, x->shape, to), at_y = broadcast_index(c, y->shape, to);
  if (is_integral(x->dtype) && is_integral(y->dtype)) {
    const auto out = c.arena().array<Dim>(at.size());
    for (std::size_t k = 0; k < out.size(); ++k) {
      const Dim flag = condition->ints[at[k]], a = x->ints[at_x[k]], b = y->ints[at_y[k]];
      if (flag.known())
        out[k] = flag.value() != 0 ? a : b;
      else if (a.same(b))
        out[k] = a;
    }
    set_ints(c, 0, out);
  } else if (is_floating(x->dtype) && is_floating(y->dtype)) {
    const auto out = c.arena().array<double>(at.size());
    for (std::size_t k = 0; k < out.size(); ++k) {
      if (!condition->ints[at[k]].known()) return;
      out[k] = condition->ints[at[k]].value() != 0 ? x->reals[at_x[k]] : y->reals[at_y[k]];
    }
    set_reals(c, 0, out);
  }
}

using Fold = void (*)(Context&);

constexpr Operator flop(std::string_view name, std::int32_t since, Fold fold) {
  return {.name = name,
          .since = since,
          .infer = infer_two,
          .work = per_output<Cost{.flops = 1}>,
          .fold = fold,
          .formula = "1 FLOP per output element"};
}
constexpr Operator special(std::string_view name, std::int32_t since, Fold fold) {
  return {.name = name,
          .since = since,
          .infer = infer_two,
          .work = per_output<Cost{.special = 1}>,
          .fold = fold,
          .formula = "1 special operation per output element"};
}
constexpr Operator chain(std::string_view name, std::int32_t since, Fold fold) {
  return {.name = name,
          .since = since,
          .infer = infer_many,
          .work = work_chain,
          .fold = fold,
          .formula = "(inputs - 1) FLOPs per output element"};
}
constexpr Operator compare(std::string_view name, std::int32_t since, Fold fold) {
  return {.name = name,
          .since = since,
          .infer = infer_flags,
          .work = per_output<Cost{.flops = 1}>,
          .fold = fold,
          .formula = "1 FLOP per output element"};
}
constexpr Operator or_equal(std::string_view name, Fold fold) {
  return {.name = name,
          .since = 12,
          .infer = infer_flags,
          .work = work_or_equal,
          .fold = fold,
          .formula = "2 compares and 1 logical OR per output element"};
}
constexpr Operator logic(std::string_view name, std::int32_t since, Result<void> (*infer)(Context&),
                         Fold fold) {
  return {.name = name,
          .since = since,
          .infer = infer,
          .work = int_ops_per_output<1>,
          .fold = fold,
          .formula = "1 integer operation per output element"};
}

constexpr Operator kElementwiseRows[] = {
    flop("Add", 1, fold_chain<fold_add, add>),
    flop("Sub", 1, fold_chain<fold_sub, sub>),
    flop("Mul", 1, fold_chain<fold_mul, mul>),
    special("Div", 1, fold_chain<fold_div, div>),
    special("Mod", 10, fold_modulo),
    special("Pow", 1, fold_chain<integer_power, power>),
    chain("Max", 1, fold_chain<fold_max, greatest>),
    chain("Min", 1, fold_chain<fold_min, least>),
    chain("Sum", 1, fold_chain<fold_add, add>),
    {.name = "Mean",
     .since = 1,
     .infer = infer_many,
     .work = work_mean,
     .fold = fold_mean,
     .formula = "(inputs - 1) FLOPs and 1 division per output element"},
    compare("Equal", 1, fold_compare<fold_equal, equal>),
    compare("Less", 1, fold_compare<fold_less, less>),
    compare("Greater", 1, fold_compare<fold_greater, greater>),
    or_equal("LessOrEqual", fold_compare<fold_less_equal, less_equal>),
    or_equal("GreaterOrEqual", fold_compare<fold_greater_equal, greater_equal>),
    logic("And", 1, infer_flags, fold_compare<fold_and, nullptr>),
    logic("Or", 1, infer_flags, fold_compare<fold_or, nullptr>),
    logic("Xor", 1, infer_flags, fold_compare<fold_xor, nullptr>),
    logic("Not", 1, infer_not, fold_unary<fold_not, nullptr>),
    logic("BitShift", 11, infer_two, nullptr),
    logic("BitwiseAnd", 18, infer_two, nullptr),
    logic("BitwiseOr", 18, infer_two, nullptr),
    logic("BitwiseXor", 18, infer_two, nullptr),
    logic("BitwiseNot", 18, infer_same, nullptr),
    {.name = "Where",
     .since = 9,
     .infer = infer_where,
     .work = work_where,
     .fold = fold_where,
     .formula = "1 select per output element"},
};

}  // namespace

const std::span<const Operator> kElementwise = kElementwiseRows;

}  // namespace ridge::ops
