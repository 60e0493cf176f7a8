// SPDX-License-Identifier: Apache-2.0
#include "stats/block_median.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stats/normal.h"
#include "stats/random.h"

namespace ridge::stats {
namespace {

using Blocks = std::vector<std::vector<double>>;

double normal(Random& random) { return normal_quantile(random.uniform() * 0.999998 + 1e-6); }

/// Number of series, out of 400 with `blocks` blocks each, whose interval covers their true median,
/// 0. The values are a first-order autoregression with coefficient `memory`; blocks are shifted by
/// normal offsets of deviation `apart`.
int covering(double memory, std::size_t n, std::size_t blocks = 1, double apart = 0) {
  Random random(7);
  int covered = 0;
  for (int trial = 0; trial < 400; ++trial) {
    Blocks series(blocks);
    for (std::vector<double>& block : series) {
      const double moved = apart * normal(random);
      double value = normal(random);
      for (std::size_t i = 0; i < n / blocks; ++i) {
        value = memory * value + std::sqrt(1 - memory * memory) * normal(random);
        block.push_back(moved + value);
      }
    }
    covered += BlockMedian(series).interval(0.95)->contains(0) ? 1 : 0;
  }
  return covered;
}

TEST(BlockMedian, CoversWhereValuesAreIndependent) {
  EXPECT_GE(covering(0, 20), 380);
  EXPECT_GE(covering(0, 500), 380);
}

TEST(BlockMedian, CoversWhereNeighborsAreAlike) { EXPECT_GE(covering(0.8, 2000), 372); }

TEST(BlockMedian, CoversWhereBlocksDiffer) {
  EXPECT_GE(covering(0, 90, 3, 3), 372);
  EXPECT_GE(covering(0, 90, 2, 3), 372);
}

/// Blocks are processes of forty runs; `luck` is the deviation between processes divided by that
/// within a process.
TEST(BlockMedian, CoversWhateverTheLuckOfBlocks) {
  for (const std::size_t blocks : {3U, 5U})
    for (const double luck : {0.0, 1.0, 2.0})
      EXPECT_GE(covering(0, 40 * blocks, blocks, luck), 372) << blocks << " blocks, luck " << luck;
}

TEST(BlockMedian, OfOneBlockKnowsNothingOfOthers) { EXPECT_LT(covering(0, 90, 1, 3), 200); }

TEST(BlockMedian, IsNotWiderThanItMustBe) {
  Random random(5);
  Blocks series(1, std::vector<double>(4000));
  for (double& v : series[0]) v = normal(random);
  const Interval ci = *BlockMedian(series).interval(0.95);
  // The standard error of the median of n normal values is sqrt(pi / 2n).
  const double exact = 2 * 1.96 * std::sqrt(3.14159 / 2 / 4000);
  EXPECT_LT(ci.hi - ci.lo, 1.8 * exact);
}

TEST(BlockMedian, SpikesOfAnyHeightCountAlike) {
  Blocks low(2), high(2);
  for (std::size_t i = 0; i < 200; ++i) {
    const bool spike = i % 9 == 0;
    low[i / 100].push_back(spike ? 300 : static_cast<double>(i * 7 % 100));
    high[i / 100].push_back(spike ? 1e9 : static_cast<double>(i * 7 % 100));
  }
  EXPECT_EQ(BlockMedian(low).interval(0.95), BlockMedian(high).interval(0.95));
}

/// With too few values for batches only the exact interval is used.
TEST(BlockMedian, OfFewValuesIsTheExactInterval) {
  Random random(3);
  for (std::size_t n = 6; n < 16; ++n) {
    Blocks one(1, std::vector<double>(n));
    for (double& v : one[0]) v = random.uniform();
    for (const double confidence : {0.5, 0.9, 0.95, 0.999})
      EXPECT_EQ(BlockMedian(one).interval(confidence), median_interval(one[0], confidence)) << n;
  }
}

TEST(BlockMedian, OfTooFewValuesHasNoInterval) {
  EXPECT_EQ(BlockMedian(Blocks{{3, 1, 2, 9, 4}}).interval(0.95), std::nullopt);
  EXPECT_EQ(BlockMedian(Blocks{{3, 1, 2, 9, 4}}).value(), 3);
  EXPECT_TRUE(std::isnan(BlockMedian(Blocks{{}, {}}).value()));
  EXPECT_EQ(BlockMedian(Blocks{}).interval(0.5), std::nullopt);
}

TEST(BlockMedian, IntervalsAreNested) {
  Random random(8);
  Blocks blocks(3);
  for (std::vector<double>& block : blocks)
    for (int i = 0; i < 50; ++i) block.push_back(normal(random));
  const BlockMedian m(blocks);
  Interval within{m.value(), m.value()};
  for (double wrong = 0.999; wrong > 1e-6; wrong *= 0.8) {
    const auto ci = m.interval(1 - wrong);
    if (!ci) break;
    EXPECT_LE(ci->lo, within.lo);
    EXPECT_GE(ci->hi, within.hi);
    within = *ci;
  }
}

}  // namespace
}  // namespace ridge::stats
