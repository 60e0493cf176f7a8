// SPDX-License-Identifier: Apache-2.0
#include "stats/samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stats/random.h"

namespace ridge::stats {
namespace {

std::vector<double> uniform_sample(std::size_t n, Random& random) {
  std::vector<double> out(n);
  for (double& v : out) v = random.uniform();
  return out;
}

TEST(Median, IsTheMiddleOrTheMeanOfTheTwoMiddleValues) {
  EXPECT_EQ(median(std::vector<double>{3, 1, 2}), 2);
  EXPECT_EQ(median(std::vector<double>{4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median(std::vector<double>{7}), 7);
}

TEST(Median, OfNothingIsNaNNotZero) {
  EXPECT_TRUE(std::isnan(median({})));
  EXPECT_TRUE(std::isnan(mad({})));
  EXPECT_TRUE(std::isnan(mean({})));
}

TEST(Quantile, InterpolatesBetweenOrderStatistics) {
  // Values of numpy.quantile([15, 20, 35, 40, 50], q) with its default method, which is type 7.
  const std::vector<double> x = {35, 20, 15, 50, 40};
  EXPECT_DOUBLE_EQ(quantile(x, 0.0), 15);
  EXPECT_DOUBLE_EQ(quantile(x, 0.05), 16);
  EXPECT_DOUBLE_EQ(quantile(x, 0.3), 23);
  EXPECT_DOUBLE_EQ(quantile(x, 0.4), 29);
  EXPECT_DOUBLE_EQ(quantile(x, 1.0), 50);
}

TEST(Mad, IgnoresOneWildValue) { EXPECT_EQ(mad(std::vector<double>{1, 2, 3, 4, 1000}), 1); }

TEST(Limited, MovesFarValuesToTheLimitAndNoOthers) {
  // Median 3, MAD 1: the limit at two deviations is 3 +- 2.965.
  const std::vector<double> x = {1, 2, 3, 4, 1000};
  std::vector<double> expected = x;
  expected[4] = 3 + 2 * kMadToSigma;
  EXPECT_EQ(limited(x, 2, 0), expected);
  EXPECT_EQ(limited(x, 2000, 0), x);
  // Without spread the least one counts: 1 % of 10.
  const std::vector<double> equal = {10, 10, 10, 11, 9};
  EXPECT_EQ(limited(equal, 3, 0.01), (std::vector<double>{10, 10, 10, 10.3, 9.7}));
  EXPECT_TRUE(limited({}, 3, 0.01).empty());
}

TEST(AsDoubles, KeepsNanosecondsExactly) {
  const std::vector<std::int64_t> ns = {0, 1, (std::int64_t{1} << 53) - 1};
  EXPECT_EQ(as_doubles(ns), (std::vector<double>{0, 1, 9007199254740991.0}));
}

// Ranks (1-based) of the 95 % order-statistic interval of the median; Conover, Practical
// Nonparametric Statistics, and by hand from Pascal's triangle: for n = 10, P(B <= 1) = 11/1024 <=
// 0.025 < P(B <= 2) = 56/1024.
struct Ranks {
  std::size_t n, lo, hi;
};

TEST(MedianInterval, TakesTheTextbookRanks) {
  for (const Ranks r : {Ranks{6, 1, 6},
                        {8, 1, 8},
                        {9, 2, 8},
                        {10, 2, 9},
                        {20, 6, 15},
                        {30, 10, 21},
                        {100, 40, 61}}) {
    std::vector<double> x(r.n);
    for (std::size_t i = 0; i < r.n; ++i) x[i] = static_cast<double>(r.n - i);  // value = rank
    const auto ci = median_interval(x);
    ASSERT_TRUE(ci.has_value()) << r.n;
    EXPECT_EQ(ci->lo, static_cast<double>(r.lo)) << r.n;
    EXPECT_EQ(ci->hi, static_cast<double>(r.hi)) << r.n;
  }
}

TEST(MedianInterval, RefusesASampleThatIsTooSmall) {
  EXPECT_FALSE(median_interval({}).has_value());
  EXPECT_FALSE(median_interval(std::vector<double>{1, 2, 3, 4, 5}).has_value());
}

TEST(QuantileInterval, RefusesTheNinetyNinthPercentileOfTooFewValues) {
  Random random(3);
  EXPECT_FALSE(quantile_interval(uniform_sample(367, random), 0.99).has_value());
  EXPECT_TRUE(quantile_interval(uniform_sample(368, random), 0.99).has_value());
}

TEST(QuantileInterval, CoversTheTrueQuantileAsOftenAsPromised) {
  Random random(11);
  constexpr int kTrials = 4000;
  for (const double q : {0.25, 0.5, 0.9}) {
    int covered = 0;
    for (int t = 0; t < kTrials; ++t) {
      const auto ci = quantile_interval(uniform_sample(60, random), q);
      ASSERT_TRUE(ci.has_value());
      covered += ci->contains(q) ? 1 : 0;
    }
    EXPECT_GE(covered, kTrials * 0.94) << q;
    EXPECT_LE(covered, kTrials * 0.99) << q;
  }
}

}  // namespace
}  // namespace ridge::stats
