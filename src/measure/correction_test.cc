// SPDX-License-Identifier: Apache-2.0
#include "measure/correction.h"

#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

constexpr EventCost kCost{.wall_ns = 10, .inside_ns = 4};

/// Run of 3 kernels of 100 with gaps of 50; profiling adds the costs of kCost.
constexpr PairTimes kTrue{
    .plain_ns = 350, .profiled_ns = 380, .reported_ns = 312, .body_ns = 300, .events = 3};

TEST(Correction, FindsWhatTheChainsSay) {
  for (const auto& process : correct({{kTrue, kTrue}, {kTrue}}, kCost))
    for (const Correction& c : process) {
      EXPECT_DOUBLE_EQ(c.factor, 1);
      EXPECT_DOUBLE_EQ(c.gaps_ns, 50);
    }
}

TEST(Correction, AProcessIsCorrectedByTheOthersOnly) {
  PairTimes slow = kTrue;  // its own excess is far off
  slow.plain_ns = 200;
  const auto c = correct({{slow}, {kTrue}, {kTrue}}, kCost);
  EXPECT_DOUBLE_EQ(c[0][0].factor, 1);
  EXPECT_DOUBLE_EQ(c[0][0].gaps_ns, 50);
  EXPECT_NE(c[1][0].factor, 1);
}

TEST(Correction, ALoneProcessIsHalved) {
  PairTimes slow = kTrue;
  slow.plain_ns = 250;
  const auto c = correct({{slow, kTrue, slow, kTrue}}, kCost);
  EXPECT_DOUBLE_EQ(c[0][0].factor, 1);  // corrected by the odd pairs
  EXPECT_LT(c[0][1].factor, 1);         // by the even ones
}

TEST(Correction, LayersAndGapsComeToTheRunLessTheExcess) {
  PairTimes other = kTrue;
  other.plain_ns = 320;  // an excess of 60 where events explain 30
  const auto c = correct({{kTrue}, {other}}, kCost)[0][0];
  EXPECT_DOUBLE_EQ(c.factor * kTrue.body_ns + c.gaps_ns, 380 - 60);
  EXPECT_DOUBLE_EQ(c.gaps_ns, 50 - 30 * 0.6);
}

TEST(Correction, NothingGoesBelowZero) {
  PairTimes other = kTrue;
  other.plain_ns = -5000;
  const auto c = correct({{kTrue}, {other}}, kCost)[0][0];
  EXPECT_DOUBLE_EQ(c.factor, 0);
  EXPECT_DOUBLE_EQ(c.gaps_ns, 0);
  const PairTimes empty;
  EXPECT_DOUBLE_EQ(correct({{empty}, {empty}}, kCost)[0][0].factor, 1);
}

}  // namespace
}  // namespace ridge::measure
