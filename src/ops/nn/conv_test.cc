// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "ops/testing.h"

namespace ridge::ops {
namespace {

using testing::shapes;
using testing::work;

// One spatial axis of a convolution, evaluated by definition: positions are enumerated.
struct Axis {
  int in, kernel, stride, dilation, begin, end;

  int reach() const { return (kernel - 1) * dilation; }
  bool fits() const { return reach() < in + begin + end; }
  int positions() const {
    int n = 0;
    for (int at = -begin; at + reach() < in + end; at += stride) ++n;
    return n;
  }
  // For a transposed convolution: extent of the taps of the last input, minus cropping.
  int spread() const {
    int last = 0;
    for (int i = 0; i < in; ++i)
      for (int k = 0; k < kernel; ++k) last = std::max(last, i * stride + k * dilation);
    return last + 1 - begin - end;
  }
};

Axis random_axis(std::mt19937& random) {
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  return {pick(1, 9), pick(1, 4), pick(1, 3), pick(1, 2), pick(0, 2), pick(0, 2)};
}

std::string attributes(const Axis& y, const Axis& x, int group) {
  return fmt::format(" group={} strides=[{},{}] dilations=[{},{}] pads=[{},{},{},{}]", group,
                     y.stride, x.stride, y.dilation, x.dilation, y.begin, x.begin, y.end, x.end);
}

TEST(Conv, MultipliesAsOftenAsItsLoopNest) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const Axis y = random_axis(random), x = random_axis(random);
    const int group = 1 + round % 3, in = 2 * group, out = 3 * group;
    if (!y.fits() || !x.fits()) continue;
    const std::string node = fmt::format("Conv(f32[2,{},{},{}], f32[{},{},{},{}])", in, y.in, x.in,
                                         out, in / group, y.kernel, x.kernel) +
                             attributes(y, x, group);
    long macs = 0;
    for (int p = 0; p < 2 * out * y.positions() * x.positions(); ++p)
      for (int tap = 0; tap < in / group * y.kernel * x.kernel; ++tap) ++macs;
    EXPECT_EQ(shapes(node), fmt::format("f32[2,{},{},{}]", out, y.positions(), x.positions()))
        << node;
    EXPECT_EQ(work(node), fmt::format("macs {}", macs)) << node;
  }
}

TEST(ConvTranspose, MultipliesOncePerInputAndTapCroppedOrNot) {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    const Axis y = random_axis(random), x = random_axis(random);
    const int group = 1 + round % 3, in = 2 * group, out = 3 * group;
    if (y.spread() < 1 || x.spread() < 1) continue;
    const std::string node = fmt::format("ConvTranspose(f32[2,{},{},{}], f32[{},{},{},{}])", in,
                                         y.in, x.in, in, out / group, y.kernel, x.kernel) +
                             attributes(y, x, group);
    long macs = 0;
    for (int p = 0; p < 2 * in * y.in * x.in; ++p)
      for (int tap = 0; tap < out / group * y.kernel * x.kernel; ++tap) ++macs;
    EXPECT_EQ(shapes(node), fmt::format("f32[2,{},{},{}]", out, y.spread(), x.spread())) << node;
    EXPECT_EQ(work(node), fmt::format("macs {}", macs)) << node;
  }
}

// Inputs of 16x16, kernel 4x4, stride 2: input positions x channels x filters x 16.
TEST(ConvTranspose, CountsUpsamplingByTwo) {
  const auto upsampling = [](int in, int out) {
    return work(
        fmt::format("ConvTranspose(f32[1,{},16,16], f32[{},{},4,4]) strides=[2,2] "
                    "pads=[1,1,1,1]",
                    in, in, out));
  };
  EXPECT_EQ(upsampling(64, 64), "macs 16777216");
  EXPECT_EQ(upsampling(512, 64), "macs 134217728");
  EXPECT_EQ(upsampling(64, 3), "macs 786432");
}

TEST(Conv, ABiasIsOneAddPerOutput) {
  EXPECT_EQ(work("Conv(f32[1,4,8,8], f32[8,4,3,3], f32[8])"), "macs 10368 flops 288");
  EXPECT_EQ(work("ConvTranspose(f32[1,4,2,2], f32[4,8,3,3], f32[8])"), "macs 1152 flops 128");
}

TEST(Conv, KeepsFreeSizes) {
  EXPECT_EQ(shapes("Conv(f32[batch,3,h,224], f32[64,3,7,7]) strides=[2,2] pads=[3,3,3,3]"),
            "f32[batch,64,((h + 1)//2),112]");
  EXPECT_EQ(work("Conv(f32[batch,3,8,8], f32[4,3,1,1])"), "macs 768*batch");
  EXPECT_EQ(shapes("Conv(f32[1,3,?,8], f32[4,3,1,1])"), "f32[1,4,?,8]");
  EXPECT_EQ(shapes("Conv(f32[*], f32[4,3,1,1])"), "f32[*]");
  EXPECT_EQ(shapes("Conv(f32[1,3,8,8], f32[*])"), "f32[1,?,?,?]");
  EXPECT_EQ(work("Conv(f32[1,3,8,8], f32[*])"), "macs ?");
}

TEST(Conv, SaysWhatDoesNotFit) {
  EXPECT_EQ(
      shapes("Conv(f32[1,4,8,8], f32[8,3,3,3])"),
      "error: Conv: channels of the input and 1 groups of the weight's channels: 4 and 3 must "
      "be equal [RIDGE-OPS-0105]");
  EXPECT_EQ(shapes("Conv(f32[1,4,8,8], f32[7,2,3,3]) group=2"),
            "error: Conv: 7 output channels do not divide into 2 groups [RIDGE-OPS-0110]");
  EXPECT_EQ(shapes("Conv(f32[1,4,8,8], f32[8,4,3,3]) strides=[0,1]"),
            "error: Conv: attribute 'strides' contains 0, it must be in [1, 2147483647] "
            "[RIDGE-OPS-0108]");
  EXPECT_EQ(shapes("Conv(f32[1,4,8,8], f32[8,4,3,3]) pads=[1,1]"),
            "error: Conv: attribute 'pads' has 2 elements, the input's shape requires 4 "
            "[RIDGE-OPS-0108]");
  EXPECT_EQ(
      shapes("Conv(f32[1,4,2,8], f32[8,4,3,3])"),
      "error: Conv: a kernel of 3 with dilation 1 spans 3, more than the padded input of 2 on "
      "spatial axis 0 [RIDGE-OPS-0108]");
  EXPECT_EQ(shapes("Conv(f32[1,4,8,8], f32[8,4,3,3]) kernel_shape=[3,5]"),
            "error: Conv: kernel size of the weight and kernel_shape: 3 and 5 must be equal "
            "[RIDGE-OPS-0105]");
  EXPECT_EQ(shapes("Conv(f32[1,4,8,8], f32[8,4,3,3]) group=0"),
            "error: Conv: attribute 'group' is 0, it must be at least 1 [RIDGE-OPS-0103]");
  EXPECT_EQ(shapes("Conv(f32[1,4,8,8], f32[8,4,3,3], f32[9])"),
            "error: Conv: size of the bias and output channels: 9 and 8 must be equal "
            "[RIDGE-OPS-0105]");
  EXPECT_EQ(shapes("Conv(f32[1,4], f32[8,4])"),
            "error: Conv: input 0 has shape [1,4]; it needs batch, channels and at least one "
            "spatial axis [RIDGE-OPS-0104]");
  EXPECT_EQ(shapes("Conv(f32[1,4,8,8], f32[8,4,3,3]) auto_pad=\"SAME\""),
            "error: Conv: attribute 'auto_pad' is \"SAME\"; it must be NOTSET, SAME_UPPER, "
            "SAME_LOWER or VALID [RIDGE-OPS-0108]");
  EXPECT_EQ(
      shapes("Conv(f32[1,4,8,8], f32[8,4,3,3]) group=1.0"),
      "error: Conv: attribute 'group' is a float, but Conv requires an integer [RIDGE-OPS-0102]");
}

TEST(Conv, QuantizedFormsMultiplyTheSame) {
  EXPECT_EQ(work("QLinearConv(u8[1,4,8,8], f32[], u8[], i8[8,4,3,3], f32[], i8[], f32[], u8[])"),
            "macs 10368 flops 1440 int_ops 544");
  EXPECT_EQ(work("ConvInteger(u8[1,4,8,8], i8[8,4,3,3])"), "macs 10368");
  EXPECT_EQ(work("ConvInteger(u8[1,4,8,8], i8[8,4,3,3], u8[])"), "macs 10368 int_ops 256");
  EXPECT_EQ(work("com.microsoft.FusedConv(f32[1,4,8,8], f32[8,4,3,3], f32[8], f32[1,8,6,6]) "
                 "activation=\"Relu\""),
            "macs 10368 flops 864");
}

}  // namespace
}  // namespace ridge::ops
