// SPDX-License-Identifier: Apache-2.0
#include "compare/align.h"

#include <gtest/gtest.h>

#include <numeric>

namespace ridge::compare {
namespace {

using Numbers = std::vector<std::uint32_t>;
using Keys = std::vector<std::uint64_t>;
constexpr std::uint32_t kNo = kNoPartner;

Numbers in_order(std::size_t nodes) {
  Numbers order(nodes);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

TEST(Align, FillsTheGapsBetweenPairsInOrder) {
  const Keys a = {1, 2, 1, 3}, b = {1, 9, 2, 1};
  const Numbers order = in_order(4);
  Alignment alignment(order, order);
  alignment.pair(1, 2);  // before it, 1 meets 1; behind it, 1 meets 1, and 3 has no partner
  alignment.fill_gaps({order, a}, {order, b});
  EXPECT_EQ(alignment.to_b(), (Numbers{0, 2, 3, kNo}));
  EXPECT_EQ(alignment.to_a(), (Numbers{0, kNo, 1, 2}));
}

TEST(Align, LooserKeysFillWhatExactOnesLeft) {
  const Keys exact_a = {1, 2, 3}, exact_b = {1, 8, 3}, loose = {7, 7, 7};
  const Numbers order = in_order(3);
  Alignment alignment(order, order);
  alignment.fill_gaps({order, exact_a}, {order, exact_b});
  EXPECT_EQ(alignment.to_b(), (Numbers{0, kNo, 2}));
  alignment.fill_gaps({order, loose}, {order, loose});
  EXPECT_EQ(alignment.to_b(), (Numbers{0, 1, 2}));
}

/// Pairs that cross divide no gap: of 0-2 and 1-0, only one stays in the chain.
TEST(Align, APairThatCrossesAnotherLeavesTheGapsWhole) {
  const Keys a = {1, 2, 5}, b = {2, 5, 1};
  const Numbers order = in_order(3);
  Alignment alignment(order, order);
  EXPECT_EQ(alignment.pair_unique({Numbers{0, 1}, a}, {Numbers{0, 2}, b}), 2U);
  alignment.fill_gaps({order, a}, {order, b});
  EXPECT_EQ(alignment.to_b(), (Numbers{2, 0, 1}));
}

TEST(Align, PairsKeysThatOccurOnceOnEitherSideAmongTheGivenNodes) {
  const Keys a = {4, 4, 6, 7}, b = {7, 4, 6, 6};
  const Numbers order = in_order(4);
  Alignment alignment(order, order);
  EXPECT_EQ(alignment.pair_unique({order, a}, {order, b}), 1U);  // 4 and 6 are ambiguous
  EXPECT_EQ(alignment.to_b(), (Numbers{kNo, kNo, kNo, 0}));
  const Numbers without_the_last = {0, 1, 2};
  EXPECT_EQ(alignment.pair_unique({order, a}, {without_the_last, b}), 1U);
  EXPECT_EQ(alignment.to_b(), (Numbers{kNo, kNo, 2, 0}));
}

/// Bodies of control flow stand behind the graph around them, whatever their nodes' numbers.
TEST(Align, FollowsTheOrderOfTheListsNotOfTheNumbers) {
  const Keys keys_a = {1, 2}, keys_b = {2, 1};
  const Numbers order_a = {0, 1}, order_b = {1, 0};
  Alignment alignment(order_a, order_b);
  alignment.fill_gaps({order_a, keys_a}, {order_b, keys_b});
  EXPECT_EQ(alignment.to_b(), (Numbers{1, 0}));
}

}  // namespace
}  // namespace ridge::compare
