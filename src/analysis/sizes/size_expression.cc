// SPDX-License-Identifier: Apache-2.0
#include "analysis/sizes/size_expression.h"

#include <algorithm>

#include "base/checked.h"

namespace ridge::analysis {
namespace {

constexpr std::int64_t kLargestSize = std::int64_t{1} << 40;
constexpr std::int64_t kLargestPower = 16;

std::optional<std::int64_t> quotient(std::int64_t a, std::int64_t b) {
  if (b == 0) return std::nullopt;
  return b == -1 ? checked_sub<std::int64_t>(0, a) : std::optional(floor_div(a, b));
}

std::optional<std::int64_t> power(std::int64_t a, std::int64_t exponent) {
  if (exponent < 0 || exponent > kLargestPower) return std::nullopt;
  std::optional<std::int64_t> out = 1;
  for (std::int64_t i = 0; i < exponent && out; ++i) out = checked_mul(*out, a);
  return out;
}

}  // namespace

std::optional<std::int64_t> SizeExpression::apply(Op op, std::int64_t a, std::int64_t b,
                                                  Quotients quotients) {
  switch (op) {
    case Op::kAdd:
      return checked_add(a, b);
    case Op::kSubtract:
      return checked_sub(a, b);
    case Op::kMultiply:
      return checked_mul(a, b);
    case Op::kExactDivide:
      if (quotients == Quotients::kExact && b != 0 && b != -1 && a % b != 0) return std::nullopt;
      return quotient(a, b);
    case Op::kFloorDivide:
      return quotient(a, b);
    case Op::kCeilDivide: {
      const auto down = quotient(a, b);
      return down && b != -1 && a % b != 0 ? checked_add<std::int64_t>(*down, 1) : down;
    }
    case Op::kMod: {
      const auto down = quotient(a, b);
      const auto whole = down ? checked_mul(*down, b) : std::nullopt;
      return whole ? checked_sub(a, *whole) : std::nullopt;
    }
    case Op::kPower:
      return power(a, b);
    case Op::kMin:
      return std::min(a, b);
    case Op::kMax:
      return std::max(a, b);
    case Op::kNegate:
      return checked_sub<std::int64_t>(0, a);
    case Op::kNumber:
    case Op::kName:
      break;
  }
  return std::nullopt;
}

ops::Dim SizeExpression::apply(Op op, ops::Dim a, ops::Dim b, ops::DimPool& pool) {
  switch (op) {
    case Op::kAdd:
      return pool.add(a, b);
    case Op::kSubtract:
      return pool.sub(a, b);
    case Op::kMultiply:
      return pool.mul(a, b);
    case Op::kExactDivide:
      if (a.known() && b.known() && !apply(op, a.value(), b.value(), Quotients::kExact)) return {};
      return pool.floor_div(a, b);
    case Op::kFloorDivide:
      return pool.floor_div(a, b);
    case Op::kCeilDivide:
      return b.is(0) ? ops::Dim() : pool.ceil_div(a, b);
    case Op::kMod:
      return b.is(0) ? ops::Dim() : pool.mod(a, b);
    case Op::kPower: {
      if (!b.known() || b.value() < 0 || b.value() > kLargestPower) return {};
      ops::Dim out(1);
      for (std::int64_t i = 0; i < b.value(); ++i) out = pool.mul(out, a);
      return out;
    }
    case Op::kMin:
      return pool.min(a, b);
    case Op::kMax:
      return pool.max(a, b);
    case Op::kNegate:
      return pool.sub(ops::Dim(0), a);
    case Op::kNumber:
    case Op::kName:
      break;
  }
  return {};
}

std::optional<std::int64_t> SizeExpression::run(const ValueOf& value_of,
                                                Quotients quotients) const {
  std::vector<std::int64_t> stack;
  for (const Step& step : steps_) {
    std::optional<std::int64_t> value;
    if (step.op == Op::kNumber) {
      value = step.number;
    } else if (step.op == Op::kName) {
      value = value_of(names_[static_cast<std::size_t>(step.number)]);
    } else {
      const std::int64_t b = stack.back();
      if (step.op != Op::kNegate) stack.pop_back();
      const std::int64_t a = stack.back();
      stack.pop_back();
      value = apply(step.op, a, b, quotients);
    }
    if (!value) return std::nullopt;
    stack.push_back(*value);
  }
  return stack.back();
}

std::optional<std::int64_t> SizeExpression::evaluate(const ValueOf& value_of) const {
  return run(value_of, Quotients::kExact);
}

ops::Dim SizeExpression::dim(const std::function<ops::Dim(std::string_view)>& dim_of,
                             ops::DimPool& pool) const {
  std::vector<ops::Dim> stack;
  for (const Step& step : steps_) {
    if (step.op == Op::kNumber) {
      stack.emplace_back(step.number);
    } else if (step.op == Op::kName) {
      stack.push_back(dim_of(names_[static_cast<std::size_t>(step.number)]));
    } else {
      const ops::Dim b = stack.back();
      if (step.op != Op::kNegate) stack.pop_back();
      stack.back() = apply(step.op, stack.back(), b, pool);
    }
  }
  return stack.back();
}

/// Trend of an operator's result. Example: (n - 3)//2 grows: n - 3 does, from -3 on, and a quotient
/// by a positive constant keeps the way. n*(n - 3) is mixed, since n - 3 may be negative.
SizeExpression::Trend SizeExpression::trend(Op op, const Trend& a, const Trend& b) {
  using enum Trend::Way;
  const auto turned = [](Trend::Way way) {
    return way == kGrows ? kShrinks : way == kShrinks ? kGrows : way;
  };
  const auto both = [](Trend::Way x, Trend::Way y) {
    if (x == kConstant || x == y) return y;
    return y == kConstant ? x : kMixed;
  };
  const auto scaled = [&](Trend::Way way, std::int64_t by) {
    return by == 0 ? kConstant : by > 0 ? way : turned(way);
  };
  Trend out;
  if (a.at_zero && b.at_zero)
    out.at_zero = apply(op, *a.at_zero, *b.at_zero, Quotients::kRoundedDown);
  const bool constant_a = a.way == kConstant, constant_b = b.way == kConstant;
  if (op == Op::kNegate) {
    out.way = turned(a.way);
  } else if (constant_a && constant_b) {
    out.way = kConstant;
  } else if (op == Op::kAdd || op == Op::kMin || op == Op::kMax) {
    out.way = both(a.way, b.way);
  } else if (op == Op::kSubtract) {
    out.way = both(a.way, turned(b.way));
  } else if (op == Op::kMultiply && constant_a) {
    out.way = a.at_zero ? scaled(b.way, *a.at_zero) : kMixed;
  } else if (op == Op::kMultiply && constant_b) {
    out.way = b.at_zero ? scaled(a.way, *b.at_zero) : kMixed;
  } else if (op == Op::kMultiply) {
    const bool positive = a.at_zero.value_or(-1) >= 0 && b.at_zero.value_or(-1) >= 0;
    out.way = positive && a.way == kGrows && b.way == kGrows ? kGrows : kMixed;
  } else if (op == Op::kPower) {
    const bool grows = constant_b && b.at_zero.value_or(0) > 0 && a.way == kGrows;
    out.way = grows && a.at_zero.value_or(-1) >= 0 ? kGrows : kMixed;
  } else if (op == Op::kMod) {
    out.way = kMixed;
  } else {  // quotients
    out.way = constant_b && b.at_zero.value_or(0) != 0 ? scaled(a.way, *b.at_zero) : kMixed;
  }
  return out;
}

SizeExpression::Trend::Way SizeExpression::way_of(std::string_view name,
                                                  const ValueOf& value_of) const {
  std::vector<Trend> stack;
  for (const Step& step : steps_) {
    if (step.op == Op::kNumber) {
      stack.push_back({Trend::Way::kConstant, step.number});
    } else if (step.op == Op::kName) {
      const std::string& other = names_[static_cast<std::size_t>(step.number)];
      stack.push_back(other == name ? Trend{Trend::Way::kGrows, 0}
                                    : Trend{Trend::Way::kConstant, value_of(other)});
    } else {
      const Trend b = stack.back();
      if (step.op != Op::kNegate) stack.pop_back();
      stack.back() = trend(step.op, stack.back(), b);
    }
  }
  return stack.back().way;
}

SizeExpression::Solution SizeExpression::solve(std::string_view name, std::int64_t value,
                                               const ValueOf& value_of) const {
  const auto at = [&](std::int64_t size, Quotients quotients) {
    return run([&](std::string_view n) { return n == name ? std::optional(size) : value_of(n); },
               quotients);
  };
  const Trend::Way way = way_of(name, value_of);
  if (way == Trend::Way::kMixed || !at(0, Quotients::kRoundedDown)) return {};
  const bool grows = way != Trend::Way::kShrinks;
  // The first size whose value reaches `value` (or passes it); one that is too large to compute
  // has passed it.
  const auto first = [&](bool passes) {
    std::int64_t low = 0, high = kLargestSize + 1;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      const auto now = at(middle, Quotients::kRoundedDown);
      const bool past = !now || (grows ? *now > value : *now < value);
      if (past || (!passes && *now == value))
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  };
  std::int64_t least = first(false), most = first(true) - 1;
  // Among these, quotients by / must be whole. They repeat within a few sizes.
  constexpr int kLooks = 4096;
  const auto exact = [&](std::int64_t size) { return at(size, Quotients::kExact) == value; };
  for (int i = 0; i < kLooks && least <= most && !exact(least); ++i) ++least;
  for (int i = 0; i < kLooks && least <= most && !exact(most); ++i) --most;
  if (least > most || !exact(least)) return {Solution::Kind::kNone, 0, 0};
  return {Solution::Kind::kRange, least, most};
}

}  // namespace ridge::analysis
