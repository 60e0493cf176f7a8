// SPDX-License-Identifier: Apache-2.0
#include "stats/blocks.h"

#include <gtest/gtest.h>

namespace ridge::stats {
namespace {

TEST(Blocks, AreOfNeighborsAndFillTheSeries) {
  Random random(1);
  std::vector<std::size_t> picks;
  draw_blocks(10, 4, random, picks);
  ASSERT_EQ(picks.size(), 10U);
  for (const std::size_t start : {0, 4, 8})
    for (std::size_t i = start + 1; i < std::min<std::size_t>(start + 4, 10); ++i)
      EXPECT_EQ(picks[i], (picks[i - 1] + 1) % 10);
  draw_blocks(0, 1, random, picks);
  EXPECT_TRUE(picks.empty());
}

TEST(Blocks, FewOfThemWidenTheInterval) {
  std::vector<double> draws;
  for (int i = 0; i <= 1000; ++i) draws.push_back(i * 0.001 - 0.5);
  const Interval many = drawn_interval(0, draws, 1e9), few = drawn_interval(0, draws, 11);
  EXPECT_NEAR(many.hi, 0.475, 1e-6);
  EXPECT_NEAR(few.hi, 0.475 * 2.228139 / 1.959964, 1e-4);
  EXPECT_EQ(drawn_interval(3, {}, 5), (Interval{3, 3}));
  // An interval contains its point, wherever the draws lie.
  EXPECT_TRUE(drawn_interval(2, draws, 20).contains(2));
}

}  // namespace
}  // namespace ridge::stats
