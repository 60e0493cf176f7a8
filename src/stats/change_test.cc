#include "stats/change.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stats/random.h"

namespace ridge::stats {
namespace {

using Samples = std::vector<std::vector<double>>;

/// Blocks whose level moves by up to `drift`, the same for every call with that seed.
Samples drifting(double level, double drift, std::uint64_t seed, std::uint64_t noise_seed) {
  Random moves(seed), noise(noise_seed);
  Samples out(5);
  for (std::vector<double>& block : out) {
    const double factor = 1 + drift * moves.uniform();
    for (int i = 0; i < 20; ++i) block.push_back(level * factor * (1 + 0.01 * noise.uniform()));
  }
  return out;
}

TEST(Change, IsTheRatioAndDifferenceOfPooledMedians) {
  const Samples a = {{10, 20, 30}, {40, 50}}, b = {{60, 60, 60}, {60, 60}};
  const Change c = change(a, b, Blocks::kIndependent);
  EXPECT_DOUBLE_EQ(c.ratio.value, 2);
  EXPECT_DOUBLE_EQ(c.difference.value, 30);
  EXPECT_TRUE(c.ratio.ci.contains(2));
  EXPECT_TRUE(c.difference.ci.contains(30));
  EXPECT_EQ(c.smaller, 5u);
}

TEST(Change, OfBlocksInTurnsCancelsWhatHitBoth) {
  const Samples a = drifting(100, 0.3, 1, 2), b = drifting(105, 0.3, 1, 3);
  const Change paired = change(a, b, Blocks::kPaired);
  const Change apart = change(a, b, Blocks::kIndependent);
  EXPECT_TRUE(paired.ratio.ci.contains(1.05));
  EXPECT_LT(paired.ratio.ci.hi - paired.ratio.ci.lo, apart.ratio.ci.hi - apart.ratio.ci.lo);
  EXPECT_LT(ratio_doubt(paired, Side::kAbove, 1.01), 0.01);
  EXPECT_GT(ratio_doubt(apart, Side::kAbove, 1.01), 0.05);
}

TEST(Change, LeavesOutPairsWithAnEmptySide) {
  const Change c = change(Samples{{1, 1}, {9, 9}}, Samples{{2, 2}, {}}, Blocks::kPaired);
  EXPECT_DOUBLE_EQ(c.ratio.value, 2);
}

TEST(Change, OfNothingIsNotKnown) {
  const Change c = change(Samples{}, Samples{{1}}, Blocks::kPaired);
  EXPECT_TRUE(std::isnan(c.ratio.value));
  EXPECT_EQ(ratio_doubt(c, Side::kAbove, 1), 1);
  EXPECT_EQ(difference_doubt(c, Side::kBelow, 0), 1);
}

TEST(Change, FromNothingHasADifferenceAndNoRatio) {
  const Change c = change(Samples{{0, 0, 0}}, Samples{{5, 6, 7}}, Blocks::kIndependent);
  EXPECT_TRUE(std::isnan(c.ratio.value));
  EXPECT_DOUBLE_EQ(c.difference.value, 6);
  EXPECT_LT(difference_doubt(c, Side::kAbove, 0), 0.01);
}

TEST(Discoveries, AreThoseOfThePaper) {
  // Benjamini and Hochberg (1995), section 3.2: four of fifteen at 0.05.
  const std::vector<double> doubts = {0.4262, 0.0001, 0.0298, 0.0004, 0.0344,
                                      0.0019, 0.0459, 0.0095, 0.3240, 0.0201,
                                      0.5719, 0.0278, 0.6528, 0.7590, 1.000};
  const std::vector<bool> found = discoveries(doubts, 0.05);
  for (std::size_t i = 0; i < doubts.size(); ++i) EXPECT_EQ(found[i], doubts[i] <= 0.0095) << i;
  EXPECT_TRUE(discoveries({}, 0.05).empty());
}

}  // namespace
}  // namespace ridge::stats
