// SPDX-License-Identifier: Apache-2.0
#include "analysis/bounds/window_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "analysis/testing.h"

namespace ridge::analysis {
namespace {

std::set<std::int64_t> rows_of(const WindowRows& w, std::int64_t output) {
  std::set<std::int64_t> rows;
  for (std::int64_t i = 0; i < w.span; ++i)
    if (const std::int64_t row = output * w.stride - w.pad + i; row >= 0 && row < w.input)
      rows.insert(row);
  return rows;
}

/// Brute force: for each band, the set of rows that its windows cover.
std::int64_t counted_rows(const WindowRows& w, std::int64_t band) {
  std::vector<std::set<std::int64_t>> outputs;
  for (std::int64_t o = 0; o < w.outputs; ++o)
    if (auto rows = rows_of(w, o); !rows.empty()) outputs.push_back(std::move(rows));
  std::int64_t count = 0;
  for (std::size_t first = 0; first < outputs.size(); first += static_cast<std::size_t>(band)) {
    std::set<std::int64_t> read;
    for (std::size_t o = first;
         o < std::min(first + static_cast<std::size_t>(band), outputs.size()); ++o)
      read.merge(std::set<std::int64_t>(outputs[o]));
    count += static_cast<std::int64_t>(read.size());
  }
  return count;
}

TEST(WindowRows, OutputRowsOneByOneReadTheirWindowsAnew) {
  const WindowRows w{.input = 8, .outputs = 8, .span = 3, .stride = 1, .pad = 1};
  EXPECT_EQ(rows_read(w, 8), 8);
  EXPECT_EQ(rows_read(w, 1), 22);  // three per output row, one less at either edge
  EXPECT_EQ(rows_read(w, 4), 10);  // two bands share two rows
}

TEST(WindowRows, AStrideOverTheKernelSkipsRows) {
  const WindowRows w{.input = 56, .outputs = 28, .span = 1, .stride = 2, .pad = 0};
  EXPECT_EQ(rows_read(w, 28), 28);
  EXPECT_EQ(rows_read(w, 1), 28);
}

TEST(WindowRows, AgreeWithCountingRowByRow) {
  std::mt19937 random(11);
  const auto below = [&](unsigned n) { return static_cast<std::int64_t>(random() % n); };
  for (int round = 0; round < 4000; ++round) {
    WindowRows w{.input = 1 + below(20),
                 .outputs = 1,
                 .span = 1 + below(9),
                 .stride = 1 + below(4),
                 .pad = below(8)};
    // Number of windows that begin before the end of the padding after the input.
    const std::int64_t padded = w.input + w.pad + below(8);
    if (padded < w.span) continue;
    w.outputs = (padded - w.span) / w.stride + 1;
    const std::int64_t band = 1 + below(12);
    ASSERT_EQ(rows_read(w, band), counted_rows(w, band))
        << w.input << " rows, " << w.outputs << " outputs, span " << w.span << ", stride "
        << w.stride << ", pad " << w.pad << ", band " << band;
  }
}

TEST(WindowRows, TheLargestBandIsTheLastThatFits) {
  std::mt19937 random(12);
  const auto below = [&](unsigned n) { return static_cast<std::int64_t>(random() % n); };
  for (int round = 0; round < 1000; ++round) {
    const WindowRows w{
        .input = 30, .outputs = 28 / (1 + below(2)), .span = 3, .stride = 1 + below(2), .pad = 0};
    const std::int64_t bytes = below(400), row = 1 + below(20);
    std::int64_t fits = 1;
    for (std::int64_t b = 1; b <= w.outputs; ++b)
      if (std::min(w.input, (b - 1) * w.stride + w.span) * row <= bytes) fits = b;
    ASSERT_EQ(largest_band(w, row, bytes), fits) << bytes << " B, rows of " << row;
  }
}

TEST(WindowRows, NumbersPastTheLimitAreNotKnown) {
  const std::int64_t huge = std::int64_t{1} << 62;
  EXPECT_EQ(rows_read({.input = huge, .outputs = huge, .span = 99, .stride = 1, .pad = 49}, 1),
            std::nullopt);
}

TEST(WindowRows, AConvolutionsInputIsKnownByItsWeight) {
  const Resolved r = testing::resolved(
      "graph main\n input x[2,3,9,5]\n constant w[4,3,3,3]\n c: Conv(x, w) -> y\n s: Relu(y) -> z\n"
      " output z");
  const auto window = window_input(r, testing::node(r, "c"));
  ASSERT_TRUE(window);
  EXPECT_EQ(window->images, 2);
  EXPECT_EQ(window->row_bytes, 3 * 5 * 4);
  EXPECT_EQ(window->rows.outputs, 7);
  EXPECT_EQ(window->rows.span, 3);
  EXPECT_FALSE(window_input(r, testing::node(r, "s")));
}

}  // namespace
}  // namespace ridge::analysis
