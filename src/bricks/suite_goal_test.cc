// SPDX-License-Identifier: Apache-2.0
// The choice of bricks for the next process, and the end of a suite.
#include "bricks/suite_goal.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "bricks/suite_process.h"
#include "bricks/testing.h"

namespace ridge::bricks {
namespace {

using profile::SuiteProcess;
using testing::kHost;

/// Models m and n: m has brick a twice and b once, n has c.
Plan plan_of_two() {
  const auto brick = [](const std::string& key, std::int64_t macs) {
    return Brick{.key = key, .file = key + ".onnx", .macs = macs, .kernels = {"Conv"}};
  };
  Plan plan;
  plan.models = {{.name = "m"}, {.name = "n"}};
  plan.bricks = {brick("a", 10), brick("b", 1000), brick("c", 50)};
  plan.bricks[0].occurrences = {{"m", {0}}, {"m", {2}}};
  plan.bricks[1].occurrences = {{"m", {1}}};
  plan.bricks[2].occurrences = {{"n", {0}}};
  return plan;
}

/// One process with these times; no event costs anything and nothing is outside kernels.
SuiteProcess process_of_times(const std::vector<std::pair<std::string, std::int64_t>>& times) {
  SuiteProcess out;
  for (const std::uint32_t kernels : {20U, 60U})
    for (std::uint32_t round = 0; round < 6; ++round)
      out.chains.push_back({.kernels = kernels,
                            .round = round,
                            .plain_ns = kernels * 1000,
                            .profiled_ns = kernels * 1000,
                            .reported_ns = kernels * 1000,
                            .foreign_cpus = 0});
  for (const auto& [key, ns] : times) {
    profile::SuiteBrick b{.key = key, .kind = "Conv|float32", .macs = 1};
    for (std::uint32_t round = 0; round < 3; ++round) b.runs.push_back({round, ns, 1, 0});
    out.bricks.push_back(b);
  }
  return out;
}

TEST(SuiteGoal, EverythingIsMeasuredFirstAndTheMostWorkBeforeTheRest) {
  const std::vector<Wanted> next = to_measure(plan_of_two(), {}, {});
  EXPECT_EQ(next, (std::vector<Wanted>{{1, {0}}, {2, {0}}, {0, {0}}}));
}

// b is of the model alone, c of its copy; a, which both have, was measured often enough.
TEST(SuiteGoal, BricksThatDifferAreMeasuredInTheSameProcesses) {
  Plan plan = plan_of_two();
  plan.bricks[0].occurrences.push_back({"n", {2}});
  SuiteGoal goal;
  goal.width = 1;
  std::vector<SuiteProcess> processes(goal.processes, process_of_times({{"a", 1000}, {"b", 5000}}));
  EXPECT_EQ(to_measure(plan, {processes, kHost, 0}, goal), (std::vector<Wanted>{{2, {0}}}));
  goal.paired = true;
  EXPECT_EQ(to_measure(plan, {processes, kHost, 0}, goal),
            (std::vector<Wanted>{{1, {0}}, {2, {0}}}));
  for (std::uint32_t i = 0; i < goal.processes; ++i)
    processes.push_back(process_of_times({{"b", 5000}, {"c", 5000}}));
  EXPECT_TRUE(to_measure(plan, {processes, kHost, 0}, goal).empty());
}

TEST(SuiteGoal, ABrickRunsAmongAsMuchMemoryAsIsAliveInItsModelsInTheMean) {
  Plan plan = plan_of_two();
  plan.bricks[0].occurrences = {{"m", {0}, 100}, {"m", {2}, 100}, {"n", {4}, 400}};
  const std::vector<Wanted> next = to_measure(plan, {}, {});
  EXPECT_EQ(next, (std::vector<Wanted>{{1, {0}, 0}, {2, {0}, 0}, {0, {0}, 200}}));
}

// Half of what the models that have it read and write, at most twice the cache.
TEST(SuiteGoal, LargeWeightsRunAtTheDistanceOfTheirModels) {
  Plan plan = plan_of_two();
  plan.bricks[0].occurrences = {{"m", {0}}, {"n", {0}}};
  plan.models[0].traffic_bytes = 60'000;
  plan.models[1].traffic_bytes = 20'000;
  const std::vector<Wanted> next = to_measure(plan, {{}, kHost, 13'000}, {});
  ASSERT_EQ(next.size(), 3U);
  EXPECT_EQ(next[0].far_bytes, 26'000);                 // b, of m
  EXPECT_EQ(next[1].far_bytes, 10'000);                 // c, of n
  EXPECT_EQ(next[2].far_bytes, (26'000 + 10'000) / 2);  // a, of both
}

TEST(SuiteGoal, AModelThatIsOneBrickHasNoTimeOutside) {
  std::vector<SuiteProcess> processes(4, process_of_times({{"a", 1000}, {"b", 5000}, {"c", 700}}));
  for (SuiteProcess& p : processes)
    for (profile::ChainRun& run : p.chains) run.plain_ns += 300;
  Plan plan = plan_of_two();
  plan.bricks[2].whole = true;
  const std::vector<ModelProgress> models = progress_of(plan, SuiteTimes(processes, kHost, 0), {});
  EXPECT_NEAR(models[0].estimate.value, 2 * 1000 + 5000 + 300, 1e-6);
  EXPECT_NEAR(models[1].estimate.value, 700, 1e-6);
}

TEST(SuiteGoal, AddsTheOccurrencesOfAModel) {
  const std::vector<SuiteProcess> processes(
      4, process_of_times({{"a", 1000}, {"b", 5000}, {"c", 700}}));
  const Plan plan = plan_of_two();
  const SuiteTimes times(processes, kHost, 0);
  const std::vector<ModelProgress> models = progress_of(plan, times, {});
  ASSERT_EQ(models.size(), 2U);
  EXPECT_NEAR(models[0].estimate.value, 7000, 1e-6);
  EXPECT_NEAR(models[1].estimate.value, 700, 1e-6);
  EXPECT_TRUE(models[0].reached);
  EXPECT_TRUE(to_measure(plan, times, {}).empty());
  EXPECT_EQ(to_measure(plan, times, {.processes = 5}).size(), 3U);
}

TEST(SuiteGoal, OnlyBricksThatMakeAModelWideAreMeasuredAgain) {
  std::vector<SuiteProcess> processes;
  for (const std::int64_t b : {5000, 6000, 5000, 6000})
    processes.push_back(process_of_times({{"a", 1000}, {"b", b}, {"c", 700}}));
  const SuiteTimes times(processes, kHost, 0);
  const std::vector<ModelProgress> models = progress_of(plan_of_two(), times, {});
  EXPECT_FALSE(models[0].reached);
  EXPECT_TRUE(models[1].reached);
  EXPECT_EQ(to_measure(plan_of_two(), times, {}), (std::vector<Wanted>{{1, {0}}}));
  EXPECT_TRUE(to_measure(plan_of_two(), times, {.max_processes = 4}).empty());
}

TEST(SuiteGoal, AModelOutOfReachIsLeftTooWide) {
  // Half-widths after four processes are t(3) = 3.18 times 5,000 * spread / 2. Of 3 % as many
  // processes are needed as 4 * (half-width / 3 %)^2 * (1.96 / 3.18)^2.
  const auto next = [](std::int64_t more, std::uint32_t most) {
    std::vector<SuiteProcess> processes;
    for (const std::int64_t b : {5000 - more, 5000 + more, 5000 - more, 5000 + more})
      processes.push_back(process_of_times({{"a", 1}, {"b", b}, {"c", 700}}));
    return to_measure(plan_of_two(), SuiteTimes(processes, kHost, 0), {.max_processes = most})
        .size();
  };
  EXPECT_EQ(next(500, 60), 1U);  // +-18.4 %: 57 processes
  EXPECT_EQ(next(500, 50), 0U);
  EXPECT_EQ(next(600, 60), 0U);  // +-22 %: 82 processes
}

TEST(SuiteGoal, ABrickThatIsSlowWithTheOthersIsMeasuredAgainWithThem) {
  // In processes 1 and 3 everything takes a fifth longer. Measuring b alone again would leave the
  // variance that a brings.
  std::vector<SuiteProcess> processes;
  for (const std::int64_t slow : {10, 12, 10, 12})
    processes.push_back(process_of_times({{"a", 250 * slow}, {"b", 600 * slow}, {"c", 700}}));
  const SuiteTimes times(processes, kHost, 0);
  EXPECT_EQ(to_measure(plan_of_two(), times, {}), (std::vector<Wanted>{{1, {0}}, {0, {0}}}));
}

TEST(SuiteGoal, ALostBrickIsTriedAgainOnlyIfTimeWasShort) {
  std::vector<SuiteProcess> processes(4, process_of_times({{"a", 1000}, {"c", 700}}));
  processes[0].lost = {{"b", "it crashed"}};
  {
    const SuiteTimes times(processes, kHost, 0);
    const std::vector<ModelProgress> models = progress_of(plan_of_two(), times, {});
    EXPECT_EQ(models[0].unmeasured, 1U);
    EXPECT_FALSE(models[0].reached);
    EXPECT_TRUE(models[1].reached);
    EXPECT_TRUE(to_measure(plan_of_two(), times, {}).empty());
  }
  processes[0].lost = {{"b", kBudgetSpent}};
  EXPECT_EQ(to_measure(plan_of_two(), SuiteTimes(processes, kHost, 0), {}),
            (std::vector<Wanted>{{1, {0}}}));
}

TEST(SuiteGoal, BricksAreMeasuredAtTheReuseDistancesOfTheModelsThatHaveThem) {
  // The second model fits into the cache, the first does not, and both have brick 1.
  Plan plan = plan_of_two();
  plan.models[0].resident_bytes = 1000;
  plan.models[1].resident_bytes = 100;
  plan.bricks[1].occurrences.push_back({plan.models[1].name, {9}});
  constexpr std::int64_t kCache = 100, kNear = kMinReuse;
  using Pairs = std::vector<std::pair<std::size_t, std::int64_t>>;
  const auto wanted = [&](const std::vector<SuiteProcess>& processes) {
    Pairs out;
    for (const Wanted& w : to_measure(plan, SuiteTimes(processes, kHost, kCache), {}))
      for (const std::int64_t reuse : w.reuse_bytes) out.emplace_back(w.brick, reuse);
    std::ranges::sort(out);
    return out;
  };
  EXPECT_EQ(wanted({}), (Pairs{{0, 0}, {1, 0}, {1, kNear}, {2, kNear}}));
  std::vector<SuiteProcess> processes(4, process_of_times({{"a", 1000}, {"b", 5000}, {"c", 700}}));
  EXPECT_EQ(wanted(processes), (Pairs{{1, kNear}, {2, kNear}}));
  const std::vector<ModelProgress> before =
      progress_of(plan, SuiteTimes(processes, kHost, kCache), {});
  EXPECT_NEAR(before[1].estimate.value, 5700, 1e-6);  // those at 0 stand for both
  for (SuiteProcess& p : processes) {
    p.bricks.push_back(p.bricks[1]);
    p.bricks.push_back(p.bricks[2]);
    for (std::size_t i = 3; i < 5; ++i) {
      p.bricks[i].reuse_bytes = kNear;
      for (profile::BrickRun& run : p.bricks[i].runs) run.reported_ns -= 100;
    }
  }
  EXPECT_TRUE(wanted(processes).empty());
  const std::vector<ModelProgress> after =
      progress_of(plan, SuiteTimes(processes, kHost, kCache), {});
  EXPECT_NEAR(after[0].estimate.value, before[0].estimate.value, 1e-6);
  EXPECT_NEAR(after[1].estimate.value, 5500, 1e-6);
}

}  // namespace
}  // namespace ridge::bricks
