// SPDX-License-Identifier: Apache-2.0
#include "analysis/bounds/window_axes.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "analysis/testing.h"

namespace ridge::analysis {
namespace {

struct Counted {
  std::int64_t taps = 0;
  std::set<std::int64_t> positions, taps_used, windows_used;
};

/// Brute force over every window and tap.
Counted one_by_one(const WindowAxis& a) {
  Counted out;
  for (std::int64_t o = 0; o < a.windows; ++o)
    for (std::int64_t t = 0; t < a.filter; ++t) {
      const std::int64_t at = o * a.stride - a.pad + t * a.dilation;
      if (at < 0 || at >= a.size) continue;
      ++out.taps;
      out.positions.insert(at);
      out.taps_used.insert(t);
      out.windows_used.insert(o);
    }
  return out;
}

Runs as_runs(const std::set<std::int64_t>& all) {
  return runs_of(std::vector<std::int64_t>(all.begin(), all.end()));
}

TEST(WindowAxes, AgreeWithEveryWindowAndTapLookedAt) {
  std::mt19937 random(5);
  const auto below = [&](unsigned n) { return static_cast<std::int64_t>(random() % n); };
  for (int round = 0; round < 20000; ++round) {
    const WindowAxis a{.size = below(30),
                       .windows = below(16),
                       .filter = 1 + below(7),
                       .stride = 1 + below(9),
                       .dilation = 1 + below(12),
                       .pad = below(20) - 4};
    const Counted c = one_by_one(a);
    ASSERT_EQ(taps_inside(a), c.taps);
    ASSERT_EQ(positions_read(a), as_runs(c.positions)) << "round " << round;
    ASSERT_EQ(taps_used(a), as_runs(c.taps_used));
    ASSERT_EQ(windows_used(a), as_runs(c.windows_used));
  }
}

SlidingWindow window_of(std::string_view line, std::string_view data) {
  const Resolved r = testing::resolved(
      fmt::format("graph main\n input x[{}]\n constant w[4,3,3,3] t[3,4,3,3]\n n: {} -> y\n output "
                  "y",
                  data, line));
  return window_axes(r, testing::node(r, "n")).value();
}

TEST(WindowAxes, SameUpperPutsTheOddPadBehind) {
  EXPECT_EQ(window_of("Conv(x, w) {auto_pad='SAME_UPPER' strides=[2,2]}", "1,3,8,8").axes[0].pad,
            0);
  EXPECT_EQ(window_of("Conv(x, w) {auto_pad='SAME_LOWER' strides=[2,2]}", "1,3,8,8").axes[0].pad,
            1);
  EXPECT_EQ(window_of("Conv(x, w) {pads=[1,0,1,0]}", "1,3,8,8").axes[0].pad, 1);
}

TEST(WindowAxes, ATransposedConvolutionSlidesOverItsOutput) {
  const SlidingWindow w =
      window_of("ConvTranspose(x, t) {strides=[2,2] pads=[1,1,1,1]}", "1,3,5,5");
  EXPECT_TRUE(w.transposed);
  EXPECT_EQ(w.axes[0].windows, 5);
  EXPECT_EQ(w.axes[0].size, 9);
  EXPECT_EQ(taps_inside(w.axes[0]), 13);  // 15 minus one cropped at either end
}

}  // namespace
}  // namespace ridge::analysis
