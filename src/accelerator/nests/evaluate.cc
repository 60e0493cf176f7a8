// SPDX-License-Identifier: Apache-2.0
#include "accelerator/nests/evaluate.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/checked.h"
#include "base/text.h"

namespace ridge::accelerator {
namespace {

using Kind = Expr::Kind;

/// nullopt: the result exceeds 64 bits, or a division by zero.
std::optional<std::int64_t> combined(Kind kind, std::int64_t a, std::int64_t b) {
  switch (kind) {
    case Kind::kAdd:
      return checked_add(a, b);
    case Kind::kSubtract:
      return checked_sub(a, b);
    case Kind::kMultiply:
      return checked_mul(a, b);
    case Kind::kMinimum:
      return std::min(a, b);
    case Kind::kMaximum:
      return std::max(a, b);
    case Kind::kLess:
      return a < b;
    case Kind::kLessOrEqual:
      return a <= b;
    case Kind::kEqual:
      return a == b;
    case Kind::kNotEqual:
      return a != b;
    default:
      break;
  }
  if (b == 0 || (b == -1 && a == INT64_MIN)) return std::nullopt;
  if (kind == Kind::kFloorDivide) return floor_div(a, b);
  // TIR's floormod has the sign of the divisor, C++'s % the sign of the dividend: -7 mod 3 is 2
  // there, -1 here.
  const std::int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

bool is_logic(Kind kind) { return kind == Kind::kAnd || kind == Kind::kOr || kind == Kind::kNot; }

}  // namespace

Error out_of_range() {
  return input_error("RIDGE-ACC-0301", "a count of the loop nest exceeds 64 bits");
}

Evaluator::Evaluator(const Nest& nest, const WalkLimits& limits)
    : nest_(nest), limits_(limits), values_(nest.variables()), in_scope_(nest.variables()) {}

Result<void> Evaluator::step(int depth) {
  if (depth > limits_.depth)
    return input_error("RIDGE-ACC-0302",
                       fmt::format("the loop nest is more than {} levels deep", limits_.depth));
  std::int64_t& taken = limits_.taken == nullptr ? steps_ : *limits_.taken;
  if (++taken > limits_.steps)
    return input_error("RIDGE-ACC-0303", fmt::format("evaluating the loop nest takes more than {}",
                                                     counted(limits_.steps, "step")));
  return {};
}

Result<void> Evaluator::enter(VarId variable) {
  if (variable >= in_scope_.size() || in_scope_[variable])
    return input_error("RIDGE-ACC-0304", fmt::format("variable #{} of the loop nest is defined "
                                                     "inside its own scope",
                                                     variable));
  in_scope_[variable] = true;
  return {};
}

Result<std::int64_t> Evaluator::binary(const Expr& e, int depth) {
  const auto operands = nest_.operands(e);
  const std::int64_t a = TRY(value(operands[0], depth + 1));
  const std::int64_t b = TRY(value(operands[1], depth + 1));
  const auto found = combined(e.kind, a, b);
  if (!found) return out_of_range();
  return *found;
}

Result<std::int64_t> Evaluator::value(ExprId id, int depth) {
  TRY(step(depth));
  const Expr& e = nest_.expr(id);
  if (is_logic(e.kind)) return std::int64_t{TRY(truth(id, depth + 1)) == true};
  switch (e.kind) {
    case Kind::kInteger:
      return e.value;
    case Kind::kVariable:
      if (const auto variable = static_cast<VarId>(e.value); in_scope(variable))
        return values_[variable];
      return input_error("RIDGE-ACC-0305",
                         fmt::format("variable #{} of the loop nest is not in scope", e.value));
    case Kind::kCast:
      return value(nest_.operands(e)[0], depth + 1);
    case Kind::kIfElse: {
      const auto operands = nest_.operands(e);
      const bool first = TRY(value(operands[0], depth + 1)) != 0;
      return value(operands[first ? 1 : 2], depth + 1);
    }
    default:
      return binary(e, depth);
  }
}

Result<Truth> Evaluator::truth(ExprId id, int depth) {
  TRY(step(depth));
  const Expr& e = nest_.expr(id);
  if (e.kind == Kind::kNot) {
    const Truth inside = TRY(truth(nest_.operands(e)[0], depth + 1));
    return inside ? Truth(!*inside) : Truth();
  }
  if (e.kind == Kind::kAnd || e.kind == Kind::kOr) {
    const bool decisive = e.kind == Kind::kOr;
    Truth out = !decisive;
    for (const ExprId operand : nest_.operands(e)) {
      const Truth part = TRY(truth(operand, depth + 1));
      if (part == decisive) return Truth(decisive);
      if (!part) out = std::nullopt;
    }
    return out;
  }
  if (!e.integral) return Truth();
  return Truth(TRY(value(id, depth + 1)) != 0);
}

}  // namespace ridge::accelerator
