// SPDX-License-Identifier: Apache-2.0
// Costs of levels with known truth, and results of threads and counters for a made-up measurement.
#include "measure/levels.h"

#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

using runtime::Mode;

/// Machine that becomes slower after every round, with levels of exact cost.
std::vector<DeeperPair> rounds(int count, double slower) {
  std::vector<DeeperPair> out;
  for (int i = 0; i < count; ++i) {
    const double plain = 1'000'000 + slower * i;
    DeeperPair pair{.plain_ns = plain};
    pair.runs.part[kThreadLevel] = {plain + 700 + 2 * 90, 2};
    pair.runs.whole[kThreadLevel] = {plain + 700 + 4 * 90, 4};
    pair.runs.part[kCounterLevel] = {plain + 50 + 10 * 300, 10};
    pair.runs.whole[kCounterLevel] = {plain + 50 + 20 * 300, 20};
    pair.runs.deepest_ns = plain + 9'999;
    out.push_back(pair);
  }
  return out;
}

TEST(Levels, ALevelsCostIsPartedIntoReadingsAndRun) {
  const std::vector<DeeperCost> costs = deeper_costs({rounds(20, 500), rounds(20, -300)});
  ASSERT_EQ(costs.size(), 2U);
  EXPECT_EQ(costs[0].level, profile::Level::kThread);
  EXPECT_EQ(costs[0].events, 4);
  EXPECT_NEAR(costs[0].cost.wall_ns, 90, 1e-6);
  EXPECT_NEAR(costs[0].cost.fixed_ns, 700, 1e-6);
  EXPECT_EQ(costs[1].level, profile::Level::kCounter);
  EXPECT_NEAR(costs[1].cost.wall_ns, 300, 1e-6);
  EXPECT_NEAR(costs[1].cost.fixed_ns, 50, 1e-6);
  EXPECT_EQ(costs[1].walls_ns[1].size(), 20U);
  EXPECT_EQ(deepest_walls({rounds(2, 0)})[0], (std::vector<double>{1'009'999, 1'009'999}));
}

TEST(Levels, RoundsWithAnotherNumberOfReadingsAreLeftOut) {
  std::vector<DeeperPair> pairs = rounds(20, 0);
  for (std::size_t i = 0; i < 5; ++i) pairs[i].runs.whole[kThreadLevel] = {9e9, 3};
  const std::vector<DeeperCost> costs = deeper_costs({pairs});
  EXPECT_NEAR(costs[0].cost.wall_ns, 90, 1e-6);
  EXPECT_EQ(costs[0].walls_ns[0].size(), 15U);
}

TEST(Levels, WithoutRunsOfALevelItHasNoCost) {
  EXPECT_TRUE(deeper_costs({}).empty());
  EXPECT_TRUE(deeper_costs({{DeeperPair{.plain_ns = 5}}}).empty());
}

/// One run of mode thread and one of mode counter.
ProcessMeasurement threaded_process(std::vector<runtime::ThreadWork> threads,
                                    std::vector<runtime::CounterValue> counters) {
  ProcessMeasurement p;
  p.measurement.threads = {{1, "main"}, {2, "pool"}};
  p.measurement.counters = {{"page-faults", "", "perf software", ""},
                            {"cycles", "", "perf hardware", ""},
                            {"LLC-loads", "", "", "perf_event_open: No such file or directory"}};
  p.measurement.samples = {{.mode = Mode::kThread}, {.mode = Mode::kCounter}};
  p.measurement.deep = {{.sample = 0, .threads = std::move(threads)},
                        {.sample = 1, .counters = std::move(counters)}};
  return p;
}

TEST(Levels, ThreadsAreMatchedByPositionAndBalanceIsOverThoseThatWereGiven) {
  profile::Levels levels;
  summarize_threads({threaded_process({{0, 300, 5, 1}, {1, 100, -1, -1}}, {}),
                     threaded_process({{0, 300, 7, 3}, {1, 100, -1, -1}}, {})},
                    4, levels);
  ASSERT_EQ(levels.threads.size(), 2U);
  EXPECT_EQ(levels.threads[1].name, "pool");
  EXPECT_EQ(levels.threads[1].cpu_ns.value, 100);
  EXPECT_EQ(levels.threads[0].wait_ns->value, 6);
  EXPECT_EQ(levels.threads[0].switches->value, 2);
  EXPECT_FALSE(levels.threads[1].wait_ns.has_value());
  EXPECT_EQ(levels.imbalance->value, 3);  // 300 / (400 / 4)
}

TEST(Levels, CountersWithoutValuesSayWhy) {
  profile::Levels levels;
  summarize_threads({threaded_process({}, {{0, 12, 10, 10}, {1, 400, 100, 25}}),
                     threaded_process({}, {{0, 14, 10, 10}})},
                    1, levels);
  ASSERT_EQ(levels.counters.size(), 3U);
  EXPECT_EQ(levels.counters[0].value->value, 13);
  EXPECT_EQ(levels.counters[0].running_share, 1);
  EXPECT_EQ(levels.counters[1].value->value, 400);
  EXPECT_EQ(levels.counters[1].running_share, 0.25);
  EXPECT_FALSE(levels.counters[2].value.has_value());
  EXPECT_EQ(levels.counters[2].reason, "perf_event_open: No such file or directory");
  EXPECT_FALSE(levels.imbalance.has_value());
}

TEST(Levels, ACounterThatNeverRanSaysSo) {
  profile::Levels levels;
  summarize_threads({threaded_process({}, {{0, 12, 10, 10}})}, 1, levels);
  EXPECT_FALSE(levels.counters[1].value.has_value());
  EXPECT_NE(levels.counters[1].reason, "");
}

}  // namespace
}  // namespace ridge::measure
