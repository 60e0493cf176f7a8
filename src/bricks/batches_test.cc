// SPDX-License-Identifier: Apache-2.0
#include "bricks/batches.h"

#include <gtest/gtest.h>

#include <numeric>

namespace ridge::bricks {
namespace {

constexpr std::int64_t kBatchMiB = std::int64_t{1} << 20;

// A light network: 40 small bricks and the product of its classifier, at 8 MiB. The network reads
// and writes 64 MiB in a run.
TEST(Batches, GiveLargeWeightsTheDistanceThatTheyHaveInTheModel) {
  std::vector<BrickBytes> bricks(
      40, {.resident = kBatchMiB / 5, .weights = kBatchMiB / 50, .far = 32 * kBatchMiB});
  bricks.push_back({.resident = 4 * kBatchMiB, .weights = 4 * kBatchMiB, .far = 32 * kBatchMiB});
  const std::vector<Batching> all = batchings(bricks, 8 * kBatchMiB);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].members.size(), 40U);
  EXPECT_EQ(all[0].distance, 8 * kBatchMiB);
  EXPECT_EQ(all[0].bytes[0], kBatchMiB / 5 + kSessionBytes);
  EXPECT_EQ(all[0].lacking, 0);
  // Between two uses of its weights: all tensors of others, and no bytes that are only assumed.
  const Batching& product = all[1];
  EXPECT_EQ(product.members, std::vector<std::size_t>{40});
  EXPECT_EQ(product.bytes[0] + product.lacking, 32 * kBatchMiB);
}

TEST(Batches, HoldNoLessThanTheReuseDistance) {
  const std::vector<BrickBytes> bricks = {
      {.resident = 5 * kBatchMiB, .weights = 4 * kBatchMiB},
      {.resident = 6 * kBatchMiB, .weights = 6 * kBatchMiB, .far = 9}};
  const std::vector<Batching> all = batchings(bricks, 16 * kBatchMiB);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].members, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(all[0].distance, 16 * kBatchMiB);
  EXPECT_EQ(all[0].lacking, 5 * kBatchMiB);
  EXPECT_TRUE(batchings({}, kBatchMiB).empty());
}

TEST(Batches, OfLargeWeightsThatTouchEnoughLackNothing) {
  const std::vector<BrickBytes> bricks(
      12, {.resident = 9 * kBatchMiB, .weights = 9 * kBatchMiB, .far = 56 * kBatchMiB});
  const std::vector<Batching> all = batchings(bricks, 64 * kBatchMiB);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].lacking, 0);
}

}  // namespace
}  // namespace ridge::bricks
