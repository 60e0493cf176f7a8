// SPDX-License-Identifier: Apache-2.0
#include "accelerator/tvm/tir_meanings.h"

#include <fmt/format.h>

#include <array>

#include "base/text.h"

namespace ridge::accelerator {
namespace {

/// GPT-2 needs 54,000.
constexpr std::size_t kMaxTaken = std::size_t{1} << 24;

constexpr std::array<std::string_view, 14> kWords = {
    "anything",          "nothing",  "a number",      "a text",     "a list",
    "a type of buffers", "a buffer", "an expression", "a variable", "a range",
    "an iterator",       "a block",  "a statement",   "a function"};

std::string_view word_of(TirMeaning::What what) { return kWords[static_cast<std::size_t>(what)]; }

}  // namespace

Error TirMeanings::wrong(std::string_view what) const {
  return input_error("RIDGE-ACC-0323", fmt::format("node #{} '{}' of TVM's loop nests {}", at_,
                                                   printable(node().type), what));
}

Result<void> TirMeanings::take(std::size_t count) {
  taken_ += count;
  if (taken_ > kMaxTaken)
    return wrong(
        fmt::format("exceeds the limit of {} elements copied from other nodes", kMaxTaken));
  return {};
}

Result<TirMeaning> TirMeanings::meaning(const JsonValue& value, What expected) const {
  const auto index = number_in(value);
  if (!index || *index < 0) return wrong(fmt::format("lacks the index of {}", word_of(expected)));
  return meaning(static_cast<std::uint64_t>(*index), expected);
}

Result<TirMeaning> TirMeanings::meaning(std::uint64_t index, What expected) const {
  if (index >= at_) return wrong(fmt::format("refers to node #{}, which is not before it", index));
  const TirMeaning found = known_[index];
  if (found.what != expected)
    return wrong(fmt::format("refers to node #{} '{}', but {} is expected there", index,
                             printable(source_.nodes[index].type), word_of(expected)));
  return found;
}

const TirMeaning* TirMeanings::any(const JsonValue& value) const {
  const auto index = number_in(value);
  if (!index || *index < 0 || static_cast<std::uint64_t>(*index) >= at_) return nullptr;
  return &known_[static_cast<std::size_t>(*index)];
}

bool TirMeanings::none(const JsonValue& value) const {
  const TirMeaning* found = any(value);
  return value.kind == JsonValue::Kind::kNone || (found != nullptr && found->what == What::kNone);
}

Result<std::int64_t> TirMeanings::integer(const JsonValue& value) const {
  return integers_[TRY(meaning(value, What::kInteger)).id];
}

Result<std::string_view> TirMeanings::text(const JsonValue& value) {
  const std::string_view found = text(TRY(meaning(value, What::kText)));
  TRY(take(found.size()));
  return found;
}

Result<std::span<const TirMeanings::Index>> TirMeanings::list(const JsonValue& value) {
  const std::vector<Index>& found = lists_[TRY(meaning(value, What::kList)).id];
  TRY(take(found.size()));
  return std::span<const Index>(found);
}

Result<ExprId> TirMeanings::expression(std::uint64_t index) {
  if (index < at_ && known_[index].what == What::kVariable) return nest_.variable(known_[index].id);
  return TRY(meaning(index, What::kExpression)).id;
}

Result<ExprId> TirMeanings::expression(const JsonValue& value) {
  const auto index = number_in(value);
  if (!index || *index < 0) return wrong("lacks the index of an expression");
  return expression(static_cast<std::uint64_t>(*index));
}

Result<std::vector<ExprId>> TirMeanings::expressions(const JsonValue& value) {
  std::vector<ExprId> out;
  for (const Index i : TRY(list(value))) out.push_back(TRY(expression(i)));
  return out;
}

Result<std::int64_t> TirMeanings::constant(ExprId id) const {
  if (nest_.expr(id).kind != Expr::Kind::kInteger)
    return wrong("has a size that is not a constant number");
  return nest_.expr(id).value;
}

Result<std::vector<TirMeanings::Index>> TirMeanings::ids(const JsonValue& value, What expected) {
  std::vector<Index> out;
  for (const Index i : TRY(list(value))) out.push_back(TRY(meaning(i, expected)).id);
  return out;
}

TirMeaning TirMeanings::keep(std::int64_t integer) {
  integers_.push_back(integer);
  return {What::kInteger, static_cast<Index>(integers_.size() - 1)};
}

TirMeaning TirMeanings::keep(std::string text) {
  texts_.push_back(std::move(text));
  return {What::kText, static_cast<Index>(texts_.size() - 1)};
}

TirMeaning TirMeanings::keep(std::vector<Index> list) {
  lists_.push_back(std::move(list));
  return {What::kList, static_cast<Index>(lists_.size() - 1)};
}

}  // namespace ridge::accelerator
