// SPDX-License-Identifier: Apache-2.0
#include "stats/proportion.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ridge::stats {
namespace {

// Newcombe 1998, table I, method 3.
TEST(WilsonInterval, MatchesPublishedValues) {
  const struct {
    std::int64_t successes, trials;
    double low, high;
  } kCases[] = {{81, 263, 0.2553, 0.3662},
                {15, 148, 0.0624, 0.1605},
                {0, 20, 0, 0.1611},
                {1, 29, 0.0061, 0.1718}};
  for (const auto& c : kCases) {
    const auto interval = wilson_interval(c.successes, c.trials, 0.95);
    ASSERT_TRUE(interval);
    EXPECT_NEAR(interval->lo, c.low, 5e-5) << c.successes << " of " << c.trials;
    EXPECT_NEAR(interval->hi, c.high, 5e-5) << c.successes << " of " << c.trials;
  }
}

// The ends are the proportions from which the sample lies z standard errors away.
TEST(WilsonInterval, EndsWhereTheScoreTestDoes) {
  constexpr double kZ = 1.6448536269514722;  // 90 %
  for (std::int64_t n = 1; n <= 12; ++n)
    for (std::int64_t k = 0; k <= n; ++k) {
      const double share = static_cast<double>(k) / static_cast<double>(n);
      const auto interval = wilson_interval(k, n, 0.90);
      ASSERT_TRUE(interval);
      for (const double end : {interval->lo, interval->hi})
        EXPECT_NEAR(std::pow(share - end, 2), kZ * kZ * end * (1 - end) / static_cast<double>(n),
                    1e-12)
            << k << " of " << n;
      EXPECT_TRUE(interval->contains(share));
      EXPECT_GE(interval->lo, 0);
      EXPECT_LE(interval->hi, 1);
    }
}

TEST(WilsonInterval, IsTheSameForFailures) {
  const auto four = wilson_interval(4, 5, 0.95), one = wilson_interval(1, 5, 0.95);
  EXPECT_NEAR(four->lo, 1 - one->hi, 1e-15);
  EXPECT_NEAR(four->hi, 1 - one->lo, 1e-15);
}

TEST(WilsonInterval, NeedsTrials) { EXPECT_FALSE(wilson_interval(0, 0, 0.95)); }

}  // namespace
}  // namespace ridge::stats
