// SPDX-License-Identifier: Apache-2.0
#include "runtime/inputs/literal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/list.h"
#include "base/number.h"
#include "base/text.h"
#include "onnx/half.h"
#include "runtime/inputs/doubles.h"

namespace ridge::runtime {
namespace {

using onnx::DataType;
using Element = Literal::Element;

constexpr std::size_t kShown = 60;  // characters of a text in a message

std::string_view without_spaces(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::optional<Element> element_of(std::string_view word) {
  if (word == "true" || word == "false") {
    const bool set = word == "true";
    return Element{set ? 1 : 0, set ? 1.0 : 0.0, true};
  }
  if (const auto whole = whole_number(word))
    return Element{*whole, static_cast<double>(*whole), true};
  if (const auto large = whole_number<std::uint64_t>(word))
    return Element{static_cast<std::int64_t>(*large), static_cast<double>(*large), true, true};
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (word == "inf") return Element{.real = kInfinity};
  if (word == "-inf") return Element{.real = -kInfinity};
  if (word == "nan") return Element{.real = std::numeric_limits<double>::quiet_NaN()};
  const bool digits = !word.empty() && word.find_first_not_of("0123456789+-.eE") == word.npos;
  const auto real = digits ? finite_number(word) : std::nullopt;
  if (!real) return std::nullopt;
  const bool integer = std::abs(*real) <= kMaxExact && std::trunc(*real) == *real;
  return Element{integer ? static_cast<std::int64_t>(*real) : 0, *real, integer};
}

Error wrong(std::string_view text, std::string_view why) {
  return input_error("RIDGE-RT-0045",
                     fmt::format("'{}{}' is not an array: {}", printable(text.substr(0, kShown)),
                                 text.size() > kShown ? "…" : "", why))
      .hint("write 5, 1,2,3 or [[1,2],[3,4]]; a file of this name as ./NAME");
}

/// Reads nested brackets without recursion.
///
/// Example: "[[1,2],[3,4]]". counts_ holds, per open bracket, the entries so far: 1 opens axis 1
/// with 0 entries; "]" after 2 states dims_[1] = 2; the second row must then have 2 entries too.
class Brackets {
 public:
  explicit Brackets(std::string_view text) : text_(text), left_(text) {}

  Result<Literal> read() {
    // The text begins with a bracket, so value() opens one.
    do {
      TRY(value());
      TRY(after_value());
    } while (!counts_.empty());
    if (!left_.empty()) return wrong(text_, "something follows its last bracket");
    if (leaf_ != 0 && leaf_ != dims_.size()) return ragged();
    out_.dims = dims_;
    return std::move(out_);
  }

 private:
  Error ragged() const { return wrong(text_, "its rows have different lengths"); }

  /// Opens brackets up to a number, and reads it; or closes an empty pair.
  Result<void> value() {
    while (take('[')) {
      if (counts_.size() == Literal::kMaxAxes) return wrong(text_, "it has too many axes");
      counts_.push_back(0);
      if (take(']')) return close();
    }
    const std::size_t end = std::min(left_.find_first_of(",[]"), left_.size());
    const std::string_view word = without_spaces(left_.substr(0, end));
    const std::optional<Element> element = element_of(word);
    if (!element) {
      if (word.empty()) return wrong(text_, "a number is missing");
      return wrong(text_, fmt::format("'{}' is not a number", printable(word.substr(0, kShown))));
    }
    if (leaf_ != 0 && leaf_ != counts_.size()) return ragged();
    leaf_ = counts_.size();
    if (out_.elements.size() == Literal::kMaxElements)
      return wrong(text_, "it has too many elements; pass a file");
    out_.elements.push_back(*element);
    left_.remove_prefix(end);
    ++counts_.back();
    return {};
  }

  /// Closes brackets up to a comma, after which a value follows, or up to the end.
  Result<void> after_value() {
    while (!counts_.empty()) {
      if (take(',')) return {};
      if (!take(']')) return wrong(text_, "a bracket is not closed");
      TRY(close());
    }
    return {};
  }

  Result<void> close() {
    const std::size_t axis = counts_.size() - 1;
    if (dims_.size() <= axis) dims_.resize(axis + 1, kOpen);
    if (dims_[axis] != kOpen && dims_[axis] != counts_[axis]) return ragged();
    dims_[axis] = counts_[axis];
    counts_.pop_back();
    if (!counts_.empty()) ++counts_.back();
    return {};
  }

  bool take(char wanted) {
    left_ = without_spaces(left_);
    if (left_.empty() || left_[0] != wanted) return false;
    left_.remove_prefix(1);
    return true;
  }

  static constexpr std::int64_t kOpen = -1;
  std::string_view text_, left_;
  std::vector<std::int64_t> counts_, dims_;
  std::size_t leaf_ = 0;  // brackets around each number; 0: no number yet
  Literal out_;
};

Error not_held(const Element& e, DataType type) {
  const std::string number = e.integer && !e.beyond ? fmt::format("{}", e.whole)
                             : e.beyond ? fmt::format("{}", static_cast<std::uint64_t>(e.whole))
                                        : fmt::format("{}", e.real);
  return input_error("RIDGE-RT-0046", fmt::format("{} is no {}", number, onnx::name(type)))
      .hint("write numbers that the input's type can hold");
}

bool holds(const onnx::DataTypeInfo& type, bool is_signed, const Element& e) {
  if (!e.integer) return false;
  if (e.beyond) return !is_signed && type.bits == 64;
  if (!is_signed && e.whole < 0) return false;
  const int usable = is_signed ? type.bits - 1 : type.bits;
  if (usable >= 63) return true;
  const std::int64_t past = std::int64_t{1} << usable;
  return e.whole < past && (!is_signed || e.whole >= -past);
}

bool takes_sign(DataType type) {
  return type == DataType::kInt8 || type == DataType::kInt16 || type == DataType::kInt32 ||
         type == DataType::kInt64;
}

Result<void> write_real(const Element& e, DataType type, std::span<std::byte> out) {
  const auto put = [&](auto value) { std::memcpy(out.data(), &value, sizeof(value)); };
  switch (type) {
    case DataType::kDouble:
      put(e.real);
      return {};
    case DataType::kBfloat16: {
      std::array<std::byte, sizeof(float)> narrow{};
      narrow_doubles(std::as_bytes(std::span(&e.real, 1)), DataType::kFloat, narrow);
      put(onnx::bfloat16_of(std::bit_cast<float>(narrow)));
      return {};
    }
    default:
      narrow_doubles(std::as_bytes(std::span(&e.real, 1)), type, out);
      return {};
  }
}

bool is_real(DataType type) {
  return type == DataType::kFloat || type == DataType::kDouble || type == DataType::kFloat16 ||
         type == DataType::kBfloat16;
}

}  // namespace

std::optional<std::vector<std::int64_t>> Literal::shape(std::optional<std::size_t> rank) const {
  if (dims) return dims;
  const auto count = static_cast<std::int64_t>(elements.size());
  if (count == 1 && rank.value_or(0) == 0) return std::vector<std::int64_t>{};
  if (count > 1 && rank.value_or(1) == 1) return std::vector{count};
  return std::nullopt;
}

bool Literal::fits(std::span<const std::int64_t> shape) const {
  if (dims) return std::ranges::equal(*dims, shape);
  if (elements.size() == 1) return true;
  std::size_t count = 1;
  for (const std::int64_t dim : shape) {
    if (dim < 0 || static_cast<std::size_t>(dim) > kMaxElements) return false;
    count *= static_cast<std::size_t>(dim);
    if (count > kMaxElements) return false;
  }
  return count == elements.size();
}

Result<std::optional<Literal>> parse_literal(std::string_view text) {
  const std::string_view whole = without_spaces(text);
  if (whole.starts_with('[') && whole.ends_with(']'))
    return std::optional(TRY(Brackets(whole).read()));
  Literal out;
  for (const std::string_view part : split(whole)) {
    const std::optional<Element> element = element_of(without_spaces(part));
    if (!element) return std::optional<Literal>();
    if (out.elements.size() == Literal::kMaxElements)
      return wrong(whole, "it has too many elements; pass a file");
    out.elements.push_back(*element);
  }
  return std::optional(std::move(out));
}

Result<void> write_literal(const Literal& literal, DataType type, std::span<std::byte> out) {
  const onnx::DataTypeInfo* info = onnx::info(type);
  const bool whole = info != nullptr && (info->integer || type == DataType::kBool);
  if (info == nullptr || info->bits < 8 || !(whole || is_real(type)))
    return input_error("RIDGE-RT-0046",
                       fmt::format("elements of {} cannot be written out", onnx::name(type)))
        .hint(fmt::format("pass a .pb file, a TensorProto of {}", onnx::name(type)));
  const auto width = static_cast<std::size_t>(info->bits) / 8;
  const bool one = literal.elements.size() == 1;
  for (std::size_t i = 0; i * width < out.size(); ++i) {
    const Element& e = literal.elements[one ? 0 : i];
    const std::span<std::byte> place = out.subspan(i * width, width);
    if (!whole) {
      TRY(write_real(e, type, place));
      continue;
    }
    const bool fits = type == DataType::kBool ? e.integer && (e.whole == 0 || e.whole == 1)
                                              : holds(*info, takes_sign(type), e);
    if (!fits) return not_held(e, type);
    std::memcpy(place.data(), &e.whole, width);  // little-endian: the low bytes are the value
  }
  return {};
}

}  // namespace ridge::runtime
