// SPDX-License-Identifier: Apache-2.0
#include "stats/bootstrap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ridge::stats {
namespace {

// Exhaustive bootstrap distribution of the mean of five values: all 5^5 resamples, no random
// numbers.
std::vector<double> every_resampled_mean(const std::vector<double>& x) {
  std::vector<double> out;
  for (int code = 0; code < 3125; ++code) {
    double sum = 0;
    for (int i = 0, rest = code; i < 5; ++i, rest /= 5)
      sum += x[static_cast<std::size_t>(rest % 5)];
    out.push_back(sum / 5);
  }
  std::sort(out.begin(), out.end());
  return out;
}

const std::vector<double> kSkewed = {1.0, 1.3, 2.1, 3.7, 9.2};

TEST(PercentileBootstrap, ApproachesTheExhaustiveDistribution) {
  const std::vector<double> all = every_resampled_mean(kSkewed);
  const Estimate e = percentile_bootstrap(kSkewed, mean, {.resamples = 200'000});
  EXPECT_NEAR(e.low(), quantile_of_sorted(all, 0.025), 0.03);
  EXPECT_NEAR(e.high(), quantile_of_sorted(all, 0.975), 0.03);
}

TEST(PercentileBootstrap, IsTheSameForTheSameSeed) {
  EXPECT_EQ(percentile_bootstrap(kSkewed, median), percentile_bootstrap(kSkewed, median));
}

TEST(PercentileBootstrap, OfEqualValuesIsAPoint) {
  const Estimate e = percentile_bootstrap(std::vector<double>(12, 3.5), median);
  EXPECT_EQ(e.value, 3.5);
  EXPECT_EQ(e.samples, 12);
  EXPECT_EQ(e.interval, (Interval{3.5, 3.5}));
}

TEST(PercentileBootstrap, OfNothingIsNaN) {
  const Estimate e = percentile_bootstrap({}, median);
  EXPECT_TRUE(std::isnan(e.value));
  EXPECT_FALSE(e.interval);
}

}  // namespace
}  // namespace ridge::stats
