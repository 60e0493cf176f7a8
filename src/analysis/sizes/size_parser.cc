// SPDX-License-Identifier: Apache-2.0
#include "analysis/sizes/size_parser.h"

#include <algorithm>
#include <array>

#include "base/number.h"

namespace ridge::analysis {
namespace {

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool continues_name(char c) { return starts_name(c) || is_digit(c) || c == '.' || c == ':'; }

/// Symbols of torch: a letter and a number, such as s0 and u12.
bool is_symbol(std::string_view name) {
  return name.size() > 1 && starts_name(name[0]) &&
         std::all_of(name.begin() + 1, name.end(), is_digit);
}

constexpr int kSums = 1, kProducts = 2, kSign = 3, kPowers = 4;
constexpr std::size_t kAny = SizeExpression::kMaxSteps;

}  // namespace

std::optional<SizeExpression> parse_size(std::string_view text, const IsSize& is_size) {
  if (text.find_first_of("+-*/%(") == std::string_view::npos) return std::nullopt;
  return SizeParser(text, is_size).run();
}

std::optional<SizeExpression> SizeParser::run() {
  if (left_.size() > kMaxSizeText) return std::nullopt;
  for (skip_blanks(); !left_.empty(); skip_blanks())
    if (!operand() || !after_operand()) return std::nullopt;
  if (out_.steps_.empty() || !pending_.empty()) return std::nullopt;
  if (!operators_ || out_.names_.empty() || !tight_names_are_sizes()) return std::nullopt;
  sort_names();
  return std::move(out_);
}

/// Sorts the names, to which steps refer by index.
void SizeParser::sort_names() {
  std::vector<std::string> sorted = out_.names_;
  std::ranges::sort(sorted);
  for (SizeExpression::Step& step : out_.steps_) {
    if (step.op != Op::kName) continue;
    const std::string& name = out_.names_[static_cast<std::size_t>(step.number)];
    step.number = std::ranges::lower_bound(sorted, name) - sorted.begin();
  }
  out_.names_ = std::move(sorted);
}

void SizeParser::skip_blanks() {
  blank_ = !left_.empty() && left_[0] == ' ';
  while (!left_.empty() && left_[0] == ' ') left_.remove_prefix(1);
}

/// Reads signs, opening brackets and calls up to a number or a name.
bool SizeParser::operand() {
  for (skip_blanks(); !left_.empty(); skip_blanks()) {
    const char c = left_[0];
    if (is_digit(c)) return number();
    if (starts_name(c)) {
      const auto end = std::find_if_not(left_.begin(), left_.end(), continues_name);
      const std::string_view word = left_.substr(0, static_cast<std::size_t>(end - left_.begin()));
      if (word.size() == left_.size() || left_[word.size()] != '(') return name();
      left_.remove_prefix(word.size() + 1);
      if (!call(word)) return false;
      continue;
    }
    if (c != '-' && c != '(') return false;
    left_.remove_prefix(1);
    before_tight_.clear();
    if (c == '-')
      pending_.push_back({.op = Op::kNegate, .precedence = kSign});
    else
      pending_.push_back({.bracket = true, .first_step = out_.steps_.size()});
    if (pending_.size() > SizeExpression::kMaxSteps) return false;
  }
  return false;
}

/// Reads closing brackets up to an operator or a comma, after which an operand follows, or up to
/// the end.
bool SizeParser::after_operand() {
  for (skip_blanks(); !left_.empty(); skip_blanks()) {
    if (left_[0] == ')') {
      if (!close()) return false;
      continue;
    }
    if (left_[0] != ',') return binary();
    if (!reduce(0) || pending_.empty() || pending_.back().call == Call::kGroup) return false;
    ++pending_.back().arguments;
    left_.remove_prefix(1);
    last_name_.clear();
    skip_blanks();
    return !left_.empty();
  }
  return reduce(0);
}

bool SizeParser::number() {
  const auto end = std::find_if_not(left_.begin(), left_.end(), is_digit);
  const auto size = static_cast<std::size_t>(end - left_.begin());
  const auto value = whole_number(left_.substr(0, size));
  left_.remove_prefix(size);
  if (!value || (!left_.empty() && continues_name(left_[0]))) return false;
  before_tight_.clear();
  last_name_.clear();
  return emit(Op::kNumber, *value);
}

bool SizeParser::name() {
  const auto end = std::find_if_not(left_.begin(), left_.end(), continues_name);
  const auto size = static_cast<std::size_t>(end - left_.begin());
  last_name_ = left_.substr(0, size);
  left_.remove_prefix(size);
  if (!before_tight_.empty() && !blank_) tight_.emplace_back(before_tight_, last_name_);
  before_tight_.clear();
  const auto at = std::find(out_.names_.begin(), out_.names_.end(), last_name_);
  const auto index = at - out_.names_.begin();
  if (at == out_.names_.end()) out_.names_.push_back(last_name_);
  return emit(Op::kName, index);
}

bool SizeParser::call(std::string_view word) {
  struct Row {
    std::string_view word;
    Call call;
    Op op;
    std::size_t least, most;
  };
  static constexpr std::array<Row, 13> kCalls = {
      {{"Max", Call::kOperator, Op::kMax, 1, kAny},
       {"max", Call::kOperator, Op::kMax, 1, kAny},
       {"Min", Call::kOperator, Op::kMin, 1, kAny},
       {"min", Call::kOperator, Op::kMin, 1, kAny},
       {"Mod", Call::kOperator, Op::kMod, 2, 2},
       {"PythonMod", Call::kOperator, Op::kMod, 2, 2},
       {"FloorDiv", Call::kOperator, Op::kFloorDivide, 2, 2},
       {"CeilDiv", Call::kOperator, Op::kCeilDivide, 2, 2},
       {"CleanDiv", Call::kOperator, Op::kExactDivide, 2, 2},
       {"IntTrueDiv", Call::kOperator, Op::kExactDivide, 2, 2},
       {"floor", Call::kFloor, Op::kAdd, 1, 1},
       {"ceiling", Call::kCeiling, Op::kAdd, 1, 1},
       {"ceil", Call::kCeiling, Op::kAdd, 1, 1}}};
  const auto row = std::ranges::find(kCalls, word, &Row::word);
  if (row == kCalls.end() || pending_.size() >= SizeExpression::kMaxSteps) return false;
  before_tight_.clear();
  operators_ = true;
  pending_.push_back({.bracket = true,
                      .op = row->op,
                      .call = row->call,
                      .least = row->least,
                      .most = row->most,
                      .first_step = out_.steps_.size()});
  return true;
}

bool SizeParser::binary() {
  struct Row {
    std::string_view sign;
    Op op;
    int precedence;
  };
  // Longer signs first.
  static constexpr std::array<Row, 7> kSigns = {{{"**", Op::kPower, kPowers},
                                                 {"//", Op::kFloorDivide, kProducts},
                                                 {"+", Op::kAdd, kSums},
                                                 {"-", Op::kSubtract, kSums},
                                                 {"*", Op::kMultiply, kProducts},
                                                 {"/", Op::kExactDivide, kProducts},
                                                 {"%", Op::kMod, kProducts}}};
  const auto row =
      std::ranges::find_if(kSigns, [&](const Row& r) { return left_.starts_with(r.sign); });
  if (row == kSigns.end()) return false;
  const bool ambiguous = row->op == Op::kSubtract || row->op == Op::kExactDivide;
  before_tight_ = ambiguous && !blank_ ? last_name_ : "";
  last_name_.clear();
  left_.remove_prefix(row->sign.size());
  operators_ = true;
  // A power groups from the right, so it does not complete a power before it.
  if (!reduce(row->op == Op::kPower ? row->precedence + 1 : row->precedence)) return false;
  pending_.push_back({.op = row->op, .precedence = row->precedence});
  std::string_view rest = left_;
  while (!rest.empty() && rest[0] == ' ') rest.remove_prefix(1);
  return !rest.empty() && pending_.size() <= SizeExpression::kMaxSteps;
}

/// Completes the pending operators that bind at least as tightly as `precedence`.
bool SizeParser::reduce(int precedence) {
  while (!pending_.empty() && !pending_.back().bracket &&
         pending_.back().precedence >= precedence) {
    const Op op = pending_.back().op;
    pending_.pop_back();
    if (!emit(op)) return false;
  }
  return true;
}

bool SizeParser::close() {
  if (!reduce(0) || pending_.empty()) return false;
  const Pending open = pending_.back();
  pending_.pop_back();
  left_.remove_prefix(1);
  last_name_.clear();
  if (open.arguments < open.least || open.arguments > open.most) return false;
  for (std::size_t i = 1; open.call == Call::kOperator && i < open.arguments; ++i)
    if (!emit(open.op)) return false;
  return open.call == Call::kOperator || open.call == Call::kGroup || round(open);
}

/// Makes the quotient inside floor() or ceiling() a rounded one. Only a quotient of whole numbers
/// is understood: floor((a + 1)/2), not floor(a/2 + 1/2).
bool SizeParser::round(const Pending& call) {
  const auto first = out_.steps_.begin() + static_cast<std::ptrdiff_t>(call.first_step);
  const auto fractions = std::count_if(first, out_.steps_.end(), [](const SizeExpression::Step& s) {
    return s.op == Op::kExactDivide;
  });
  if (fractions == 0) return true;
  if (fractions > 1 || out_.steps_.back().op != Op::kExactDivide) return false;
  out_.steps_.back().op = call.call == Call::kFloor ? Op::kFloorDivide : Op::kCeilDivide;
  return true;
}

bool SizeParser::emit(Op op, std::int64_t number) {
  out_.steps_.push_back({op, number});
  operators_ = operators_ || op == Op::kNegate;
  return out_.steps_.size() <= SizeExpression::kMaxSteps;
}

/// "batch-size" is one name, unless the model has sizes named "batch" and "size".
bool SizeParser::tight_names_are_sizes() const {
  const auto is_size = [&](const std::string& name) { return is_symbol(name) || is_size_(name); };
  return std::ranges::all_of(
      tight_, [&](const auto& pair) { return is_size(pair.first) && is_size(pair.second); });
}

}  // namespace ridge::analysis
