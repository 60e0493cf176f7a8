// SPDX-License-Identifier: Apache-2.0
#include "stats/change.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stats/random.h"

namespace ridge::stats {
namespace {

using Samples = std::vector<std::vector<double>>;

/// Runs of both sides while the machine slows down tenfold; the second side is 5 % slower.
struct Sides {
  Samples first, second;
};
Sides drifting() {
  Random random(2);
  Sides out{Samples(3), Samples(3)};
  for (std::size_t i = 0; i < 60; ++i) {
    const double drift = 1 + 0.15 * static_cast<double>(i);
    out.first[i / 20].push_back(drift * (1 + 0.01 * random.uniform()));
    out.second[i / 20].push_back(drift * 1.05 * (1 + 0.01 * random.uniform()));
  }
  return out;
}

TEST(Change, InTurnsCancelsDriftThatBothMembersShare) {
  const Sides s = drifting();
  const Change c(s.first, s.second, Runs::kInTurns);
  EXPECT_NEAR(c.ratio(), 1.05, 0.005);
  EXPECT_TRUE(c.ratio_interval(0.95)->contains(1.05));
  EXPECT_EQ(finding(c.ratio_interval(0.95), {0.99, 1.01}), Finding::kAbove);
  EXPECT_EQ(c.size(), 60u);
  const Change apart(s.first, s.second, Runs::kApart);
  EXPECT_EQ(finding(apart.ratio_interval(0.95), {1, 1}), Finding::kNone);
}

TEST(Change, SwappedIsTheReciprocal) {
  const Samples a = {{1, 2, 3, 4, 5, 6, 7}}, b = {{2, 3, 3, 5, 4, 7, 9}};
  for (const Runs runs : {Runs::kInTurns, Runs::kApart}) {
    const Change there(a, b, runs), back(b, a, runs);
    EXPECT_NEAR(there.ratio() * back.ratio(), 1, 1e-15);
    EXPECT_NEAR(there.ratio_interval(0.95)->lo * back.ratio_interval(0.95)->hi, 1, 1e-15);
    EXPECT_DOUBLE_EQ(there.difference(), -back.difference());
  }
}

TEST(Change, ApartIsOfThePooledMedians) {
  const Change c(Samples{{10, 20, 30}, {40, 50}}, Samples{{60, 60, 60}, {60, 60}}, Runs::kApart);
  EXPECT_DOUBLE_EQ(c.ratio(), 2);
  EXPECT_DOUBLE_EQ(c.difference(), 30);
  EXPECT_EQ(c.size(), 5u);
}

/// If one side has no spread, the interval is the other side's.
TEST(Change, ApartHasTheUncertaintyOfBothSides) {
  const Samples exact = {std::vector<double>(30, 10.0)};
  Samples other(1);
  for (int i = 0; i < 30; ++i) other[0].push_back(20 + i % 7);
  const Change c(exact, other, Runs::kApart);
  const Interval of_other = *BlockMedian(other).interval(0.95);
  EXPECT_NEAR(c.difference_interval(0.95)->lo, of_other.lo - 10, 1e-12);
  EXPECT_NEAR(c.difference_interval(0.95)->hi, of_other.hi - 10, 1e-12);
}

TEST(Change, InTurnsLeavesOutProcessesThatOneSideLacks) {
  const Samples a = {{1, 1, 1}, {9, 9, 9}, {1, 1, 1}}, b = {{2, 2, 2}, {}, {2, 2, 2}};
  const Change c(a, b, Runs::kInTurns);
  EXPECT_DOUBLE_EQ(c.ratio(), 2);
  EXPECT_EQ(c.size(), 6u);
  EXPECT_EQ(c.ratio_interval(0.95)->hi, 2);
}

TEST(Change, OfNothingIsNotKnown) {
  const Change c(Samples{}, Samples{{1}}, Runs::kInTurns);
  EXPECT_TRUE(std::isnan(c.ratio()));
  EXPECT_EQ(c.ratio_interval(0.95), std::nullopt);
  EXPECT_EQ(c.difference_interval(0.95), std::nullopt);
}

TEST(Change, FromNothingHasADifferenceAndNoRatio) {
  const Change c(Samples{{0, 0, 0, 0, 0, 0}}, Samples{{5, 6, 7, 6, 6, 6}}, Runs::kInTurns);
  EXPECT_TRUE(std::isnan(c.ratio()));
  EXPECT_DOUBLE_EQ(c.difference(), 6);
  EXPECT_EQ(c.difference_interval(0.95), (Interval{5, 7}));
}

TEST(Finding, FollowsTheWholeInterval) {
  EXPECT_EQ(finding(Interval{0.88, 0.93}, {0.95, 1.05}), Finding::kBelow);
  EXPECT_EQ(finding(Interval{1.1, 1.3}, {0.95, 1.05}), Finding::kAbove);
  EXPECT_EQ(finding(Interval{0.97, 1.02}, {0.95, 1.05}), Finding::kNone);
  EXPECT_EQ(finding(std::nullopt, {1, 1}), Finding::kNone);
}

TEST(Doubt, IsWhereTheIntervalReachesTheLimit) {
  // An interval of half width -log10(1 - confidence) around 5 reaches 2 at one in a thousand.
  const IntervalAt at = [](double confidence) {
    const double half = -std::log10(1 - confidence);
    return std::optional(Interval{5 - half, 5 + half});
  };
  EXPECT_NEAR(doubt(at, {1, 2}), 1e-3, 1e-5);
  EXPECT_NEAR(doubt(at, {6, 9}), 1e-1, 1e-3);
  EXPECT_EQ(doubt(at, {4, 6}), 1);
  EXPECT_EQ(doubt([](double) { return std::nullopt; }, {1, 1}), 1);
}

TEST(CommonConfidence, CountsTheDiscoveriesOfThePaper) {
  // Benjamini and Hochberg (1995), section 3.2: four of fifteen at 0.05.
  const std::vector<double> doubts = {0.4262, 0.0001, 0.0298, 0.0004, 0.0344,
                                      0.0019, 0.0459, 0.0095, 0.3240, 0.0201,
                                      0.5719, 0.0278, 0.6528, 0.7590, 1.000};
  EXPECT_DOUBLE_EQ(common_confidence(doubts, 0.05), 1 - 0.05 * 4 / 15);
  EXPECT_DOUBLE_EQ(common_confidence(std::vector<double>(10, 0.9), 0.05), 1 - 0.05 / 10);
  EXPECT_DOUBLE_EQ(common_confidence(std::vector<double>{0.5}, 0.05), 0.95);
  EXPECT_DOUBLE_EQ(common_confidence({}, 0.05), 0.95);
}

}  // namespace
}  // namespace ridge::stats
