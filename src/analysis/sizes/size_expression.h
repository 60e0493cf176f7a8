// SPDX-License-Identifier: Apache-2.0
// Sizes that exporters write as expressions of other sizes in a dimension's name (dim_param):
// "past_sequence_length + sequence_length" (optimum), "(s0 - 3)//2 + 1", "Max(1, 2*s0)" (torch),
// "floor(height/2)" (ONNX Runtime's symbolic shapes).
//
//   const auto e = parse_size("past + sequence", is_size);   // analysis/sizes/size_parser.h
//   e->evaluate(value_of);                       // 16 for past 15 and sequence 1
//   e->solve("past", 16, value_of).one()         // 15
//
// Operators: + - * / // % ** and unary -, with Python's precedence; Max, Min, Mod, FloorDiv,
// CeilDiv, CleanDiv, IntTrueDiv, floor, ceiling. A quotient by / must be a whole number, unless
// floor or ceiling is around it.
// Ownership: owns its names. Thread rule: a value type.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ops/dim.h"

namespace ridge::analysis {

class SizeExpression {
 public:
  static constexpr std::size_t kMaxSteps = 128;  ///< operators and operands
  using ValueOf = std::function<std::optional<std::int64_t>(std::string_view)>;

  /// The names in it, sorted, each once; at least one.
  const std::vector<std::string>& names() const { return names_; }
  /// True if both differ at most in blanks and brackets.
  bool operator==(const SizeExpression&) const = default;

  /// nullopt if a name has no value, on overflow, on division by 0, and for a quotient by / that is
  /// no whole number.
  std::optional<std::int64_t> evaluate(const ValueOf& value_of) const;
  /// Returns it as an expression of `pool`; unknown where there is no value.
  ops::Dim dim(const std::function<ops::Dim(std::string_view)>& dim_of, ops::DimPool& pool) const;

  struct Solution {
    enum class Kind : std::uint8_t { kNone, kRange, kNotFound };
    Kind kind = Kind::kNotFound;
    std::int64_t least = 0, most = 0;  ///< kRange: the smallest and the largest solution
    std::optional<std::int64_t> one() const {
      return kind == Kind::kRange && least == most ? std::optional(least) : std::nullopt;
    }
  };
  /// Sizes of `name` (at least 0) for which the expression is `value`, if all other names have
  /// values. kNotFound if it neither only grows nor only shrinks with `name`. Cost: O(log)
  /// evaluations.
  Solution solve(std::string_view name, std::int64_t value, const ValueOf& value_of) const;

 private:
  friend class SizeParser;
  enum class Op : std::uint8_t {
    kNumber,
    kName,
    kNegate,
    kAdd,
    kSubtract,
    kMultiply,
    kExactDivide,
    kFloorDivide,
    kCeilDivide,
    kMod,
    kPower,
    kMin,
    kMax
  };
  /// Postfix order: operands before their operator.
  struct Step {
    Op op = Op::kNumber;
    std::int64_t number = 0;  ///< kNumber: its value; kName: its index in names_
    bool operator==(const Step&) const = default;
  };
  /// How the value depends on one name, and the value where that is 0.
  struct Trend {
    enum class Way : std::uint8_t { kConstant, kGrows, kShrinks, kMixed };
    Way way = Way::kConstant;
    std::optional<std::int64_t> at_zero;
  };
  enum class Quotients : std::uint8_t { kExact, kRoundedDown };
  static std::optional<std::int64_t> apply(Op op, std::int64_t a, std::int64_t b, Quotients q);
  static ops::Dim apply(Op op, ops::Dim a, ops::Dim b, ops::DimPool& pool);
  static Trend trend(Op op, const Trend& a, const Trend& b);
  std::optional<std::int64_t> run(const ValueOf& value_of, Quotients quotients) const;
  Trend::Way way_of(std::string_view name, const ValueOf& value_of) const;

  std::vector<Step> steps_;
  std::vector<std::string> names_;
};

}  // namespace ridge::analysis
