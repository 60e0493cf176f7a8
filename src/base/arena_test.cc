// SPDX-License-Identifier: Apache-2.0
#include "base/arena.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace ridge {
namespace {

TEST(Arena, CopiesOutliveTheirSource) {
  Arena arena;
  std::string source = "conv1";
  const std::string_view kept = arena.copy(source);
  source.assign("xxxxx");
  EXPECT_EQ(kept, "conv1");
}

TEST(Arena, PiecesNeverOverlapAcrossBlocks) {
  Arena arena;
  std::vector<std::span<std::int64_t>> pieces;
  for (int i = 0; i < 3000; ++i) {
    pieces.push_back(arena.array<std::int64_t>(static_cast<std::size_t>(i % 97)));
    for (std::int64_t& element : pieces.back()) element = i;
  }
  for (int i = 0; i < 3000; ++i) {
    for (const std::int64_t element : pieces[static_cast<std::size_t>(i)]) ASSERT_EQ(element, i);
  }
}

TEST(Arena, KeepsAlignmentAfterOddSizes) {
  Arena arena;
  for (const std::size_t alignment : {1u, 2u, 8u, 16u, 64u}) {
    arena.allocate(3, 1);
    const auto address = reinterpret_cast<std::uintptr_t>(arena.allocate(alignment, alignment));
    EXPECT_EQ(address % alignment, 0u) << alignment;
  }
}

TEST(Arena, ArraysStartAsZeroEvenOnReusedMemory) {
  for (int round = 0; round < 4; ++round) {
    Arena arena;
    std::span<int> numbers = arena.array<int>(1000);
    for (int& number : numbers) {
      ASSERT_EQ(number, 0);
      number = -1;
    }
  }
}

TEST(Arena, OnePieceMayBeLargerThanAnyBlock) {
  Arena arena;
  const std::size_t size = std::size_t{9} << 20;
  std::span<char> piece = arena.array<char>(size);
  piece.front() = piece.back() = 'x';
  EXPECT_EQ(piece.size(), size);
  EXPECT_EQ(arena.bytes_used(), size);
}

TEST(Arena, NothingCostsNothing) {
  Arena arena;
  EXPECT_TRUE(arena.copy("").empty());
  EXPECT_TRUE(arena.array<int>(0).empty());
  EXPECT_EQ(arena.bytes_used(), 0u);
}

TEST(Arena, MovedArenaKeepsWhatItHolds) {
  Arena first;
  const std::string_view kept = first.copy("weight");
  const Arena second = std::move(first);
  EXPECT_EQ(kept, "weight");
}

}  // namespace
}  // namespace ridge
