// SPDX-License-Identifier: Apache-2.0
// Parsing of numbers.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ridge {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Every integer up to here is a double.
inline constexpr double kMaxExact = 0x1p53;

namespace number_detail {
template <typename T>
std::optional<T> all_of(std::string_view text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end || text.empty()) return std::nullopt;
  return value;
}
}  // namespace number_detail

/// Parses all of `text` as a decimal integer of type T; nullopt if anything else is there or it
/// does not fit.
template <typename T = std::int64_t>
std::optional<T> whole_number(std::string_view text) {
  return number_detail::all_of<T>(text);
}

/// Parses all of `text` as a finite number; nullopt otherwise.
inline std::optional<double> finite_number(std::string_view text) {
  const auto value = number_detail::all_of<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace ridge
