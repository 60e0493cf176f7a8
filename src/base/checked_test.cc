// SPDX-License-Identifier: Apache-2.0
#include "base/checked.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace ridge {
namespace {

// Compares every pair of 8-bit numbers with arithmetic in a wider type.
TEST(Checked, AgreesWithWideArithmeticOnAllBytes) {
  for (int a = INT8_MIN; a <= INT8_MAX; ++a) {
    for (int b = INT8_MIN; b <= INT8_MAX; ++b) {
      const auto x = static_cast<std::int8_t>(a);
      const auto y = static_cast<std::int8_t>(b);
      const auto expect = [&](std::optional<std::int8_t> got, int wide) {
        const bool fits = wide >= INT8_MIN && wide <= INT8_MAX;
        ASSERT_EQ(got.has_value(), fits) << a << ' ' << b;
        if (fits) {
          ASSERT_EQ(*got, wide) << a << ' ' << b;
        }
      };
      expect(checked_add(x, y), a + b);
      expect(checked_sub(x, y), a - b);
      expect(checked_mul(x, y), a * b);
    }
  }
}

TEST(Checked, RefusesTheEdgesOf64Bits) {
  EXPECT_EQ(checked_add<std::int64_t>(INT64_MAX, 1), std::nullopt);
  EXPECT_EQ(checked_sub<std::int64_t>(INT64_MIN, 1), std::nullopt);
  EXPECT_EQ(checked_mul<std::int64_t>(INT64_MIN, -1), std::nullopt);
  EXPECT_EQ(checked_mul<std::int64_t>(std::int64_t{1} << 32, std::int64_t{1} << 31), std::nullopt);
  EXPECT_EQ(checked_mul<std::uint64_t>(UINT64_MAX, 1), UINT64_MAX);
}

TEST(Checked, DivisionRoundsAsItsNameSays) {
  for (std::int64_t a = -20; a <= 20; ++a) {
    for (std::int64_t b = -7; b <= 7; ++b) {
      if (b == 0) continue;
      std::int64_t floor = -100;  // the largest q with q <= a / b, found by search
      while (b > 0 ? (floor + 1) * b <= a : (floor + 1) * b >= a) ++floor;
      EXPECT_EQ(floor_div(a, b), floor) << a << ' ' << b;
      EXPECT_EQ(ceil_div(a, b), floor * b == a ? floor : floor + 1) << a << ' ' << b;
    }
  }
}

}  // namespace
}  // namespace ridge
