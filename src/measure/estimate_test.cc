// SPDX-License-Identifier: Apache-2.0
#include "measure/estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "measure/process_median.h"
#include "stats/samples.h"

namespace ridge::measure {
namespace {

constexpr Host kEstimateHost{.processors = 2, .threads = 1};

/// Machine with known truth: three kernels, a gap, and a profiler that adds `cost.wall_ns` per
/// event.
ProcessRuns simulate(const std::vector<double>& kernels, double gap, const EventCost& cost,
                     double noise, unsigned seed, std::size_t runs = 40) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;  // a deviation of 0 is none of its own
  ProcessRuns process{.load_ns = 100, .first_run_ns = 200};
  for (std::size_t i = 0; i < runs; ++i) {
    double plain = gap, profiled = gap;
    Run run;
    for (std::uint32_t k = 0; k < kernels.size(); ++k) {
      const double ns = kernels[k] * (1 + noise * normal(random));
      plain += ns;
      profiled += ns + cost.wall_ns;
      run.events.push_back({k, static_cast<std::int64_t>(ns + cost.inside_ns)});
    }
    run.wall_ns = static_cast<std::int64_t>(profiled);
    process.plain.push_back({.wall_ns = static_cast<std::int64_t>(plain)});
    process.profiled.push_back(std::move(run));
  }
  return process;
}

TEST(Estimate, TakesTheProfilersCostOutAndExplainsTheLatency) {
  const EventCost cost{
      .wall_ns = 9'000, .inside_ns = 2'000, .resolution_ns = 3'000, .cheapest_kernel_ns = 900};
  const std::vector<double> truth = {500'000, 50'000, 4'000};
  const std::vector<ProcessRuns> processes = {simulate(truth, 30'000, cost, 0.005, 1),
                                              simulate(truth, 30'000, cost, 0.005, 2),
                                              simulate(truth, 30'000, cost, 0.005, 3)};
  const Estimates e = estimate(processes, 3, cost, kEstimateHost);
  EXPECT_NEAR(e.latency.ns.value, 584'000, 1'500);
  EXPECT_LE(e.latency.ns.low(), e.latency.ns.value);
  EXPECT_GE(e.latency.ns.high(), e.latency.ns.value);
  EXPECT_NEAR(e.profiling.gaps_ns, 30'000, 600);
  EXPECT_NEAR(e.profiling.excess_ns.value, 27'000, 1'500);
  double sum = 0;
  for (std::uint32_t k = 0; k < 3; ++k) {
    const double ns = stats::median(corrected(e, {k}));
    EXPECT_NEAR(ns, truth[k], 0.01 * truth[k]) << k;
    sum += ns;
  }
  EXPECT_NEAR((sum + e.profiling.gaps_ns) / e.latency.ns.value, 1.0, 0.005);
}

TEST(Estimate, AnEventThatCostsMoreInTheModelThanInTheChainsIsSeen) {
  const EventCost chains{.wall_ns = 8'000, .inside_ns = 4'000},
      here{.wall_ns = 40'000, .inside_ns = 20'000};
  const std::vector<double> truth = {5'000'000, 5'000'000, 5'000'000};
  std::vector<ProcessRuns> processes;
  for (unsigned seed = 1; seed <= 3; ++seed)
    processes.push_back(simulate(truth, 50'000, here, 0.001, seed));
  const Estimates e = estimate(processes, 3, chains, kEstimateHost);
  EXPECT_NEAR(e.profiling.gaps_ns, 50'000, 5'000);
  for (std::uint32_t k = 0; k < 3; ++k)
    EXPECT_NEAR(stats::median(corrected(e, {k})), truth[k], 0.001 * truth[k]);
}

/// Each process draws one random factor per run and layer, `luck` times as wide as the noise of
/// single runs.
TEST(Estimate, IntervalsCoverWhereProcessesDifferAsMuchAsRuns) {
  constexpr double kNoise = 0.01;
  constexpr int kTrials = 400;
  for (const std::size_t count : {3U, 5U})
    for (const double luck : {0.0, 1.0, 2.0}) {
      std::mt19937 random(11);
      std::normal_distribution<double> normal;
      int latency = 0, layer = 0;
      for (int trial = 0; trial < kTrials; ++trial) {
        std::vector<ProcessRuns> processes;
        for (std::size_t p = 0; p < count; ++p)
          processes.push_back(simulate({1e6 * (1 + luck * kNoise * normal(random))}, 0, {}, kNoise,
                                       static_cast<unsigned>(random()), 20));
        const Estimates e = estimate(processes, 1, {}, kEstimateHost);
        const auto covers = [](const stats::Estimate& of) {
          return of.low() <= 1e6 && 1e6 <= of.high();
        };
        latency += covers(e.latency.ns) ? 1 : 0;
        layer += covers(time_of(e, {0})) ? 1 : 0;
      }
      EXPECT_GE(latency, 0.93 * kTrials) << count << " processes, luck " << luck;
      EXPECT_GE(layer, 0.93 * kTrials) << count << " processes, luck " << luck;
    }
}

TEST(Estimate, FewerThanSixRunsHaveNoInterval) {
  const stats::Estimate e = estimate_of({{3, 1, 2}, {5, 4}});
  EXPECT_DOUBLE_EQ(e.value, 3);
  EXPECT_TRUE(std::isnan(e.low()));
  EXPECT_TRUE(std::isnan(e.high()));
}

TEST(Estimate, LoadingTimesThatWroteTheGraphTooDoNotCount) {
  std::vector<ProcessRuns> processes(3, simulate({1'000'000}, 0, {}, 0.0, 1));
  processes[0].load_ns = 0;
  processes[1].load_ns = processes[2].load_ns = 500;
  EXPECT_EQ(estimate(processes, 1, {}, kEstimateHost).load_ns, 500);
}

TEST(Estimate, ALayerOfSeveralKernelsIsTheirSumRunByRun) {
  const std::vector<ProcessRuns> processes = {simulate({100'000, 200'000}, 0, {}, 0.0, 1)};
  const Estimates e = estimate(processes, 2, {}, kEstimateHost);
  EXPECT_DOUBLE_EQ(time_of(e, {0, 1}).value, 300'000);
  EXPECT_DOUBLE_EQ(e.executions[1], 1);
}

/// Ten kernels of 600 ns next to one of 500 us, in a model where an event adds 1.5 us to a
/// duration; the chains measure 3 us, more than the short kernels report.
TEST(Estimate, NoEventCostsMoreThanTheShortestKernelsReport) {
  const EventCost chains{
      .wall_ns = 6'000,
      .inside_ns = 3'000,
      .cheapest_kernel_ns = 600,
      .draws = {{.wall_ns = 6'000, .inside_ns = 2'800}, {.wall_ns = 6'000, .inside_ns = 1'000}}},
      here{.wall_ns = 6'000, .inside_ns = 1'500};
  std::vector<double> truth(10, 600);
  truth.push_back(500'000);
  const Estimates e = estimate({simulate(truth, 5'000, here, 0.001, 1)}, 11, chains, kEstimateHost);
  EXPECT_NEAR(e.profiling.event_share_ns, 1'500, 15);
  EXPECT_NEAR(stats::median(corrected(e, {0})), 600, 30);
  EXPECT_NEAR(stats::median(corrected(e, {10})), 500'000, 1'000);
  EXPECT_NEAR(e.cost.draws[0].inside_ns, 1'500, 15);
  EXPECT_EQ(e.cost.draws[1].inside_ns, 1'000);
  EXPECT_EQ(e.cost.wall_ns, 6'000);
}

TEST(Estimate, OneKernelThatReportsLittleDoesNotBoundTheCostOfAll) {
  const EventCost cost{.wall_ns = 6'000, .inside_ns = 3'000};
  std::vector<double> truth(40, 20'000);
  Estimates e = estimate({simulate(truth, 0, cost, 0.0, 1)}, 40, cost, kEstimateHost);
  for (auto& run : e.kernel_runs[0]) run[7] = 100;
  EXPECT_NEAR(share_bound(e, 1'000), 22'000, 10);
  // Kernels without time do not count.
  for (auto& run : e.kernel_runs[0]) run[8] = run[9] = run[10] = 0;
  EXPECT_NEAR(share_bound(e, 1'000), 22'000, 10);
}

TEST(Estimate, CorrectionStopsAtZero) {
  const EventCost cost{.wall_ns = 9'000, .inside_ns = 5'000};
  const Estimates e = estimate({simulate({100}, 0, EventCost{}, 0.0, 1)}, 1, cost, kEstimateHost);
  EXPECT_DOUBLE_EQ(stats::median(corrected(e, {0})), 0);
}

TEST(Estimate, NothingMeasuredGivesNothing) {
  const Estimates e = estimate({}, 3, {}, kEstimateHost);
  EXPECT_TRUE(e.latency.processes.empty());
  EXPECT_EQ(e.latency.ns.value, 0);
}

TEST(Gate, PairsUnderForeignLoadGo) {
  ProcessRuns p = simulate({1'000'000}, 0, {}, 0.002, 7, 30);
  for (std::size_t i = 10; i < 20; ++i) p.plain[i].foreign_cpus = 1.5;
  const Kept kept = gate(p, kEstimateHost);
  EXPECT_EQ(kept.disturbed, 10U);
  EXPECT_FALSE(kept.busy);
  for (const std::size_t i : kept.pairs) EXPECT_TRUE(i < 10 || i >= 20);
}

TEST(Gate, AFreeProcessorMayBeUsedByOthers) {
  ProcessRuns p = simulate({1'000'000}, 0, {}, 0.002, 7, 30);
  for (auto& run : p.plain) run.foreign_cpus = 1.0;
  EXPECT_EQ(gate(p, {.processors = 2, .threads = 1}).disturbed, 0U);
  EXPECT_TRUE(gate(p, {.processors = 2, .threads = 2}).busy);
}

TEST(Gate, OnABusyMachineTheQuietestPairsAreKeptAndSaidSo) {
  ProcessRuns p = simulate({1'000'000}, 0, {}, 0.002, 7, 30);
  for (std::size_t i = 0; i < p.plain.size(); ++i)
    p.plain[i].foreign_cpus = 2.0 + static_cast<double>(i);
  const Kept kept = gate(p, kEstimateHost);
  EXPECT_TRUE(kept.busy);
  EXPECT_EQ(kept.pairs, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5}));
}

}  // namespace
}  // namespace ridge::measure
