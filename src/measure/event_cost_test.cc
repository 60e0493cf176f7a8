// SPDX-License-Identifier: Apache-2.0
#include "measure/event_cost.h"

#include <gtest/gtest.h>

#include "measure/testing/coverage.h"
#include "stats/testing/recorded.h"

namespace ridge::measure {
namespace {

/// Chain on a machine that becomes slower by `slower` after every run.
LeveledRuns chain(int kernels, double slower) {
  constexpr double kKernel = 1000, kBase = 300, kFixed = 700, kWall = 90, kInside = 40;
  LeveledRuns out{.events = kernels};
  double drift = 0;
  for (int i = 0; i < 30; ++i, drift += slower) {
    const double plain = kBase + kernels * kKernel + drift;
    out.plain_ns.push_back(plain);
    out.profiled_ns.push_back(plain + kFixed + kernels * kWall);
    out.reported_ns.push_back(plain - kBase + kernels * kInside);
  }
  return out;
}

TEST(EventCost, PartsWhatAnEventCostsFromWhatARunCosts) {
  const EventCost c = event_cost(chain(20, 0), chain(60, 0));
  EXPECT_NEAR(c.wall_ns, 90, 1e-9);
  EXPECT_NEAR(c.inside_ns, 40, 1e-9);
  EXPECT_NEAR(c.fixed_ns, 700, 1e-9);
  EXPECT_NEAR(kernel_slope(chain(20, 0), chain(60, 0)), 1000, 1e-9);
}

TEST(EventCost, DriftOfTheMachineDoesNotCount) {
  const EventCost c = event_cost(chain(20, 500), chain(60, 2000));
  EXPECT_NEAR(c.wall_ns, 90, 1e-9);
  EXPECT_NEAR(c.inside_ns, 40, 1e-9);
  const stats::Estimate wall = event_interval(c);
  EXPECT_NEAR(wall.high() - wall.low(), 0, 1e-9);
}

TEST(EventCost, NoRunsGiveNoCost) {
  const EventCost c = event_cost({.events = 20}, chain(60, 0));
  EXPECT_EQ(c.wall_ns, 0);
  EXPECT_TRUE(c.draws.empty());
  EXPECT_EQ(event_interval({.wall_ns = 5}).high(), 5);
}

/// bench/leveled_coverage.cc runs four hundred experiments.
TEST(LeveledCoverageSlow, IntervalsCoverTheTruthOfSyntheticTraces) {
  const auto noise = stats::testing::recorded();
  SKIP_WITHOUT_NOISE(noise);
  const auto c = testing::coverages(noise, 100);
  // 100 experiments determine 93 % only to within 5 %; the layers have a thousand intervals.
  EXPECT_GE(c.layers.share(), 0.93);
  EXPECT_GE(c.event_cost.share(), 0.88);
  EXPECT_GE(c.fixed_cost.share(), 0.88);
  EXPECT_GE(c.total.share(), 0.93);
  EXPECT_GE(c.predicted.share(), 0.93);
  EXPECT_GE(c.deeper_event_cost.share(), 0.88);
  EXPECT_GE(c.deeper_fixed_cost.share(), 0.88);
  EXPECT_GE(c.deepest.share(), 0.93);
  EXPECT_EQ(c.deeper_event_cost.intervals, 2 * 100);
}

/// With processes as far apart as runs; bench/leveled_coverage.cc has other values and four hundred
/// experiments.
TEST(LeveledCoverageSlow, IntervalsCoverTheTruthWhereProcessesDiffer) {
  const auto noise = stats::testing::recorded();
  SKIP_WITHOUT_NOISE(noise);
  const auto c = testing::coverages(noise, 60, {.luck = 1});
  EXPECT_GE(c.latency.share(), 0.93);
  EXPECT_GE(c.profiled_latency.share(), 0.93);
  EXPECT_GE(c.reported.share(), 0.93);
  EXPECT_GE(c.layers.share(), 0.93);
  EXPECT_GE(c.total.share(), 0.93);
  EXPECT_GE(c.predicted.share(), 0.93);
  EXPECT_GE(c.deepest.share(), 0.93);
}

}  // namespace
}  // namespace ridge::measure
