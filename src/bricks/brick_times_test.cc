// SPDX-License-Identifier: Apache-2.0
// Times of bricks out of recorded processes: medians, the cost of events, disturbed runs, and bricks
// that were lost.
#include "bricks/brick_times.h"
#include "bricks/testing.h"

#include <gtest/gtest.h>

namespace ridge::bricks {
namespace {

using profile::SuiteProcess;
using testing::kHost;

/// Chains of kernels of 1,000 ns whose events add 40 ns to themselves and 90 ns to the run, with 300
/// ns outside kernels: the example of measure/event_cost.cc.
void add_chains(SuiteProcess& process, std::int64_t bytes = 0, std::int64_t inside_ns = 40) {
  for (const std::uint32_t kernels : {20U, 60U})
    for (std::uint32_t round = 0; round < 10; ++round)
      process.chains.push_back({.kernels = kernels,
                                .round = round,
                                .plain_ns = 300 + kernels * 1000,
                                .profiled_ns = 1000 + kernels * 1090,
                                .reported_ns = kernels * (1000 + inside_ns),
                                .foreign_cpus = 0,
                                .bytes = bytes});
}

profile::SuiteBrick reported_brick(const std::string& key,
                                   const std::vector<std::int64_t>& reported, std::uint32_t events,
                                   const std::vector<double>& load = {}) {
  profile::SuiteBrick out{.key = key, .kind = "Conv|float32", .macs = 100, .bytes = 10};
  for (std::size_t i = 0; i < reported.size(); ++i)
    out.runs.push_back({.round = static_cast<std::uint32_t>(i),
                        .reported_ns = reported[i],
                        .events = events,
                        .foreign_cpus = i < load.size() ? load[i] : 0});
  return out;
}

TEST(BrickTimes, SubtractTheCostOfEventsFromTheMean) {
  SuiteProcess process;
  add_chains(process);
  // Two events of 40 ns each. Skewed: the mean is 5120 - 80, not 5000 - 80.
  process.bricks = {reported_brick("a", {4900, 5000, 5000, 5300, 5400}, 2)};
  const BrickTimes times(std::span(&process, 1), kHost);
  ASSERT_NE(times.find("a"), nullptr);
  EXPECT_NEAR(times.find("a")->mean_ns(), 5120 - 2 * 40, 1e-6);
  EXPECT_EQ(times.find("a")->size.macs, 100);
  ASSERT_EQ(times.outside().size(), 1U);
  EXPECT_NEAR(times.outside()[0].ns, 300, 1e-6);
  EXPECT_EQ(times.find("b"), nullptr);
}

TEST(BrickTimes, TheCostOfAnEventGrowsWithTheBytesThatItsKernelTouches) {
  SuiteProcess process;
  add_chains(process, 1 << 10, 20);
  add_chains(process, 1 << 20, 60);
  const auto time_of = [&](std::int64_t bytes, std::uint32_t events) {
    process.bricks = {reported_brick("a", {5000, 5000, 5000}, events)};
    process.bricks[0].bytes = bytes;
    return BrickTimes(std::span(&process, 1), kHost).find("a")->mean_ns();
  };
  EXPECT_NEAR(time_of(1, 1), 5000 - 20, 1e-6);
  EXPECT_NEAR(time_of(1 << 10, 1), 5000 - 20, 1e-6);
  EXPECT_NEAR(time_of(1 << 15, 1), 5000 - 40, 1e-6);  // halfway in powers of two
  EXPECT_NEAR(time_of(2 << 15, 2), 5000 - 2 * 40, 1e-6);
  EXPECT_NEAR(time_of(1 << 20, 1), 5000 - 60, 1e-6);
  EXPECT_NEAR(time_of(1 << 30, 1), 5000 - 60, 1e-6);
}

TEST(BrickTimes, LimitRunsFarFromTheMedian) {
  SuiteProcess process;
  add_chains(process);
  // Median 5080 and MAD 20: at most three deviations of 1.4826 * 20, or of 1 % of the median.
  process.bricks = {reported_brick("a", {5040, 5060, 5080, 5100, 90'000}, 2)};
  const BrickTimes times(std::span(&process, 1), kHost);
  const double limit = 5080 + 3 * 0.01 * 5080;
  const double mean = (5040 + 5060 + 5080 + 5100 + limit) / 5;
  EXPECT_NEAR(times.find("a")->mean_ns(), mean - 2 * 40, 1);
}

TEST(BrickTimes, AverageChainsOverTwoRoundsBecauseTheFirstOfATurnFindsColdCaches) {
  SuiteProcess process;
  add_chains(process);
  // In every other round the plain run comes first and takes 500 ns longer, else the profiled one,
  // whatever their lengths: the differences are -500 or +500 beside the example's.
  for (profile::ChainRun& run : process.chains) {
    (run.round % 2 == 0 ? run.plain_ns : run.profiled_ns) += 500;
    if (run.round % 2 == 1) run.reported_ns += 500;
  }
  // One more round with a plain run in front: a median over single rounds would follow it.
  for (const std::uint32_t kernels : {20U, 60U})
    process.chains.push_back({.kernels = kernels,
                              .round = 10,
                              .plain_ns = 800 + kernels * 1000,
                              .profiled_ns = 1000 + kernels * 1090,
                              .reported_ns = kernels * 1040,
                              .foreign_cpus = 0});
  process.bricks = {reported_brick("a", {1040, 1040, 1040}, 1)};
  const BrickTimes times(std::span(&process, 1), kHost);
  EXPECT_NEAR(times.find("a")->mean_ns(), 1000, 1e-6);
  EXPECT_NEAR(times.outside()[0].ns, 300, 1e-6);
}

TEST(BrickTimes, AWholeModelTakesTheMedianOfItsRuns) {
  SuiteProcess process;
  add_chains(process);
  process.bricks = {reported_brick("m", {4900, 5000, 5000, 5400, 5500}, 0)};
  const BrickTimes times(std::span(&process, 1), kHost);
  EXPECT_EQ(times.find("m")->mean_ns(), 5000);
  EXPECT_EQ(times.find("m")->state_ns, 0);
}

TEST(BrickTimes, KeepProcessesApart) {
  std::vector<SuiteProcess> processes(3);
  for (SuiteProcess& p : processes) add_chains(p);
  processes[0].bricks = {reported_brick("a", {1040, 1040, 1040}, 1)};
  processes[2].bricks = {reported_brick("a", {3040, 3040, 3040}, 1)};
  const BrickTimes times(processes, kHost);
  const ProcessTimes& a = times.find("a")->times;
  ASSERT_EQ(a.size(), 2U);
  EXPECT_EQ(a[0].process, 0U);
  EXPECT_EQ(a[1].process, 2U);
  EXPECT_NEAR(mean(a), 2000, 1e-6);
  EXPECT_EQ(times.processes(), 3U);
}

TEST(BrickTimes, DropDisturbedRunsButKeepTheQuietest) {
  SuiteProcess process;
  add_chains(process);
  // One processor is left idle: a load of 1.1 is allowed.
  process.bricks = {reported_brick("a", {1040, 9040, 1040, 1040, 9040}, 1, {0, 1.5, 1.0, 0.5, 2}),
                    reported_brick("b", {1040, 2040, 3040, 9040}, 1, {1.2, 1.3, 1.4, 2})};
  const BrickTimes times(std::span(&process, 1), kHost);
  EXPECT_NEAR(times.find("a")->mean_ns(), 1000, 1e-6);
  EXPECT_EQ(times.find("a")->times[0].runs, 3U);
  EXPECT_NEAR(times.find("b")->mean_ns(), 2000, 1e-6);
  EXPECT_EQ(times.runs(), 9U);
  EXPECT_EQ(times.disturbed(), 3U);
}

TEST(BrickTimes, ADisturbedProcessDoesNotCountBesideTwoQuietOnes) {
  std::vector<SuiteProcess> processes(3);
  for (SuiteProcess& p : processes) add_chains(p);
  processes[0].bricks = {reported_brick("a", {1040, 1040, 1040}, 1)};
  processes[1].bricks = {reported_brick("a", {5040, 5040, 5040}, 1, {1.4, 1.4, 1.4})};
  EXPECT_NEAR(BrickTimes(processes, kHost).find("a")->mean_ns(), 3000, 1e-6);
  processes[2].bricks = {reported_brick("a", {1240, 1240, 1240}, 1, {1.4, 0, 0, 0})};
  EXPECT_NEAR(BrickTimes(processes, kHost).find("a")->mean_ns(), 3000 - 2000 / 3.0 + 200 / 3.0,
              1e-6);  // one of its three runs is disturbed, too
  processes[2].bricks = {reported_brick("a", {1240, 1240, 1240, 1240}, 1, {1.4, 0, 0, 0})};
  EXPECT_NEAR(BrickTimes(processes, kHost).find("a")->mean_ns(), 1100, 1e-6);
}

TEST(BrickTimes, ABrickIsLostUntilSomeProcessMeasuresIt) {
  std::vector<SuiteProcess> processes(2);
  for (SuiteProcess& p : processes) add_chains(p);
  processes[0].bricks = {reported_brick("a", {}, 0), reported_brick("b", {}, 0)};
  processes[0].lost = {{"a", "it crashed"}, {"b", "no time"}, {"c", "other kernels"}};
  processes[1].bricks = {reported_brick("b", {1040, 1040, 1040}, 1)};
  const BrickTimes times(processes, kHost);
  EXPECT_EQ(times.lost("a"), "it crashed");
  EXPECT_EQ(times.lost("b"), "");
  EXPECT_EQ(times.lost("c"), "other kernels");
  EXPECT_EQ(times.lost("d"), "");
  ASSERT_EQ(times.unmeasured().size(), 1U);
  EXPECT_EQ(times.unmeasured()[0].macs, 100);
}

}  // namespace
}  // namespace ridge::bricks
