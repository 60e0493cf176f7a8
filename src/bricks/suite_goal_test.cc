// Which bricks the next process has, and when a goal is reached.
#include "bricks/suite_goal.h"

#include <gtest/gtest.h>

#include "bricks/suite_process.h"

namespace ridge::bricks {
namespace {

using profile::SuiteProcess;

constexpr measure::Host kHost{.processors = 2, .threads = 1};

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
SuiteProcess process(const std::vector<std::pair<std::string, std::int64_t>>& times) {
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
  const std::vector<std::size_t> next = to_measure(plan_of_two(), {}, {});
  EXPECT_EQ(next, (std::vector<std::size_t>{1, 2, 0}));
}

TEST(SuiteGoal, AddsTheOccurrencesOfAModel) {
  const std::vector<SuiteProcess> processes(4, process({{"a", 1000}, {"b", 5000}, {"c", 700}}));
  const Plan plan = plan_of_two();
  const BrickTimes times(processes, kHost);
  const std::vector<ModelProgress> models = progress_of(plan, times, {});
  ASSERT_EQ(models.size(), 2U);
  EXPECT_NEAR(models[0].estimate.median, 7000, 1e-6);
  EXPECT_NEAR(models[1].estimate.median, 700, 1e-6);
  EXPECT_TRUE(models[0].reached);
  EXPECT_TRUE(to_measure(plan, times, {}).empty());
  EXPECT_EQ(to_measure(plan, times, {.processes = 5}).size(), 3U);
}

TEST(SuiteGoal, OnlyBricksThatMakeAModelWideAreMeasuredAgain) {
  std::vector<SuiteProcess> processes;
  for (const std::int64_t b : {5000, 6000, 5000, 6000})
    processes.push_back(process({{"a", 1000}, {"b", b}, {"c", 700}}));
  const BrickTimes times(processes, kHost);
  const std::vector<ModelProgress> models = progress_of(plan_of_two(), times, {});
  EXPECT_FALSE(models[0].reached);
  EXPECT_TRUE(models[1].reached);
  EXPECT_EQ(to_measure(plan_of_two(), times, {}), (std::vector<std::size_t>{1}));
  EXPECT_TRUE(to_measure(plan_of_two(), times, {.most_processes = 4}).empty());
}

TEST(SuiteGoal, ABrickThatIsSlowWithTheOthersIsMeasuredAgainWithThem) {
  // In processes 1 and 3 everything takes a fifth longer. Measuring b alone again would leave the
  // variance that a brings.
  std::vector<SuiteProcess> processes;
  for (const std::int64_t slow : {10, 12, 10, 12})
    processes.push_back(process({{"a", 250 * slow}, {"b", 600 * slow}, {"c", 700}}));
  const BrickTimes times(processes, kHost);
  EXPECT_EQ(to_measure(plan_of_two(), times, {}), (std::vector<std::size_t>{1, 0}));
}

TEST(SuiteGoal, ALostBrickIsTriedAgainOnlyIfTimeWasShort) {
  std::vector<SuiteProcess> processes(4, process({{"a", 1000}, {"c", 700}}));
  processes[0].lost = {{"b", "it crashed"}};
  {
    const BrickTimes times(processes, kHost);
    const std::vector<ModelProgress> models = progress_of(plan_of_two(), times, {});
    EXPECT_EQ(models[0].unmeasured, 1U);
    EXPECT_FALSE(models[0].reached);
    EXPECT_TRUE(models[1].reached);
    EXPECT_TRUE(to_measure(plan_of_two(), times, {}).empty());
  }
  processes[0].lost = {{"b", kBudgetSpent}};
  EXPECT_EQ(to_measure(plan_of_two(), BrickTimes(processes, kHost), {}),
            (std::vector<std::size_t>{1}));
}

}  // namespace
}  // namespace ridge::bricks
