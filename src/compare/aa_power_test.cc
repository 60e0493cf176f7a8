// SPDX-License-Identifier: Apache-2.0
// False alarms and detection rate of ridge compare with default options, on recorded noise
// (bench/aa_power.cc has more experiments).
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "compare/comparison.h"
#include "compare/run_limit.h"
#include "compare/testing.h"
#include "stats/testing/recorded.h"

namespace ridge::compare {
namespace {

using stats::testing::Experiment;
using stats::testing::Noise;

/// Half the number of experiments of bench/aa_power.cc, with limits in proportion.
constexpr int kExperiments = 100, kMaxAlarms = 8, kMinFound = 78;

/// Run of a model of one layer with these latencies.
Run power_run(const char* label, const std::vector<std::vector<double>>& processes) {
  Run run = testing::run_of(label, {"conv/Conv:Conv"}, {{{0}, {}}});
  run.profile.latency = {};
  std::vector<double> all;
  for (const std::vector<double>& process : processes) {
    std::vector<std::int64_t>& samples = run.profile.latency.processes.emplace_back().samples_ns;
    for (const double ns : process) samples.push_back(std::llround(ns));
    all.insert(all.end(), process.begin(), process.end());
  }
  run.profile.latency.ns.value = stats::median(all);
  return run;
}

Experiment lasting(double seconds, double slowdown = 0) {
  return {.seconds = seconds,
          .slowdown = slowdown,
          .turn = stats::testing::kCompareTurn,
          .processes = kProcesses};
}

/// Cell of B's latency relative to A's, with all defaults of a comparison in turns.
Cell latency(const Noise& noise, const Experiment& e, int seed) {
  const auto turns = replay(noise, e, static_cast<std::uint64_t>(seed) + 1);
  const auto c = compare_runs({power_run("a", turns.first), power_run("b", turns.second)},
                              {.measuring = Measuring::kInterleaved});
  return c.ok() ? c->latency.cells[1] : Cell();
}

struct Called {
  int slower = 0, faster = 0;
};

Called call(const Noise& noise, Experiment e) {
  Called out;
  for (int i = 0; i < kExperiments; ++i) {
    e.at = noise.size() / std::size_t{kExperiments} * static_cast<std::size_t>(i);
    const Cell cell = latency(noise, e, i);
    out.slower += cell.verdict == Verdict::kSlower ? 1 : 0;
    out.faster += cell.verdict == Verdict::kFaster ? 1 : 0;
  }
  return out;
}

TEST(AaPowerSlow, FewEqualPairsAreCalledDifferent) {
  const Noise noise = stats::testing::recorded();
  SKIP_WITHOUT_NOISE(noise);
  const Called called = call(noise, lasting(60));
  EXPECT_LE(called.slower + called.faster, kMaxAlarms);
}

TEST(AaPowerSlow, MostSlowdownsOfTwoPercentAreFound) {
  const Noise noise = stats::testing::recorded();
  SKIP_WITHOUT_NOISE(noise);
  const Called called = call(noise, lasting(60, 0.02));
  EXPECT_GE(called.slower, kMinFound);
}

TEST(AaPowerSlow, ShortComparisonsRaiseNoMoreAlarms) {
  const Noise noise = stats::testing::recorded();
  SKIP_WITHOUT_NOISE(noise);
  const Called called = call(noise, lasting(0.5));
  EXPECT_LE(called.slower + called.faster, kMaxAlarms);
}

/// Counts failures of the gate of examples/ci, with the options of gate.sh and latency>1%.
/// `slowdown` is of the undisturbed operation; `apart` as in Experiment.
int gate_failures(const Noise& noise, double slowdown, double apart) {
  const RunLimit limit = *parse_run_limit("latency>1%");
  int out = 0;
  for (int i = 0; i < kExperiments; ++i) {
    Experiment e = {.seconds = 120,
                    .slowdown = slowdown,
                    .turn = stats::testing::kCompareTurn,
                    .processes = 10,
                    .apart = apart};
    e.at = noise.size() / std::size_t{kExperiments} * static_cast<std::size_t>(i);
    const auto turns = replay(noise, e, static_cast<std::uint64_t>(i) + 1);
    const auto c = compare_runs({power_run("base", turns.first), power_run("head", turns.second)},
                                {.measuring = Measuring::kInterleaved});
    out += check(limit, *c)->at(0).fails ? 1 : 0;
  }
  return out;
}

TEST(AaPowerSlow, TheGateOfOnePercentRaisesNoAlarm) {
  const Noise noise = stats::testing::recorded();
  SKIP_WITHOUT_NOISE(noise);
  EXPECT_LE(gate_failures(noise, 0, 0), 1);
  EXPECT_LE(gate_failures(noise, 0, 0.01), 3);  // the luck of processes differs
}

TEST(AaPowerSlow, TheGateOfOnePercentFindsFivePercent) {
  const Noise noise = stats::testing::recorded();
  SKIP_WITHOUT_NOISE(noise);
  EXPECT_GE(gate_failures(noise, 0.05, 0), 90);
  EXPECT_GE(gate_failures(noise, 0.05, 0.01), 90);
}

/// A slowdown of the reported `detectable` size, inserted into the same stretch of noise, is found
/// about every third time; a third of it hardly ever, three times as much nearly always.
TEST(AaPowerSlow, WhatCouldBeShownIsTheLeastThatIsFound) {
  const Noise noise = stats::testing::recorded();
  SKIP_WITHOUT_NOISE(noise);
  constexpr int kFew = 40;
  int less = 0, same = 0, more = 0;
  for (int i = 0; i < kFew; ++i) {
    Experiment e = lasting(5);
    e.at = noise.size() / std::size_t{kFew} * static_cast<std::size_t>(i);
    const Cell null = latency(noise, e, i);
    const auto found = [&](double share) {
      e.slowdown = share * *null.detectable * *null.time_ns / noise.min_ns();
      return latency(noise, e, i + 1000).verdict == Verdict::kSlower ? 1 : 0;
    };
    less += found(1.0 / 3);
    same += found(1);
    more += found(3);
  }
  EXPECT_LE(less, kFew * 2 / 10);
  EXPECT_GE(same, kFew * 2 / 10);
  EXPECT_LE(same, kFew * 7 / 10);
  EXPECT_GE(more, kFew * 8 / 10);
}

}  // namespace
}  // namespace ridge::compare
