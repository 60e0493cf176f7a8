// SPDX-License-Identifier: Apache-2.0
// Quantities with the unit in the type. Nanoseconds and bytes cannot be mixed; the ratio of two
// quantities of one unit is a plain double.
//
//   Nanos t = Nanos{1'500} + Nanos{500};   double share = t / total;
#pragma once

#include <compare>
#include <cstdint>

namespace ridge {

template <typename Tag>
struct Quantity {
  std::int64_t count = 0;

  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity& operator+=(Quantity o) { return count += o.count, *this; }
  constexpr Quantity& operator-=(Quantity o) { return count -= o.count, *this; }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.count + b.count}; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.count - b.count}; }
  friend constexpr Quantity operator*(Quantity a, std::int64_t k) { return {a.count * k}; }
  friend constexpr double operator/(Quantity a, Quantity b) {
    return static_cast<double>(a.count) / static_cast<double>(b.count);
  }
};

using Nanos = Quantity<struct NanosTag>;
using Bytes = Quantity<struct BytesTag>;

constexpr double seconds(Nanos t) { return static_cast<double>(t.count) * 1e-9; }

}  // namespace ridge
