// SPDX-License-Identifier: Apache-2.0
#include "stats/block_figures.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stats/normal.h"
#include "stats/random.h"

namespace ridge::stats {
namespace {

using ProcessTimes = std::vector<std::vector<double>>;

std::vector<double> counted_up(int from, int to) {
  std::vector<double> out;
  for (int i = from; i <= to; ++i) out.push_back(i);
  return out;
}

/// Lognormal times of processes whose levels differ by `between`, in units of 1.
ProcessTimes drawn(Random& random, std::size_t processes, std::size_t times, double between) {
  const auto normal = [&] { return normal_quantile(random.uniform() * 0.999999 + 5e-7); };
  ProcessTimes out;
  for (std::size_t p = 0; p < processes; ++p) {
    const double level = between * normal();
    auto& process = out.emplace_back();
    for (std::size_t i = 0; i < times; ++i) process.push_back(std::exp(level + 0.1 * normal()));
  }
  return out;
}

TEST(BlockFigures, AreThoseOfTheirDefinitions) {
  EXPECT_DOUBLE_EQ(trimmed_mean(counted_up(1, 10)), 5.5);
  EXPECT_DOUBLE_EQ(trimmed_mean(std::vector<double>{1, 2, 3, 4, 1000}), 3);
  EXPECT_DOUBLE_EQ(trimmed_mean(std::vector<double>{1, 2, 3, 10}), 4) << "none is cut below five";
  EXPECT_TRUE(std::isnan(trimmed_mean({})));
  EXPECT_DOUBLE_EQ(block_quantile(ProcessTimes{counted_up(1, 10)}, 0.9).value, 9);
  EXPECT_DOUBLE_EQ(block_quantile(ProcessTimes{counted_up(1, 11)}, 0.9).value, 10);
  EXPECT_TRUE(std::isnan(block_quantile({}, 0.9).value));
}

TEST(BlockFigures, HaveNoIntervalForTooFewTimes) {
  EXPECT_FALSE(block_trimmed_mean(ProcessTimes{counted_up(1, 3), counted_up(1, 2)}).interval);
  EXPECT_TRUE(block_trimmed_mean(ProcessTimes{counted_up(1, 3), counted_up(1, 3)}).interval);
  Random random(1);
  std::vector<double> times = counted_up(1, 35);
  shuffle(times, random);
  EXPECT_FALSE(block_quantile(ProcessTimes{times}, 0.9).interval);
  times = counted_up(1, 60);
  EXPECT_FALSE(block_quantile(ProcessTimes{times}, 0.9).interval) << "they rise all the time";
  shuffle(times, random);
  EXPECT_TRUE(block_quantile(ProcessTimes{times}, 0.9).interval);
}

// n = 10, 2 cut at each end: 3 3 3 4 5 6 7 8 8 8 have a deviation of 2.1731, so that the reach is
// t(0.975, 5) = 2.5706 x 2.1731 / (0.6 sqrt(10)) = 2.9442.
TEST(BlockFigures, TrimmedMeanHasTheIntervalOfTukeyAndMcLaughlin) {
  const Estimate mean = block_trimmed_mean(ProcessTimes{counted_up(1, 10)});
  ASSERT_TRUE(mean.interval);
  EXPECT_NEAR(mean.interval->lo, 5.5 - 2.9442, 1e-3);
  EXPECT_NEAR(mean.interval->hi, 5.5 + 2.9442, 1e-3);
}

TEST(BlockFigures, IntervalsCoverProcessesThatDiffer) {
  Random random(5);
  constexpr int kDraws = 400;
  constexpr double kBetween = 0.05;
  int mean_covered = 0, p90_covered = 0;
  // The level of processes has the median 1, and the lognormal 90th percentile follows from both
  // spreads; the trimmed mean is estimated from many processes.
  const double p90 = std::exp(1.281552 * std::hypot(0.1, kBetween));
  const double mean = block_trimmed_mean(drawn(random, 2000, 50, kBetween)).value;
  for (int i = 0; i < kDraws; ++i) {
    const ProcessTimes times = drawn(random, 5, 40, kBetween);
    mean_covered += block_trimmed_mean(times).interval->contains(mean) ? 1 : 0;
    p90_covered += block_quantile(times, 0.9).interval->contains(p90) ? 1 : 0;
  }
  EXPECT_GE(mean_covered, kDraws * 93 / 100);
  EXPECT_GE(p90_covered, kDraws * 90 / 100);
}

}  // namespace
}  // namespace ridge::stats
