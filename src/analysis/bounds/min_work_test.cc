// SPDX-License-Identifier: Apache-2.0
#include "analysis/bounds/min_work.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>

#include "analysis/testing.h"

namespace ridge::analysis {
namespace {

using std::int64_t;

/// Node `n` of a model with these lines and an input x of this shape.
struct Node {
  Node(std::string_view shape, std::string_view lines)
      : r(testing::resolved(fmt::format("graph main\n input x[{}]\n{}\n output y", shape, lines))),
        n(testing::node(r, "n")) {}

  int64_t read(std::string_view value = "x") const {
    return min_read(r, n, testing::value(r, value)).value().bytes;
  }
  int64_t written(std::string_view value = "y") const {
    return min_written(r, n, testing::value(r, value)).value().bytes;
  }
  int64_t macs() const { return min_macs(r, n).value(); }

  Resolved r;
  graph::NodeId n;
};

/// Two-dimensional window on one image, evaluated by brute force over outputs and taps.
struct Window {
  std::array<int64_t, 2> size, filter, stride, dilation, pad;
  int64_t channels, groups, outputs;

  int64_t windows(std::size_t a) const {
    return (size[a] + 2 * pad[a] - (filter[a] - 1) * dilation[a] - 1) / stride[a] + 1;
  }
  bool fits() const {
    for (std::size_t a = 0; a < 2; ++a)
      if (size[a] + 2 * pad[a] < (filter[a] - 1) * dilation[a] + 1) return false;
    return true;
  }
  template <typename Tap>
  void each(Tap&& tap) const {
    for (int64_t y = 0; y < windows(0); ++y)
      for (int64_t x = 0; x < windows(1); ++x)
        for (int64_t i = 0; i < filter[0]; ++i)
          for (int64_t j = 0; j < filter[1]; ++j) {
            const int64_t row = y * stride[0] - pad[0] + i * dilation[0];
            const int64_t column = x * stride[1] - pad[1] + j * dilation[1];
            if (row >= 0 && row < size[0] && column >= 0 && column < size[1])
              tap(row * size[1] + column, i * filter[1] + j);
          }
  }
  std::string attributes() const {
    return fmt::format("kernel_shape=[{},{}] strides=[{},{}] dilations=[{},{}] pads=[{},{},{},{}]",
                       filter[0], filter[1], stride[0], stride[1], dilation[0], dilation[1], pad[0],
                       pad[1], pad[0], pad[1]);
  }
  std::string shape() const { return fmt::format("1,{},{},{}", channels, size[0], size[1]); }
};

Window random_window(std::mt19937& random) {
  const auto below = [&](unsigned n) { return static_cast<int64_t>(random() % n); };
  Window w{};
  do {
    for (std::size_t a = 0; a < 2; ++a) {
      w.size[a] = 1 + below(14);
      w.filter[a] = 1 + below(4);
      w.stride[a] = 1 + below(7);
      w.dilation[a] = 1 + below(6);
      w.pad[a] = below(w.filter[a] < 4 ? 9 : 3);
    }
  } while (!w.fits());
  w.groups = 1 + below(2);
  w.channels = w.groups * (1 + below(3));
  w.outputs = w.groups * (1 + below(3));
  return w;
}

TEST(MinWork, OfAConvolutionIsWhatEveryOutputAndTapNeeds) {
  std::mt19937 random(31);
  for (int round = 0; round < 2000; ++round) {
    const Window w = random_window(random);
    int64_t taps = 0;
    std::set<int64_t> elements, weights;
    w.each([&](int64_t at, int64_t tap) {
      ++taps;
      elements.insert(at);
      weights.insert(tap);
    });
    const Node n(
        w.shape(),
        fmt::format(" constant w[{},{},{},{}]\n n: Conv(x, w) {{group={} {}}} -> y", w.outputs,
                    w.channels / w.groups, w.filter[0], w.filter[1], w.groups, w.attributes()));
    ASSERT_EQ(n.macs(), taps * w.outputs * (w.channels / w.groups)) << w.attributes();
    ASSERT_EQ(n.read(), std::ssize(elements) * w.channels * 4) << w.attributes();
    ASSERT_EQ(n.read("w"), std::ssize(weights) * w.outputs * (w.channels / w.groups) * 4);
  }
}

TEST(MinWork, OfAPoolingIsWhatItsWindowsCover) {
  std::mt19937 random(32);
  for (int round = 0; round < 2000; ++round) {
    Window w = random_window(random);
    for (std::size_t a = 0; a < 2; ++a) w.pad[a] = std::min(w.pad[a], w.filter[a] - 1);
    if (!w.fits()) continue;
    std::set<int64_t> elements;
    w.each([&](int64_t at, int64_t) { elements.insert(at); });
    const Node n(w.shape(), fmt::format(" n: MaxPool(x) {{{}}} -> y", w.attributes()));
    ASSERT_EQ(n.read(), std::ssize(elements) * w.channels * 4) << w.attributes();
    ASSERT_EQ(n.written(), w.channels * w.windows(0) * w.windows(1) * 4);
  }
}

TEST(MinWork, OfATransposedConvolutionLeavesOutWhatIsCropped) {
  std::mt19937 random(33);
  const auto below = [&](unsigned n) { return static_cast<int64_t>(random() % n); };
  for (int round = 0; round < 2000; ++round) {
    const int64_t size = 1 + below(9), filter = 1 + below(5), stride = 1 + below(4),
                  dilation = 1 + below(3), front = below(6), back = below(6);
    const int64_t out = (size - 1) * stride + (filter - 1) * dilation + 1 - front - back;
    if (out < 1) continue;
    int64_t taps = 0;
    std::set<int64_t> elements, weights;
    for (int64_t i = 0; i < size; ++i)
      for (int64_t t = 0; t < filter; ++t)
        if (const int64_t at = i * stride + t * dilation - front; at >= 0 && at < out) {
          ++taps;
          elements.insert(i);
          weights.insert(t);
        }
    const Node n(fmt::format("2,3,{}", size),
                 fmt::format(" constant w[3,2,{}]\n n: ConvTranspose(x, w) {{strides=[{}] "
                             "dilations=[{}] pads=[{},{}]}} -> y",
                             filter, stride, dilation, front, back));
    ASSERT_EQ(n.macs(), taps * 2 * 3 * 2);
    ASSERT_EQ(n.read(), std::ssize(elements) * 2 * 3 * 4);
    ASSERT_EQ(n.read("w"), std::ssize(weights) * 3 * 2 * 4);
  }
}

TEST(MinWork, OfASliceIsItsElementsAndTheirLines) {
  const Node n("1,64,64",
               " integers s[2]=0,0 e[2]=64,64 a[2]=1,2 t[2]=16,16\n n: Slice(x, s, e, a, t) -> y");
  EXPECT_EQ(n.read(), 16 * 4);
  const auto touch = min_read(n.r, n.n, testing::value(n.r, "x"));
  EXPECT_EQ(touch->line_bytes, 16 * 64);
}

TEST(MinWork, OfANearestResizeIsWhatItPicks) {
  const auto resized = [](std::string_view attributes) {
    return Node("1,8,64,64", fmt::format(" integers to[4]=1,8,4,4\n n: Resize(x, _, _, to) {{{}}} "
                                         "-> y",
                                         attributes));
  };
  EXPECT_EQ(resized("mode='nearest'").read(), 8 * 4 * 4 * 4);
  // Output o maps to 16 o + 7.5, between two positions of each axis; with aligned corners to 21 o.
  EXPECT_EQ(resized("mode='linear'").read(), 8 * 8 * 8 * 4);
  EXPECT_EQ(resized("mode='linear' coordinate_transformation_mode='align_corners'").read(),
            8 * 4 * 4 * 4);
  EXPECT_EQ(resized("mode='linear' antialias=1").read(), 8 * 64 * 64 * 4);
  EXPECT_EQ(resized("coordinate_transformation_mode='tf_crop_and_resize'").read(), 0);
}

TEST(MinWork, OfAGatherIsOneRowWhereTheDataDecides) {
  EXPECT_EQ(Node("100,8", " input i[20]\n n: Gather(x, i) -> y").read(), 8 * 4);
  EXPECT_EQ(Node("100,8", " integers i[4]=3,-1,3,99\n n: Gather(x, i) -> y").read(), 2 * 8 * 4);
}

TEST(MinWork, WhatMayHappenInPlaceOrIsNotReadMovesNothing) {
  const Node scatter("100,8",
                     " integers i[2,1]=3,4\n constant u[2,8]\n n: ScatterND(x, i, u) -> y");
  EXPECT_EQ(scatter.read(), 0);
  EXPECT_EQ(scatter.written(), 0);
  EXPECT_EQ(scatter.read("u"), 64);
  const Node split("6,8", " n: Split(x) -> y, b, c\n r: Relu(c) -> d\n output d");
  EXPECT_EQ(split.read(), 2 * 2 * 8 * 4);
  EXPECT_EQ(split.written("b"), 0);
}

TEST(MinWork, MultiplicationsThatAMaskOrAnotherOrderSavesAreNotNeeded) {
  EXPECT_EQ(
      Node("2,3", " constant a[3,4] b[4,5]\n n: Einsum(x, a, b) {equation='ij,jk,kl->il'} -> y")
          .macs(),
      0);
  EXPECT_EQ(Node("2,3", " constant a[3,4]\n n: Einsum(x, a) {equation='ij,jk->ik'} -> y").macs(),
            24);
  EXPECT_EQ(
      Node("5,2,3", " constant w[1,16,3] r[1,16,4]\n n: LSTM(x, w, r) {hidden_size=4} -> y").macs(),
      5 * 2 * 4 * 4 * (3 + 4));
}

TEST(MinWork, OfACropIsWhatIsLeft) {
  EXPECT_EQ(Node("1,4,10", " integers p[6]=0,0,-3,0,0,2\n n: Pad(x, p) -> y").read(), 4 * 7 * 4);
}

// Every token uses k of the experts, whichever they are: a bound that holds for every run.
TEST(MinWork, ExpertsOfOneTokenAreReadForCertain) {
  const Resolved r = testing::resolved(R"(
    graph main
      input x[5,6] router[5,8]
      constant a[8,4,6] b[8,6,4]
      route: com.microsoft.MoE(x, router, a, _, b) {k=2 activation_type='relu'} -> y
      output y
  )");
  const auto read = [&](const char* name) {
    const auto touch = min_read(r, 0, testing::value(r, name));
    return touch ? touch->bytes : -1;
  };
  EXPECT_EQ(read("a"), 2 * 24 * 4);
  EXPECT_EQ(read("b"), 2 * 24 * 4);
  EXPECT_EQ(read("x"), 0);
}

/// Queries [2, 3, 64], a cache of 125 rows of 2 heads of 16 float32, per batch element 16,000 bytes.
std::optional<int64_t> grouped(std::string_view total, std::string_view value,
                               std::string_view attributes = "") {
  const Resolved r = testing::resolved(fmt::format(
      "graph main\n input q[2,3,64] k[2,3,32] v[2,3,32] pk[2,2,125,16] pv[2,2,125,16] "
      "a:int64[2]{}\n"
      " n: com.microsoft.GroupQueryAttention(q,k,v,pk,pv,a,total) {{num_heads=4 kv_num_heads=2{}}}"
      " -> y, dk, dv\n output y dk dv\n",
      total, attributes));
  const auto touch = min_read(r, testing::node(r, "n"), testing::value(r, value), TakePart::kAll);
  return touch ? std::optional(touch->bytes) : std::nullopt;
}

TEST(MinWork, FusedAttentionReadsItsCacheWhereAllPositionsTakePart) {
  EXPECT_EQ(grouped(" total:int64[]", "pk"), 32'000);
  EXPECT_EQ(grouped(" total:int64[]", "q"), 2 * 3 * 64 * 4);
  EXPECT_EQ(grouped("\n integers total=103", "pv"), 32'000 * 100 / 125);  // a longer buffer
  EXPECT_EQ(grouped(" total:int64[]", "pk", " local_window_size=26"), 32'000 * 25 / 125);
  EXPECT_EQ(grouped(" b:int64[]\n Abs(b) -> total", "pk"), 0);  // how many take part is not known
}

TEST(MinWork, FusedAttentionReadsNothingForCertainOtherwise) {
  const Resolved r = testing::resolved(
      "graph main\n input q[1,3,64] k[1,9,64] v[1,9,64]\n"
      " n: com.microsoft.MultiHeadAttention(q,k,v) {num_heads=4} -> y\n output y\n");
  const auto read = [&](TakePart positions) {
    return min_read(r, testing::node(r, "n"), testing::value(r, "k"), positions)->bytes;
  };
  EXPECT_EQ(read(TakePart::kUnknown), 0);
  EXPECT_EQ(read(TakePart::kAll), 9 * 64 * 4);
}

}  // namespace
}  // namespace ridge::analysis
