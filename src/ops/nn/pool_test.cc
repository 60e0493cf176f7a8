// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "ops/testing.h"

namespace ridge::ops {
namespace {

using testing::shapes;
using testing::work;

// Number of windows in order, as long as they fit; with ceil_mode, one more if the last does not
// reach the end, unless it would start after the input.
int windows(int in, int kernel, int stride, int begin, int end, bool ceil) {
  int n = 0;
  for (int at = -begin; at + kernel <= in + end; at += stride) ++n;
  const int covered = -begin + (n - 1) * stride + kernel, next = -begin + n * stride;
  return ceil && covered < in + end && next < in ? n + 1 : n;
}

TEST(Pool, TakesEveryWindowOfTheDefinition) {
  std::mt19937 random(3);
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  for (int round = 0; round < 500; ++round) {
    const int in = pick(1, 12), kernel = pick(1, 4), stride = pick(1, 4);
    const int begin = pick(0, kernel - 1), end = pick(0, kernel - 1);
    const bool ceil = round % 2 == 1;
    if (kernel > in + begin + end) continue;
    const int n = windows(in, kernel, stride, begin, end, ceil);
    const std::string node =
        fmt::format("(f32[2,3,{}]) kernel_shape=[{}] strides=[{}] pads=[{},{}] ceil_mode={}", in,
                    kernel, stride, begin, end, ceil ? 1 : 0);
    EXPECT_EQ(shapes("MaxPool" + node), fmt::format("f32[2,3,{}]", n)) << node;
    // Maximum and sum: one operation less than there are values.
    int combined = 0;
    for (int output = 0; output < 2 * 3 * n; ++output)
      for (int value = 1; value < kernel; ++value) ++combined;
    EXPECT_EQ(work("MaxPool" + node),
              combined == 0 ? "nothing" : fmt::format("flops {}", combined));
    EXPECT_EQ(work("AveragePool" + node),
              (combined == 0 ? "" : fmt::format("flops {} ", combined)) +
                  fmt::format("special {}", 6 * n));
  }
}

TEST(Pool, OverAllPositionsCombinesEachInputOnce) {
  EXPECT_EQ(work("GlobalAveragePool(f32[1,2048,7,7])"), "flops 98304 special 2048");
  EXPECT_EQ(work("GlobalMaxPool(f32[1,8,7,7])"), "flops 384");
  EXPECT_EQ(work("MaxPool(u8[1,1,4,4]) kernel_shape=[2,2]"), "int_ops 27");
}

TEST(Pool, NeedsAKernel) {
  EXPECT_EQ(shapes("AveragePool(f32[1,3,8,8])"),
            "error: AveragePool: attribute 'kernel_shape' is not given [RIDGE-OPS-0103]");
}

}  // namespace
}  // namespace ridge::ops
