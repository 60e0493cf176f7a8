// SPDX-License-Identifier: Apache-2.0
// Parser of the expressions of analysis/sizes/size_expression.h: operator precedence, with a stack
// of its own instead of recursion.
//
//   const auto e = parse_size("past + sequence", is_size);   // nullopt: a plain name
//
// Text from a file is hostile: at most kMaxSizeText bytes and SizeExpression::kMaxSteps operators
// and operands are read; anything else is a plain name. A name like "batch-size" is an expression
// only if both parts are sizes of their own. Pure.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/sizes/size_expression.h"

namespace ridge::analysis {

inline constexpr std::size_t kMaxSizeText = 512;
/// Returns true for a name that stands alone elsewhere in the model.
using IsSize = std::function<bool(std::string_view)>;

std::optional<SizeExpression> parse_size(std::string_view text, const IsSize& is_size);

class SizeParser {
 public:
  SizeParser(std::string_view text, const IsSize& is_size) : left_(text), is_size_(is_size) {}
  std::optional<SizeExpression> run();

 private:
  using Op = SizeExpression::Op;
  /// Kinds of brackets; floor and ceiling round the quotient inside.
  enum class Call : std::uint8_t { kGroup, kOperator, kFloor, kCeiling };
  /// An operator whose right operand is not complete, or an open bracket.
  struct Pending {
    bool bracket = false;
    Op op = Op::kAdd;
    int precedence = 0;
    Call call = Call::kGroup;
    std::size_t arguments = 1;  // of a call
    std::size_t least = 1, most = 1;
    std::size_t first_step = 0;
  };

  bool operand();
  bool after_operand();
  bool number();
  bool name();
  bool call(std::string_view word);
  bool binary();
  bool close();
  bool round(const Pending& call);
  void sort_names();
  bool reduce(int precedence);
  bool emit(Op op, std::int64_t number = 0);
  bool tight_names_are_sizes() const;
  void skip_blanks();

  std::string_view left_;
  const IsSize& is_size_;
  std::vector<Pending> pending_;
  std::vector<std::pair<std::string, std::string>> tight_;  // names around - or / without blanks
  std::string before_tight_;  // the name before such an operator, until the name after it is read
  std::string last_name_;     // the last token, if it is a name
  bool blank_ = false;        // blanks precede the next token
  bool operators_ = false;
  SizeExpression out_;
};

}  // namespace ridge::analysis
