// SPDX-License-Identifier: Apache-2.0
// Sums of times with processes as clusters: a worked example, and coverage of the intervals over
// simulated suites, for every number of processes that users get.
#include "bricks/spread.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stats/normal.h"
#include "stats/random.h"

namespace ridge::bricks {
namespace {

ProcessTimes times(const std::vector<double>& ns) {
  ProcessTimes out;
  for (std::size_t p = 0; p < ns.size(); ++p)
    out.push_back({.process = static_cast<std::uint32_t>(p), .ns = ns[p], .runs = 10});
  return out;
}

TEST(Spread, AddsTheExampleOfTheHeader) {
  const ProcessTimes conv = times({100, 110, 90}), relu = times({10, 11, 9});
  const std::vector<Term> terms = {{&conv, 4}, {&relu, 2}};
  const stats::Estimate sum = sum_of(terms);
  EXPECT_DOUBLE_EQ(sum.value, 420);
  EXPECT_NEAR(sum.high() - sum.value, 4.3027 * std::sqrt(588), 0.01);
  EXPECT_NEAR(sum.value - sum.low(), 4.3027 * std::sqrt(588), 0.01);
}

TEST(Spread, OpposedBricksOfAProcessCancel) {
  const ProcessTimes up = times({100, 110, 90}), down = times({100, 90, 110});
  const std::vector<Term> terms = {{&up, 1}, {&down, 1}};
  const stats::Estimate sum = sum_of(terms);
  EXPECT_NEAR(sum.high() - sum.low(), 0, 1e-9);
}

TEST(Spread, OneProcessGivesNoInterval) {
  const ProcessTimes two = times({100, 110}), one = times({100});
  const std::vector<Term> terms = {{&two, 1}, {&one, 1}};
  const stats::Estimate sum = sum_of(terms);
  EXPECT_DOUBLE_EQ(sum.value, 205);
  EXPECT_TRUE(std::isnan(sum.low()));
  EXPECT_TRUE(std::isnan(sum.high()));
  EXPECT_TRUE(std::isinf(relative_half_width(sum)));
}

TEST(Spread, PredictedTimesAddTheirOwnVariance) {
  const ProcessTimes a = times({100, 110, 90});
  const std::vector<Term> terms = {{&a, 1}};
  const std::vector<PredictedTerm> predicted = {{.ns = 50, .half_width_ns = 20}};
  const stats::Estimate alone = sum_of(terms), both = sum_of(terms, predicted);
  EXPECT_DOUBLE_EQ(both.value, 150);
  EXPECT_NEAR(both.high() - both.value, std::hypot(alone.high() - alone.value, 20), 1e-9);
}

TEST(Spread, CutsAddTheStatesOfEachBrickAndAPartOfTheSum) {
  const ProcessTimes conv = times({100, 110, 90}), relu = times({10, 11, 9});
  const std::vector<Term> terms = {{&conv, 4, 5}, {&relu, 2, 3}};
  const stats::Estimate sum = sum_of(terms), all = with_cuts(sum, terms);
  const double cuts = 20.0 * 20 + 6.0 * 6 + 4.2 * 4.2;  // 4 * 5, 2 * 3, 1 % of 420
  const double half = std::sqrt(4.3027 * 4.3027 * 588 + 1.95996 * 1.95996 * cuts);
  EXPECT_DOUBLE_EQ(all.value, 420);
  EXPECT_NEAR(all.high() - 420, half, 0.01);
  EXPECT_NEAR(420 - all.low(), half, 0.01);
  const ProcessTimes one = times({100});
  const std::vector<Term> single = {{&one, 1, 5}};
  EXPECT_TRUE(std::isnan(with_cuts(sum_of(single), single).low()));
}

TEST(Spread, LimitsATimeFarFromTheOthers) {
  ProcessTimes t = times({100, 102, 98, 101, 99, 210});
  limit_outliers(t);
  EXPECT_DOUBLE_EQ(t[0].ns, 100);
  // Deviations from 100.5: 0.5, 1.5, 2.5, 0.5, 1.5, 109.5; their median is 1.5.
  EXPECT_NEAR(t[5].ns, 100.5 + 4 * 1.4826 * 1.5, 0.01);
  ProcessTimes few = times({100, 100, 100, 100, 300});
  limit_outliers(few);
  EXPECT_DOUBLE_EQ(few[4].ns, 300);
}

double standard_normal(stats::Random& random) {
  return stats::normal_quantile(std::max(1e-12, random.uniform()));
}

/// Share of 2,000 simulated suites whose interval contains the true sum. Every brick of a process
/// shares its luck, and has its own beside it; bricks from `late` on have half of the processes.
double spread_coverage(std::uint32_t processes, double shared, double own, std::size_t late) {
  constexpr std::size_t kBricks = 12;
  constexpr int kSuites = 2000;
  stats::Random random(processes);
  int hits = 0;
  for (int suite = 0; suite < kSuites; ++suite) {
    std::vector<double> luck(processes);
    for (double& l : luck) l = shared * standard_normal(random);
    std::vector<ProcessTimes> bricks(kBricks);
    std::vector<Term> terms;
    double truth = 0;
    for (std::size_t b = 0; b < kBricks; ++b) {
      const double time = 100 + 10 * static_cast<double>(b), count = b % 3 == 0 ? 4 : 1;
      truth += count * time;
      for (std::uint32_t p = 0; p < processes; p += b >= late ? 2 : 1)
        bricks[b].push_back({p, time * (1 + luck[p] + own * standard_normal(random)), 10});
      limit_outliers(bricks[b]);
      terms.push_back({&bricks[b], count});
    }
    const stats::Estimate sum = sum_of(terms);
    hits += sum.low() <= truth && truth <= sum.high() ? 1 : 0;
  }
  return static_cast<double>(hits) / kSuites;
}

TEST(Spread, IntervalsCoverWhereProcessesDiffer) {
  for (const std::uint32_t processes : {2U, 3U, 4U, 6U, 10U}) {
    SCOPED_TRACE(processes);
    for (const auto& [shared, own] : {std::pair(0.05, 0.0), {0.0, 0.05}, {0.02, 0.05}}) {
      const double covered = spread_coverage(processes, shared, own, 12);
      EXPECT_GE(covered, 0.93) << shared << " " << own;
      EXPECT_LE(covered, 0.97) << shared << " " << own;
    }
  }
}

TEST(Spread, IntervalsCoverWhereSomeBricksHaveFewerProcesses) {
  for (const std::uint32_t processes : {4U, 8U}) {
    SCOPED_TRACE(processes);
    EXPECT_GE(spread_coverage(processes, 0.05, 0.0, 6), 0.90);
    EXPECT_GE(spread_coverage(processes, 0.0, 0.05, 6), 0.90);
  }
}

}  // namespace
}  // namespace ridge::bricks
