// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic on untrusted numbers: overflow returns nullopt, which the caller must handle;
// it never wraps.
#pragma once

#include <cstdint>
#include <optional>

namespace ridge {

template <typename T>
[[nodiscard]] constexpr std::optional<T> checked_add(T a, T b) {
  T out{};
  return __builtin_add_overflow(a, b, &out) ? std::nullopt : std::optional<T>(out);
}

template <typename T>
[[nodiscard]] constexpr std::optional<T> checked_sub(T a, T b) {
  T out{};
  return __builtin_sub_overflow(a, b, &out) ? std::nullopt : std::optional<T>(out);
}

template <typename T>
[[nodiscard]] constexpr std::optional<T> checked_mul(T a, T b) {
  T out{};
  return __builtin_mul_overflow(a, b, &out) ? std::nullopt : std::optional<T>(out);
}

/// Returns the quotient rounded toward minus infinity. `b` must not be 0.
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  const std::int64_t q = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

/// Returns the quotient rounded toward plus infinity. `b` must not be 0.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  const std::int64_t q = a / b;
  return (a % b != 0 && (a < 0) == (b < 0)) ? q + 1 : q;
}

}  // namespace ridge
