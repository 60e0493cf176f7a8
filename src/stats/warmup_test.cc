// SPDX-License-Identifier: Apache-2.0
#include "stats/warmup.h"

#include <gtest/gtest.h>

#include <limits>

#include "stats/random.h"
#include "stats/samples.h"

namespace ridge::stats {
namespace {

struct Part {
  int count;
  double level;
};

std::vector<double> series(std::initializer_list<Part> parts, double noise,
                           std::uint64_t seed = 1) {
  Random random(seed);
  std::vector<double> out;
  for (const Part& p : parts) {
    for (int i = 0; i < p.count; ++i) out.push_back(p.level + noise * (random.uniform() - 0.5));
  }
  return out;
}

double squared_error(std::span<const double> x) {
  const double m = mean(x);
  double sum = 0;
  for (const double v : x) sum += (v - m) * (v - m);
  return sum;
}

// Tries all 2^(n-1) partitions of the series, accepting those with segments of at least two.
double cheapest_by_brute_force(std::span<const double> x, double penalty) {
  double best = std::numeric_limits<double>::infinity();
  for (unsigned cuts = 0; cuts < (1u << (x.size() - 1)); ++cuts) {
    double total = -penalty;
    std::size_t first = 0;
    bool legal = true;
    for (std::size_t i = 1; i <= x.size(); ++i) {
      if (i < x.size() && (cuts >> (i - 1) & 1) == 0) continue;
      legal = legal && i - first >= 2;
      total += squared_error(x.subspan(first, i - first)) + penalty;
      first = i;
    }
    if (legal && total < best) best = total;
  }
  return best;
}

TEST(ChangePoints, CostAsLittleAsTheBestOfAllCuts) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<double> x = series({{4, 1.0}, {3, 2.0}, {5, 1.4}}, 0.8, seed);
    const double penalty = 0.1 * static_cast<double>(seed % 5 + 1);
    double total = -penalty;
    std::vector<std::size_t> bounds = change_points(x, penalty);
    bounds.push_back(x.size());
    std::size_t first = 0;
    for (const std::size_t b : bounds) {
      total += squared_error(std::span(x).subspan(first, b - first)) + penalty;
      first = b;
    }
    EXPECT_NEAR(total, cheapest_by_brute_force(x, penalty), 1e-9) << seed;
  }
}

TEST(DetectWarmup, FindsNothingInAFlatSeries) {
  int false_alarms = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    false_alarms += detect_warmup(series({{50, 10}}, 1.0, seed)).verdict != SteadyState::kFlat;
  }
  EXPECT_LE(false_alarms, 10);
}

TEST(DetectWarmup, DropsASlowFirstSample) {
  const Warmup w = detect_warmup(series({{1, 80}, {30, 10}}, 0.2));
  EXPECT_EQ(w.verdict, SteadyState::kWarmup);
  EXPECT_EQ(w.drop, 1u);
}

TEST(DetectWarmup, DropsEveryStepOfASlowStart) {
  const Warmup w = detect_warmup(series({{8, 14}, {8, 12}, {40, 10}}, 0.2));
  EXPECT_EQ(w.verdict, SteadyState::kWarmup);
  EXPECT_EQ(w.drop, 16u);
}

TEST(DetectWarmup, CallsAFastStartASlowdown) {
  const Warmup w = detect_warmup(series({{10, 10}, {40, 13}}, 0.2));
  EXPECT_EQ(w.verdict, SteadyState::kSlowdown);
  EXPECT_EQ(w.drop, 10u);
}

TEST(DetectWarmup, FindsNoSteadyStateWhereTheEndStillChanges) {
  EXPECT_EQ(detect_warmup(series({{40, 10}, {8, 13}}, 0.2)).verdict, SteadyState::kNone);
  EXPECT_EQ(detect_warmup(series({{2, 10}, {1, 13}}, 0.2)).verdict, SteadyState::kNone);
}

TEST(DetectWarmup, IgnoresIsolatedOutliers) {
  std::vector<double> x = series({{60, 10}}, 0.2);
  x[20] = 45;
  x[41] = 90;
  EXPECT_EQ(detect_warmup(x).verdict, SteadyState::kFlat);
}

TEST(DetectWarmup, IgnoresStepsBelowTheTolerance) {
  EXPECT_EQ(detect_warmup(series({{20, 10.1}, {40, 10}}, 0.01)).verdict, SteadyState::kFlat);
  EXPECT_EQ(detect_warmup(series({{20, 10.1}, {40, 10}}, 0.01), {.tolerance = 0.005}).verdict,
            SteadyState::kWarmup);
}

TEST(DetectWarmup, TakesASeriesWithoutNoise) {
  EXPECT_EQ(detect_warmup(std::vector<double>(10, 5.0)).verdict, SteadyState::kFlat);
  const Warmup w = detect_warmup(series({{4, 20}, {12, 10}}, 0));
  EXPECT_EQ(w.verdict, SteadyState::kWarmup);
  EXPECT_EQ(w.drop, 4u);
}

}  // namespace
}  // namespace ridge::stats
