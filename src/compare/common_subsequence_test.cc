// SPDX-License-Identifier: Apache-2.0
#include "compare/common_subsequence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace ridge::compare {
namespace {

using Keys = std::vector<std::uint64_t>;

/// Length of the longest common subsequence by dynamic programming.
std::size_t longest(const Keys& a, const Keys& b) {
  std::vector<std::vector<std::size_t>> best(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j)
      best[i][j] =
          a[i - 1] == b[j - 1] ? best[i - 1][j - 1] + 1 : std::max(best[i - 1][j], best[i][j - 1]);
  return best[a.size()][b.size()];
}

void expect_common(const Keys& a, const Keys& b, const Pairs& pairs) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(a[pairs[i].first], b[pairs[i].second]);
    if (i == 0) continue;
    EXPECT_LT(pairs[i - 1].first, pairs[i].first);
    EXPECT_LT(pairs[i - 1].second, pairs[i].second);
  }
}

Keys random_keys(std::mt19937& random, std::size_t most, std::uint64_t alphabet) {
  Keys keys(random() % (most + 1));
  for (std::uint64_t& key : keys) key = random() % alphabet;
  return keys;
}

TEST(CommonSubsequence, IsTheLongestOfSmallSequences) {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    const std::uint64_t alphabet = 1 + random() % 9;
    const Keys a = random_keys(random, 14, alphabet), b = random_keys(random, 14, alphabet);
    const Pairs pairs = common_subsequence(a, b);
    expect_common(a, b, pairs);
    ASSERT_EQ(pairs.size(), longest(a, b))
        << ::testing::PrintToString(a) << " " << ::testing::PrintToString(b);
  }
}

TEST(CommonSubsequence, KeepsOrderAndNearlyTheLengthWhereMuchDiffers) {
  std::mt19937 random(2);
  // About three quarters are equal; the rest are keys that occur elsewhere.
  Keys a(3000), b;
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = random() % 900;
  for (const std::uint64_t key : a) b.push_back(random() % 4 == 0 ? random() % 900 : key);
  const Pairs pairs = common_subsequence(a, b);
  expect_common(a, b, pairs);
  EXPECT_GT(pairs.size(), longest(a, b) / 2);
}

TEST(CommonSubsequence, LongestAscendingPartOfPairs) {
  EXPECT_EQ(longest_ascending({{0, 5}, {1, 1}, {2, 2}, {3, 9}, {4, 3}}),
            (Pairs{{1, 1}, {2, 2}, {4, 3}}));
  EXPECT_EQ(longest_ascending({}), Pairs());
}

}  // namespace
}  // namespace ridge::compare
