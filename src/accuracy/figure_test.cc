// SPDX-License-Identifier: Apache-2.0
// Oracles: the bootstrap of stats/, the closed form of a mean's interval, and coverage of a known
// mean.
#include "accuracy/figure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "stats/random.h"

namespace ridge::accuracy {
namespace {

std::vector<double> uniform_values(std::size_t n, std::uint64_t seed) {
  stats::Random random(seed);
  std::vector<double> values(n);
  for (double& v : values) v = random.uniform();
  return values;
}

TEST(Figure, AMeanHasTheIntervalOfItsStandardError) {
  const auto values = uniform_values(400, 3);
  const Figure figure = mean_figure(values);
  EXPECT_NEAR(figure.value, stats::mean(values), 1e-12);
  EXPECT_EQ(figure.samples, 400);
  const double half = 1.96 * stats::deviation(values) / std::sqrt(400.0);
  ASSERT_TRUE(figure.interval);
  EXPECT_NEAR(figure.interval->lo, figure.value - half, 0.1 * half);
  EXPECT_NEAR(figure.interval->hi, figure.value + half, 0.1 * half);
}

TEST(Figure, IsThatOfTheBootstrapOverValues) {
  const auto values = uniform_values(50, 5);
  const stats::Estimate expected = stats::percentile_bootstrap(values, stats::mean);
  const Figure figure = mean_figure(values);
  EXPECT_NEAR(figure.interval->lo, expected.low(), 1e-12);
  EXPECT_NEAR(figure.interval->hi, expected.high(), 1e-12);
}

// 300 samples of 60: at 95 % the count of misses has mean 15 and deviation 3.8.
TEST(Figure, CoversTheMeanOfThePopulation) {
  int covered = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    stats::BootstrapOptions options;
    options.resamples = 400;
    options.seed = seed;
    covered += mean_figure(uniform_values(60, 1000 + seed), options).interval->contains(0.5);
  }
  EXPECT_GE(covered, 270);
  EXPECT_LE(covered, 297);
}

TEST(Figure, AValueThatIsNotFiniteShows) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Figure figure = mean_figure(std::vector<double>{1, infinity});
  EXPECT_EQ(figure.value, infinity);
  EXPECT_FALSE(figure.interval);
  EXPECT_TRUE(std::isnan(mean_figure(std::vector<double>{1, std::nan("")}).value));
  EXPECT_TRUE(std::isnan(mean_figure({}).value));
}

// The ratio has no value for the one resample in four that draws the first sample twice.
TEST(Figure, HasNoIntervalIfManyResamplesHaveNoValue) {
  const Figure figure =
      resampled(2, [](Weights weights) { return weight_of(weights, 1) > 0 ? 1.0 : std::nan(""); });
  EXPECT_EQ(figure.value, 1);
  EXPECT_FALSE(figure.interval);
}

TEST(Figure, AProportionWithoutTrialsHasNoValue) {
  EXPECT_TRUE(std::isnan(proportion(0, 0).value));
  EXPECT_EQ(proportion(3, 4).value, 0.75);
}

}  // namespace
}  // namespace ridge::accuracy
