// SPDX-License-Identifier: Apache-2.0
#include "accelerator/lowering.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "accelerator/scalesim/window_addresses.h"
#include "analysis/testing.h"

namespace ridge::accelerator {
namespace {

using analysis::testing::resolved;

std::string shown_lowering(std::string_view model) {
  std::string out;
  for (const Layer& layer : lower(resolved(model)).layers) {
    out += layer.name + ":";
    for (const Gemm& g : layer.gemms) out += fmt::format(" {}x{}x{}*{}", g.m, g.n, g.k, g.count);
    out += layer.gemms.empty() ? " " + layer.reason + "\n" : "\n";
  }
  return out;
}

TEST(Lowering, MakesAProductOfEachGroupOfAConvolution) {
  EXPECT_EQ(shown_lowering(R"(
    graph main
      input x[2,8,10,12]
      constant w[16,8,3,5] d[8,1,3,3] g[4,2,1,1]
      full: Conv(x, w) {strides=[2,1] pads=[1,2,1,2]} -> a
      depthwise: Conv(x, d) {group=8} -> b
      grouped: Conv(x, g) {group=4} -> c
      relu: Relu(c) -> e
      output a b e
  )"),
            "full: 120x16x120*1\n"  // 2 images of 5 x 12 positions, 8 x 3 x 5 elements per window
            "depthwise: 160x1x9*8\n"
            "grouped: 240x1x2*4\n");
}

TEST(Lowering, TakesAProductWithSharedWeightsAsOneTallOne) {
  EXPECT_EQ(shown_lowering(R"(
    graph main
      input x[4,6,8] y[4,8,3] z[8,6]
      constant w[8,5] v[5,8]
      shared: MatMul(x, w) -> a
      batched: MatMul(x, y) -> b
      turned: Gemm(z, v) {transA=1 transB=1} -> c
      output a b c
  )"),
            "shared: 24x5x8*1\nbatched: 6x3x8*4\nturned: 6x5x8*1\n");
}

TEST(Lowering, SplitsARecurrentLayerIntoInputsAndSteps) {
  EXPECT_EQ(shown_lowering(R"(
    graph main
      input x[7,2,10]
      constant w[1,16,10] r[1,16,4]
      lstm: LSTM(x, w, r) {hidden_size=4} -> y
      output y
  )"),
            "lstm: 14x16x10*1 2x16x4*7\n");
}

TEST(Lowering, CountsBodiesAsOftenAsTheyRun) {
  const Lowered l = lower(resolved(analysis::testing::looped(R"(
      constant w[4,4]
      mm: MatMul(h, w) -> n
      output c n
  )")));
  ASSERT_EQ(l.layers.size(), 1U);
  EXPECT_EQ(l.layers[0].gemms[0].count, 3);
  EXPECT_EQ(l.macs, 3 * 2 * 4 * 4);
}

/// Compares the reads through the window with the definition of a convolution, index by index.
TEST(WindowAddresses, NameTheElementsThatAConvolutionReads) {
  std::mt19937 random(3);
  const auto upto = [&](int most) {
    return std::uniform_int_distribution<std::int64_t>(1, most)(random);
  };
  for (int round = 0; round < 200; ++round) {
    Window w;
    w.images = upto(2);
    w.channels = upto(3);
    for (WindowAxis& a : w.axes) {
      a.filter = upto(3);
      a.dilation = upto(2);
      a.stride = upto(3);
      a.pad = upto(3) - 1;
      a.size = upto(6);
      a.out = std::max<std::int64_t>(
          1, (a.size + 2 * a.pad - ((a.filter - 1) * a.dilation + 1)) / a.stride + 1);
    }
    const WindowAddresses addresses(w);
    std::int64_t m = 0;
    const auto& [d, h, v] = w.axes;
    for (std::int64_t n = 0; n < w.images; ++n)
      for (std::int64_t oz = 0; oz < d.out; ++oz)
        for (std::int64_t oy = 0; oy < h.out; ++oy)
          for (std::int64_t ox = 0; ox < v.out; ++ox, ++m) {
            std::int64_t k = 0;
            for (std::int64_t fz = 0; fz < d.filter; ++fz)
              for (std::int64_t fy = 0; fy < h.filter; ++fy)
                for (std::int64_t fx = 0; fx < v.filter; ++fx)
                  for (std::int64_t c = 0; c < w.channels; ++c, ++k) {
                    const std::int64_t z = oz * d.stride + fz * d.dilation - d.pad;
                    const std::int64_t y = oy * h.stride + fy * h.dilation - h.pad;
                    const std::int64_t x = ox * v.stride + fx * v.dilation - v.pad;
                    const bool inside =
                        z >= 0 && z < d.size && y >= 0 && y < h.size && x >= 0 && x < v.size;
                    const std::int64_t expected =
                        (((n * d.size + z) * h.size + y) * v.size + x) * w.channels + c;
                    ASSERT_EQ(addresses.at(m, k), inside ? expected : -1);
                  }
          }
  }
}

}  // namespace
}  // namespace ridge::accelerator
