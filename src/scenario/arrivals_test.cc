// SPDX-License-Identifier: Apache-2.0
#include "scenario/arrivals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "scenario/exact_random.h"
#include "scenario/mixture.h"

namespace ridge::scenario {
namespace {

std::unique_ptr<Arrivals> made_arrivals(ArrivalProcess process, std::uint64_t seed = 7) {
  auto arrivals = make_arrivals(std::move(process), seed);
  EXPECT_TRUE(arrivals.ok());
  return std::move(*arrivals);
}

std::string refused(ArrivalProcess process) {
  const auto arrivals = make_arrivals(std::move(process), 1);
  return arrivals.ok() ? "accepted" : arrivals.error().text();
}

// From a program that sums -ln((bits + 1/2) / 2^64) / 250 with 50 decimal digits, bits by
// SplitMix64 from 7.
TEST(Arrivals, PoissonGivesTheSameTimesEverywhere) {
  const auto arrivals = made_arrivals(Poisson{.rate = 250});
  const struct {
    int index;
    std::int64_t ns;
  } kKnown[] = {{0, 3768181},  {1, 20116474},   {2, 20534537},
                {9, 50483356}, {99, 378587661}, {999, 4051473640}};
  int i = 0;
  for (const auto& known : kKnown) {
    std::int64_t ns = 0;
    for (; i <= known.index; ++i) ns = arrivals->next();
    EXPECT_EQ(ns, known.ns) << known.index;
  }
}

TEST(Arrivals, ConstantIsExact) {
  const auto arrivals = made_arrivals(Constant{.rate = 3});
  for (std::int64_t i = 0; i < 1'000'000; ++i)
    ASSERT_EQ(arrivals->next(), (i * 1'000'000'000 + 1) / 3) << i;  // the nearest
}

TEST(ArrivalsSlow, ConstantDoesNotDriftInAThousandMillion) {
  constexpr double kRate = 1'234'567.0;
  const auto arrivals = made_arrivals(Constant{.rate = kRate});
  Arrivals& process = *arrivals;  // unique_ptr takes as long as next(), unoptimized
  std::int64_t last = 0;
  for (int i = 0; i <= 1'000'000'000; ++i) last = process.next();
  EXPECT_NEAR(static_cast<double>(1e18L / 1'234'567.0L - static_cast<long double>(last)), 0, 1);
}

struct Gaps {
  double mean = 0, cv2 = 0;  ///< in seconds; squared coefficient of variation
};

Gaps measured(ArrivalProcess process, int count) {
  const auto arrivals = made_arrivals(std::move(process));
  double sum = 0, squares = 0;
  std::int64_t before = 0;
  for (int i = 0; i < count; ++i) {
    const std::int64_t now = arrivals->next();
    EXPECT_GE(now, before);
    const double gap = static_cast<double>(now - before) * 1e-9;
    sum += gap, squares += gap * gap, before = now;
  }
  const double mean = sum / count;
  return {mean, squares / count / (mean * mean) - 1};
}

TEST(Arrivals, HaveTheStatedRateAndVariation) {
  constexpr int kCount = 200'000;
  const Gaps poisson = measured(Poisson{.rate = 1000}, kCount);
  EXPECT_NEAR(poisson.mean * 1000, 1, 0.01);
  EXPECT_NEAR(poisson.cv2, 1, 0.03);
  for (const double shape : {0.25, 1.0, 4.0}) {
    const Gaps gamma = measured(Gamma{.rate = 1000, .shape = shape}, kCount);
    EXPECT_NEAR(gamma.mean * 1000, 1, 0.02) << shape;
    EXPECT_NEAR(gamma.cv2 * shape, 1, 0.06) << shape;
  }
}

// Both states the same: Poisson. Else the mean rate weights both rates with the times spent, and
// the index of dispersion of counts over long windows is, for this process, 1 + 2 (r1-r0)^2 s0^2
// s1^2 / ((s0+s1)^2 (r0 s0 + r1 s1)) (Fischer and Meier-Hellstern, equation 26).
TEST(Arrivals, BurstyHasTheKnownMeanAndDispersion) {
  EXPECT_NEAR(measured(Bursty{100, 100, 0.1, 0.1}, 100'000).cv2, 1, 0.04);
  const Bursty process{50, 500, 0.2, 0.05};
  EXPECT_DOUBLE_EQ(process.mean_rate(), 140);
  const auto arrivals = made_arrivals(process);
  constexpr std::int64_t kWindow = 10'000'000'000;
  constexpr int kWindows = 4000;
  std::vector<double> counts(kWindows);
  for (std::int64_t ns = arrivals->next(); ns < kWindow * kWindows; ns = arrivals->next())
    ++counts[static_cast<std::size_t>(ns / kWindow)];
  double sum = 0, squares = 0;
  for (const double count : counts) sum += count, squares += count * count;
  const double mean = sum / kWindows, variance = squares / kWindows - mean * mean;
  EXPECT_NEAR(mean, 1400, 10);
  const double dispersion = 1 + 2 * 450 * 450 * 0.04 * 0.0025 / (0.0625 * 35);
  EXPECT_NEAR(variance / mean / dispersion, 1, 0.08);
}

TEST(Arrivals, AQuietStateMayBeSilent) {
  EXPECT_NEAR(measured(Bursty{0, 1000, 0.01, 0.01}, 100'000).mean, 0.002, 0.0002);
}

TEST(Arrivals, SeedsDiffer) {
  EXPECT_NE(made_arrivals(Poisson{1000}, 1)->next(), made_arrivals(Poisson{1000}, 2)->next());
  EXPECT_EQ(made_arrivals(Gamma{1000, 0.5}, 1)->next(), made_arrivals(Gamma{1000, 0.5}, 1)->next());
}

TEST(Arrivals, ReplayCountsFromTheFirstAndRepeats) {
  const auto arrivals = made_arrivals(Replay{{100, 110, 140}, 2, 2});
  for (const std::int64_t ns : {0, 5, 20, 30, 35, 50}) EXPECT_EQ(arrivals->next(), ns);
  EXPECT_EQ(arrivals->next(), kNever);
  EXPECT_EQ(arrivals->next(), kNever);
}

TEST(Arrivals, EndsWhereTimeDoes) {
  const auto arrivals = made_arrivals(Replay{{0, kNever - 1}, 1e-6, 1});
  EXPECT_EQ(arrivals->next(), 0);
  EXPECT_EQ(arrivals->next(), kNever);
}

TEST(Arrivals, RefusesWhatCannotBe) {
  EXPECT_EQ(refused(Poisson{.rate = 0}),
            "error: the rate is 0, out of range\n"
            "  hint: choose 0.0001 to 1000000000\n"
            "  [RIDGE-SCEN-0001]\n");
  EXPECT_EQ(refused(Gamma{.rate = 1, .shape = std::nan("")}),
            "error: the shape of the gaps is nan, out of range\n"
            "  hint: choose 0.01 to 1000\n"
            "  [RIDGE-SCEN-0001]\n");
  EXPECT_EQ(refused(Bursty{.quiet_rate = 0, .burst_rate = 0}),
            "error: the mean rate is 0, out of range\n"
            "  hint: choose 0.0001 to 1000000000\n"
            "  [RIDGE-SCEN-0001]\n");
  EXPECT_EQ(refused(Replay{}), "error: the trace has no arrivals\n  [RIDGE-SCEN-0002]\n");
  EXPECT_EQ(refused(Replay{{2, 1}}),
            "error: the times of the trace are not ascending from 0\n  [RIDGE-SCEN-0002]\n");
}

TEST(Mixture, FollowsItsWeights) {
  auto mixture = Mixture::make(std::vector<double>{3, 0, 1, 0}, 5);
  ASSERT_TRUE(mixture.ok());
  int counts[4] = {};
  for (int i = 0; i < 100'000; ++i) ++counts[mixture->next()];
  EXPECT_NEAR(counts[0], 75'000, 600);
  EXPECT_EQ(counts[1], 0);
  EXPECT_NEAR(counts[2], 25'000, 600);
  EXPECT_EQ(counts[3], 0);
}

TEST(Mixture, RefusesWeightsThatGiveNothing) {
  EXPECT_EQ(Mixture::make({}, 1).error().message(), "0 weights of a mixture");
  EXPECT_EQ(Mixture::make(std::vector<double>{0, 0}, 1).error().message(),
            "all weights of the mixture are 0");
  EXPECT_EQ(Mixture::make(std::vector<double>{1, -1}, 1).error().message(),
            "weight 2 of the mixture is -1");
}

}  // namespace
}  // namespace ridge::scenario
