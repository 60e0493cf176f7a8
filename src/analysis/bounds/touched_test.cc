// SPDX-License-Identifier: Apache-2.0
#include "analysis/bounds/touched.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace ridge::analysis {
namespace {

using onnx::DataType;

TEST(Touched, AStrideWithinALineTouchesEveryLine) {
  const TouchedAxis rows{4}, columns{64, progression(0, 16, 4)};
  const auto t = touch(DataType::kFloat, std::vector<TouchedAxis>{{1}, {1}, rows, columns}, 1);
  EXPECT_EQ(t->bytes, 64);
  EXPECT_EQ(t->line_bytes, 1024);
}

TEST(Touched, AStrideOverRowsSkipsTheirLines) {
  const TouchedAxis rows{64, progression(0, 16, 4)}, columns{64};
  const auto t = touch(DataType::kFloat, std::vector<TouchedAxis>{{1}, {1}, rows, columns}, 1);
  EXPECT_EQ(t->bytes, 1024);
  EXPECT_EQ(t->line_bytes, 1024);
}

TEST(Touched, ChannelsLastSkipsPixels) {
  const TouchedAxis side{64, progression(0, 16, 4)};
  const auto t = touch(DataType::kFloat, std::vector<TouchedAxis>{{1}, {32}, side, side}, 1);
  EXPECT_EQ(t->bytes, 16 * 32 * 4);
  EXPECT_EQ(t->line_bytes, t->bytes);
}

TEST(Touched, ATensorAsAWholeIsItsBytes) {
  EXPECT_EQ(touch(DataType::kFloat, std::vector<TouchedAxis>{{3}}, 1)->line_bytes, 12);
  EXPECT_EQ(touch(DataType::kInt4, std::vector<TouchedAxis>{{3}}, 1)->bytes, 2);
}

/// Lines of a tensor that begins `shift` bytes into a line, with its axes in memory order `order`,
/// by brute force over the accessed elements.
std::int64_t lines_one_by_one(const std::vector<TouchedAxis>& axes,
                              const std::vector<std::size_t>& order, std::int64_t element,
                              std::int64_t shift) {
  std::vector<std::set<std::int64_t>> sets;
  for (const TouchedAxis& axis : axes) {
    std::set<std::int64_t> all;
    const Runs whole = {{0, axis.size}};
    for (const Run& run : axis.runs ? *axis.runs : whole)
      for (std::int64_t i = 0; i < run.length; ++i) all.insert(run.first + i);
    sets.push_back(all);
  }
  std::vector<std::int64_t> lines, flat = {0};
  for (const std::size_t a : order) {
    std::vector<std::int64_t> next;
    for (const std::int64_t base : flat)
      for (const std::int64_t i : sets[a]) next.push_back(base * axes[a].size + i);
    flat = std::move(next);
  }
  for (const std::int64_t i : flat) lines.push_back((shift + i * element) / kLineBytes);
  std::ranges::sort(lines);
  return std::ssize(lines) - std::ssize(std::ranges::unique(lines));
}

/// Variant with the channels (axis 1) in blocks.
std::int64_t blocked_one_by_one(std::vector<TouchedAxis> axes, std::int64_t block,
                                std::int64_t element, std::int64_t shift) {
  const Runs whole = {{0, axes[1].size}}, channels = axes[1].runs.value_or(whole);
  const std::int64_t blocks = (axes[1].size + block - 1) / block;
  axes.push_back({block});
  axes[1] = {1};
  const std::int64_t bytes = axes[2].size * axes[3].size * block * element;
  std::int64_t sum = 0;
  for (std::int64_t b = 0; b < blocks; ++b) {
    std::vector<std::int64_t> inside;
    for (const Run& run : channels)
      for (std::int64_t c = run.first; c < run.first + run.length; ++c)
        if (c / block == b) inside.push_back(c % block);
    if (inside.empty()) continue;
    axes[4].runs = runs_of(inside);
    sum += lines_one_by_one(axes, {1, 2, 3, 4}, element, (shift + b * bytes) % kLineBytes);
  }
  return sum * axes[0].touched();
}

TEST(Touched, NoLayoutTouchesFewerLines) {
  std::mt19937 random(71);
  const auto below = [&](unsigned n) { return static_cast<std::int64_t>(random() % n); };
  int close = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<TouchedAxis> axes = {
        {1 + below(2)}, {1 + below(20)}, {1 + below(10)}, {1 + below(40)}};
    std::int64_t elements = 1;
    for (std::size_t a = 0; a < axes.size(); ++a) {
      if (below(2) == 0 || (a < 2 && below(4) != 0)) {
        elements *= axes[a].size;
        continue;
      }
      std::vector<std::int64_t> some;
      const std::int64_t step = 1 + below(18);
      for (std::int64_t i = below(3); i < axes[a].size; i += step)
        for (std::int64_t k = 0; k <= below(3) && i + k < axes[a].size; ++k) some.push_back(i + k);
      if (some.empty()) some.push_back(0);
      axes[a].runs = runs_of(some);
      elements *= axes[a].touched();
    }
    const DataType type = below(2) == 0 ? DataType::kFloat : DataType::kInt8;
    const std::int64_t element = type == DataType::kFloat ? 4 : 1;
    const auto t = touch(type, axes, 1);
    ASSERT_TRUE(t);
    ASSERT_EQ(t->bytes, elements * element);
    std::int64_t least = INT64_MAX;
    for (const std::int64_t shift : {0, 20, 60}) {
      least = std::min(least, lines_one_by_one(axes, {0, 1, 2, 3}, element, shift));
      least = std::min(least, lines_one_by_one(axes, {0, 2, 3, 1}, element, shift));
      for (const std::int64_t block : {8, 16})
        least = std::min(least, blocked_one_by_one(axes, block, element, shift));
    }
    ASSERT_LE(t->line_bytes, least * kLineBytes) << "round " << round;
    close += 10 * t->line_bytes >= 7 * least * kLineBytes ? 1 : 0;
  }
  EXPECT_GT(close, 200);  // a bound of 0 would pass as well
}

TEST(Touched, LargeTensorsAreCountedRowByRow) {
  for (const std::int64_t step : {3, 16, 20, 47}) {
    const std::vector<TouchedAxis> axes = {
        {2}, {48}, {64}, {48, progression(0, step, (48 + step - 1) / step)}};
    const auto t = touch(DataType::kFloat, axes, 1);
    std::int64_t least = INT64_MAX;
    for (const std::int64_t shift : {0, 20, 60}) {
      least = std::min(least, lines_one_by_one(axes, {0, 1, 2, 3}, 4, shift));
      least = std::min(least, lines_one_by_one(axes, {0, 2, 3, 1}, 4, shift));
    }
    EXPECT_LE(t->line_bytes, least * kLineBytes) << step;
    EXPECT_GE(t->line_bytes, t->bytes);
  }
}

}  // namespace
}  // namespace ridge::analysis
