// SPDX-License-Identifier: Apache-2.0
#include "record/number_blocks.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace ridge::record {
namespace {

using Numbers = std::vector<std::int64_t>;

Numbers again(const Numbers& numbers) {
  Arena arena;
  NumberBlocks blocks(arena);
  for (const std::int64_t n : numbers) blocks.put(n);
  EXPECT_EQ(blocks.size(), numbers.size());
  Numbers out;
  blocks.each([&](std::span<const std::int64_t> block) {
    out.insert(out.end(), block.begin(), block.end());
  });
  return out;
}

/// Numbers that begin at `first` and differ by `step`.
Numbers steps(std::int64_t first, std::int64_t step, std::size_t count) {
  Numbers out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(first) +
                                            static_cast<std::uint64_t>(step) * i));
  return out;
}

TEST(NumberBlocks, KeepAllNumbersInOrder) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min(),
                         kMost = std::numeric_limits<std::int64_t>::max();
  for (const std::size_t count : {0U, 1U, 127U, 128U, 129U, 256U, 1000U})
    for (const std::int64_t first :
         {std::int64_t{0}, std::int64_t{-3}, std::int64_t{255}, kLeast, kMost})
      for (const int bit : {0, 1, 7, 8, 9, 15, 16, 31, 32, 40, 62, 63}) {
        const Numbers numbers =
            steps(first, static_cast<std::int64_t>(std::uint64_t{1} << bit), count);
        EXPECT_EQ(again(numbers), numbers) << count << " from " << first << " bit " << bit;
      }
  const Numbers equal(3000, -7);
  EXPECT_EQ(again(equal), equal);
}

std::size_t bytes_of(const Numbers& numbers) {
  Arena arena;
  NumberBlocks blocks(arena);
  for (const std::int64_t n : numbers) blocks.put(n);
  return arena.bytes_used() - NumberBlocks::kBlock * sizeof(std::int64_t);  // of the last block
}

TEST(NumberBlocks, TakeTheBytesThatTheNumbersOfABlockDifferIn) {
  constexpr std::size_t kTen = 10 * NumberBlocks::kBlock;
  EXPECT_EQ(bytes_of(Numbers(kTen + 1, 1 << 30)), 0U);
  EXPECT_EQ(bytes_of(steps(0, 3, kTen + 1)), 2 * kTen);
  Numbers two(kTen + 1, 1000);
  for (std::size_t i = 0; i < two.size(); i += 2) two[i] = 1001;
  EXPECT_EQ(bytes_of(two), kTen);
}

}  // namespace
}  // namespace ridge::record
