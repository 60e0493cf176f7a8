// SPDX-License-Identifier: Apache-2.0
#include "runtime/means.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace ridge::runtime {
namespace {

/// Readings of a layer whose successive runs take these whole microseconds.
std::vector<MeanReading> readings_of(const std::vector<std::int64_t>& times_us) {
  std::vector<MeanReading> readings;
  std::int64_t sum = 0;
  for (const std::int64_t t : times_us) {
    sum += t;
    const auto n = static_cast<std::int64_t>(readings.size()) + 1;
    readings.push_back({n, sum / n});
  }
  return readings;
}

TEST(Means, OfEqualRunsAreTheRuns) {
  const std::vector<double> totals = totals_of(readings_of({7, 7, 7, 7, 7, 7}));
  // The last reading allows 42 to 47; its middle is taken.
  for (std::size_t i = 0; i + 1 < totals.size(); ++i)
    EXPECT_NEAR(totals[i + 1] - totals[i], 7, 0.51) << i;
}

TEST(Means, KeepARunApartThatTookLonger) {
  std::vector<std::int64_t> times(20, 100);
  times[11] = 900;
  const std::vector<double> totals = totals_of(readings_of(times));
  for (std::size_t i = 1; i < times.size(); ++i)
    EXPECT_NEAR(totals[i] - totals[i - 1], static_cast<double>(times[i]), 20) << i;
}

TEST(Means, AgreeWithEveryReadingAndNeverDecrease) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<std::int64_t> times;
    const std::int64_t scale = 1 + static_cast<std::int64_t>(random() % 500);
    for (int i = 0; i < 60; ++i) times.push_back(static_cast<std::int64_t>(random()) % scale);
    const std::vector<MeanReading> readings = readings_of(times);
    const std::vector<double> totals = totals_of(readings);
    for (std::size_t i = 0; i < totals.size(); ++i) {
      const auto n = static_cast<double>(readings[i].executions);
      EXPECT_GE(totals[i], n * static_cast<double>(readings[i].mean_us) - 1e-6);
      EXPECT_LE(totals[i], n * static_cast<double>(readings[i].mean_us) + n - 1 + 1e-6);
      if (i > 0) {
        EXPECT_GE(totals[i], totals[i - 1] - 1e-6);
      }
    }
  }
}

TEST(Means, ThatContradictEachOtherGiveFiniteTotals) {
  for (const double t : totals_of({{5, 1000}, {6, 0}, {7, 2000}, {9, 3}}))
    EXPECT_TRUE(std::isfinite(t));
  EXPECT_TRUE(totals_of({}).empty());
  EXPECT_EQ(totals_of({{3, 4}}).size(), 1U);
}

KernelEvent event(std::int64_t executions, std::int64_t before_us, std::int64_t mean_us) {
  KernelEvent e;
  e.duration_ns = mean_us * 1000;
  e.executions = executions;
  e.before_ns = before_us * 1000;
  return e;
}

TEST(Means, OfARunAreItsOwnTimeWhereItIsLong) {
  Measurement m;
  m.kernels.resize(1);
  // 10 ms, 10 ms, then settle and measured runs of 12 ms: 32/3, 44/4; 56/5, 68/6.
  m.profiled.resize(2);
  m.profiled[0].events = {event(4, 10666, 11000)};
  m.profiled[1].events = {event(6, 11200, 11333)};
  resolve_means(m);
  for (const ProfiledRun& run : m.profiled) {
    EXPECT_NEAR(static_cast<double>(run.events[0].duration_ns), 12'000'500, 3'000);
    EXPECT_EQ(run.events[0].exclusive_ns, run.events[0].duration_ns);
    EXPECT_EQ(run.events[0].executions, 0);
  }
}

TEST(Means, OfZeroStayZeroAndTimesThatAreNoMeansStay) {
  Measurement m;
  m.kernels.resize(2);
  m.profiled.resize(1);
  KernelEvent plain;
  plain.kernel = 1;
  plain.duration_ns = plain.exclusive_ns = 5000;
  m.profiled[0].events = {event(3, 0, 0), plain};
  resolve_means(m);
  EXPECT_EQ(m.profiled[0].events[0].duration_ns, 0);
  EXPECT_EQ(m.profiled[0].events[1].duration_ns, 5000);
}

}  // namespace
}  // namespace ridge::runtime
