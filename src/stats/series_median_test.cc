#include "stats/series_median.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "stats/blocks.h"
#include "stats/normal.h"
#include "stats/random.h"

namespace ridge::stats {
namespace {

double normal(Random& random) { return normal_quantile(random.uniform() * 0.999998 + 1e-6); }

/// How many of 400 series, each value `memory` of the last one and the rest new, have an interval
/// that covers their median, 0.
int covering(double memory, std::size_t n) {
  Random random(7);
  int covered = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::vector<double> series;
    double value = normal(random);
    for (std::size_t i = 0; i < n; ++i) {
      value = memory * value + std::sqrt(1 - memory * memory) * normal(random);
      series.push_back(value);
    }
    covered += series_median(series).ci.contains(0) ? 1 : 0;
  }
  return covered;
}

TEST(SeriesMedian, CoversWhereValuesAreIndependent) {
  EXPECT_GE(covering(0, 20), 380);
  EXPECT_GE(covering(0, 500), 380);
}

TEST(SeriesMedian, CoversWhereNeighboursAreAlike) { EXPECT_GE(covering(0.8, 500), 372); }

TEST(SeriesMedian, IsNotWiderThanItMustBe) {
  Random random(5);
  std::vector<double> series(4000);
  for (double& v : series) v = normal(random);
  const Interval ci = series_median(series).ci;
  // The median of n normal values scatters by sqrt(pi / 2n).
  const double exact = 2 * 1.96 * std::sqrt(3.14159 / 2 / 4000);
  EXPECT_LT(ci.hi - ci.lo, 1.8 * exact);
}

TEST(SeriesMedian, SpikesOfAnyHeightCountAlike) {
  std::vector<double> low, high;
  for (int i = 0; i < 200; ++i) {
    const bool spike = i % 9 == 0;
    low.push_back(spike ? 300 : i * 7 % 100);
    high.push_back(spike ? 1e9 : i * 7 % 100);
  }
  EXPECT_EQ(series_median(low).ci, series_median(high).ci);
}

TEST(SeriesMedian, FewValuesGiveTheirRange) {
  const std::vector<double> four = {3, 1, 2, 9};
  const Estimate e = series_median(four);
  EXPECT_EQ(e.value, 2.5);
  EXPECT_EQ(e.ci, (Interval{1, 9}));
  EXPECT_TRUE(std::isnan(series_median({}).value));
}

TEST(Blocks, AreOfNeighboursAndFillTheSeries) {
  Random random(1);
  std::vector<std::size_t> picks;
  draw_blocks(10, 4, random, picks);
  ASSERT_EQ(picks.size(), 10U);
  for (const std::size_t start : {0, 4, 8})
    for (std::size_t i = start + 1; i < std::min<std::size_t>(start + 4, 10); ++i)
      EXPECT_EQ(picks[i], (picks[i - 1] + 1) % 10);
  draw_blocks(0, 1, random, picks);
  EXPECT_TRUE(picks.empty());
}

TEST(Blocks, FewOfThemWidenTheInterval) {
  std::vector<double> draws;
  for (int i = 0; i <= 1000; ++i) draws.push_back(i * 0.001 - 0.5);
  const Interval many = drawn_interval(0, draws, 1e9), few = drawn_interval(0, draws, 11);
  EXPECT_NEAR(many.hi, 0.475, 1e-6);
  EXPECT_NEAR(few.hi, 0.475 * 2.228139 / 1.959964, 1e-4);
  EXPECT_EQ(drawn_interval(3, {}, 5), (Interval{3, 3}));
  // An interval holds its point, wherever the draws lie.
  EXPECT_TRUE(drawn_interval(2, draws, 20).contains(2));
}

}  // namespace
}  // namespace ridge::stats
