// SPDX-License-Identifier: Apache-2.0
#include "machine/cache_reach.h"

#include <gtest/gtest.h>

#include <vector>

namespace ridge::machine {
namespace {

constexpr std::int64_t kMega = 1'000'000;

std::int64_t megabytes(const std::vector<ReadRate>& rates, double cache, double memory) {
  return (cache_reach(rates, cache * 1e9, memory * 1e9) + kMega / 2) / kMega;
}

TEST(CacheReach, IsWhatTheCacheSavesOfAPass) {
  // The example of the header, its figures worked out by hand.
  EXPECT_EQ(megabytes({{96 * kMega, 29.0e9}}, 29, 17), 96);
  EXPECT_EQ(megabytes({{128 * kMega, 23.8e9}}, 29, 17), 88);
  EXPECT_EQ(megabytes({{256 * kMega, 19.0e9}}, 29, 17), 65);
  EXPECT_EQ(megabytes({{96 * kMega, 29.0e9}, {128 * kMega, 23.8e9}, {256 * kMega, 19.0e9}}, 29, 17),
            96);
}

TEST(CacheReach, IsNoMoreThanWhatWasRead) {
  EXPECT_EQ(megabytes({{64 * kMega, 40.0e9}}, 29, 17), 64);
}

TEST(CacheReach, IsNothingWhereMemoryIsFaster) {
  EXPECT_EQ(megabytes({{64 * kMega, 16.0e9}}, 29, 17), 0);
}

TEST(CacheReach, IsUnknownWhereBothAreAsFast) {
  EXPECT_EQ(cache_reach(std::vector<ReadRate>{{64 * kMega, 18.0e9}}, 18e9, 17e9), 0);
  EXPECT_EQ(cache_reach(std::vector<ReadRate>{{64 * kMega, 18.0e9}}, 18e9, 0), 0);
}

}  // namespace
}  // namespace ridge::machine
