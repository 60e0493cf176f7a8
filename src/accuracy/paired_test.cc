// SPDX-License-Identifier: Apache-2.0
// Oracles: all outcomes of the coin tosses; the score of a difference with the most likely shares
// found by search; the coverage of the interval, summed over all tables of counts.
#include "accuracy/paired.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "stats/random.h"

namespace ridge::accuracy {
namespace {

/// Share of the 2^n ways to toss that split at least as unevenly.
double by_enumeration(int only_first, int only_second) {
  const int n = only_first + only_second;
  int as_uneven = 0;
  for (unsigned tosses = 0; tosses < 1U << n; ++tosses)
    if (std::abs(2 * std::popcount(tosses) - n) >= std::abs(only_first - only_second)) ++as_uneven;
  return std::ldexp(as_uneven, -n);
}

TEST(McNemar, IsTheShareOfOutcomes) {
  for (int b = 0; b <= 14; ++b)
    for (int c = 0; b + c <= 14; ++c)
      EXPECT_NEAR(mcnemar_exact(b, c), by_enumeration(b, c), 1e-13) << b << ", " << c;
}

// Large counts: the normal approximation with correction for continuity.
TEST(McNemar, ApproachesTheNormalDistribution) {
  for (const std::int64_t c : {500100, 501000, 502000}) {
    const std::int64_t b = 500000;
    const double z = (std::abs(static_cast<double>(b - c)) - 1) / std::sqrt(b + c);
    const double expected = std::erfc(z / std::sqrt(2.0));
    EXPECT_NEAR(mcnemar_exact(b, c), expected, 2e-3 * expected) << c;
  }
  EXPECT_EQ(mcnemar_exact(0, 0), 1);
  EXPECT_EQ(mcnemar_exact(7, 7), 1);
  EXPECT_NEAR(mcnemar_exact(0, 1000), std::ldexp(1, -999), 1e-310);
}

/// Score of a difference: its standard error from the shares that maximize the likelihood of the
/// table, found by search.
double score_by_search(const PairedCounts& t, double delta) {
  const auto n = static_cast<double>(t.samples());
  const auto likelihood = [&](double first) -> double {
    const double second = first + delta, same = 1 - first - second;
    if (first < 0 || second < 0 || same < 0) return -INFINITY;
    const auto part = [](std::int64_t count, double p) {
      return count == 0 ? 0.0 : static_cast<double>(count) * std::log(p);
    };
    return part(t.only_first, first) + part(t.only_second, second) + part(t.both + t.neither, same);
  };
  double low = std::max(0.0, -delta), high = (1 - delta) / 2;
  for (int i = 0; i < 200; ++i) {  // the likelihood is concave
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    (likelihood(a) < likelihood(b) ? low : high) = likelihood(a) < likelihood(b) ? a : b;
  }
  const double first = (low + high) / 2;
  const double variance = (2 * first + delta - delta * delta) / n;
  return (static_cast<double>(t.only_second - t.only_first) / n - delta) / std::sqrt(variance);
}

TEST(TangoInterval, EndsWhereTheScoreTestDoes) {
  constexpr double kZ = 1.6448536269514722;  // 90 %
  stats::Random random(1);
  for (int i = 0; i < 300; ++i) {
    const auto count = [&](std::size_t most) {
      return static_cast<std::int64_t>(random.below(most));
    };
    const PairedCounts t{count(20), count(8), count(8), 1 + count(20)};
    const auto interval = tango_interval(t, 0.90);
    ASSERT_TRUE(interval);
    EXPECT_NEAR(score_by_search(t, interval->lo), kZ, 1e-5);
    EXPECT_NEAR(score_by_search(t, interval->hi), -kZ, 1e-5);
  }
}

TEST(TangoInterval, IsSymmetricAndWithinOne) {
  for (std::int64_t b = 0; b <= 6; ++b)
    for (std::int64_t c = 0; c <= 6; ++c)
      for (std::int64_t rest = b + c == 0 ? 1 : 0; rest <= 3; ++rest) {
        const auto i = tango_interval({rest, b, c, 0}, 0.95);
        const auto turned = tango_interval({0, c, b, rest}, 0.95);
        EXPECT_NEAR(i->lo, -turned->hi, 1e-12);
        EXPECT_GE(i->lo, -1);
        EXPECT_LE(i->hi, 1);
        EXPECT_TRUE(i->contains(static_cast<double>(c - b) / static_cast<double>(b + c + rest)));
      }
  EXPECT_FALSE(tango_interval({}, 0.95));
}

/// Probability that the interval contains the difference, over all tables of n samples.
double coverage(int n, double first, double second) {
  double covered = 0;
  for (int b = 0; b <= n; ++b)
    for (int c = 0; b + c <= n; ++c) {
      const int rest = n - b - c;
      const auto interval = tango_interval({rest, b, c, 0}, 0.95);
      if (!interval->contains(second - first)) continue;
      covered += std::exp(std::lgamma(n + 1) - std::lgamma(b + 1) - std::lgamma(c + 1) -
                          std::lgamma(rest + 1) + b * std::log(first) + c * std::log(second) +
                          rest * std::log(1 - first - second));
    }
  return covered;
}

TEST(TangoInterval, CoversAsOftenAsItSays) {
  double sum = 0, least = 1;
  int cases = 0;
  for (const int n : {20, 40})
    for (double first = 0.05; first < 0.5; first += 0.1)
      for (double second = 0.05; second < 0.5; second += 0.1, ++cases) {
        const double share = coverage(n, first, second);
        sum += share;
        least = std::min(least, share);
      }
  EXPECT_NEAR(sum / cases, 0.95, 0.01);
  EXPECT_GT(least, 0.92);
}

TEST(CompareShares, NamesTheChangedSamples) {
  const std::vector<std::uint8_t> first = {1, 1, 0, 0, 1, 1}, second = {1, 0, 1, 0, 0, 0};
  const PairedShares p = compare_shares(first, second).value();
  EXPECT_EQ(p.lost, (std::vector<std::size_t>{1, 4, 5}));
  EXPECT_EQ(p.gained, (std::vector<std::size_t>{2}));
  EXPECT_EQ(p.counts.both, 1);
  EXPECT_EQ(p.counts.neither, 1);
  EXPECT_NEAR(p.difference.value, -2.0 / 6, 1e-15);
  EXPECT_TRUE(p.difference.interval->contains(0));
  EXPECT_NEAR(p.p_value, 0.625, 1e-13);  // 10 of 16 ways to toss
  EXPECT_EQ(p.difference.samples, 6);
  EXPECT_TRUE(std::isnan(compare_shares({}, {})->difference.value));
  EXPECT_EQ(compare_shares(first, {}).error().text(),
            "error: comparison of evaluations: 6 samples in the first, but 0 in the second\n"
            "  hint: both must come from the same samples in the same order\n"
            "  [RIDGE-ACCU-0001]\n");
}

}  // namespace
}  // namespace ridge::accuracy
