// SPDX-License-Identifier: Apache-2.0
#include "accelerator/nests/registry.h"

#include <gtest/gtest.h>

#include <random>

#include "accelerator/nests/loop_nest_testing.h"
#include "accelerator/nests/testing.h"
#include "analysis/testing.h"

namespace ridge::accelerator {
namespace {

using analysis::Resolved;
using analysis::testing::resolved;

std::string sizes_text(const std::vector<std::int64_t>& sizes) {
  return fmt::format("[{}]", fmt::join(sizes, ","));
}

std::string optional_text(const std::optional<std::int64_t>& n) {
  return n ? std::to_string(*n) : "?";
}

std::string shown_profile(const LayerProfile& p) {
  if (!p.reason.empty()) return p.reason + "\n";
  std::string out = fmt::format("macs {} squares {} params {} allocated {}\n", p.macs, p.squares,
                                p.param_bytes, p.allocated_bytes);
  for (const BufferProfile& b : p.buffers)
    out +=
        fmt::format("{} {} {} {} {} B, {} read, {} written\n", name(b.role), b.name, b.dtype,
                    sizes_text(b.shape), b.bytes, optional_text(b.reads), optional_text(b.writes));
  return out;
}

std::string shown_profile(const Resolved& r, PaddingForm padding = PaddingForm::kBlock) {
  const auto profiles = profile_nests(lower(r), r, padding);
  if (!profiles.ok()) return profiles.error().text();
  std::string out;
  for (const LayerProfile& p : profiles->layers) out += shown_profile(p);
  return out;
}

std::string shown_profile(std::string_view model, PaddingForm padding = PaddingForm::kBlock) {
  return shown_profile(resolved(model), padding);
}

constexpr std::string_view kPadded = R"(
  graph main
    input x[1,2,4,4]
    constant w[3,2,3,3] b[3]
    conv: Conv(x, w, b) {pads=[1,1,1,1]} -> y
    output y
)";

TEST(LayerNest, CopiesTheInputIntoItsPadding) {
  // 16 positions x 3 filters x 18 elements per window; 2 channels of 6 x 6, of which 4 x 4 are
  // read.
  EXPECT_EQ(shown_profile(kPadded),
            "macs 864 squares 0 params 228 allocated 480\n"
            "input x float32 [1,2,4,4] 128 B, 32 read, 0 written\n"
            "parameter w float32 [3,2,3,3] 216 B, 864 read, 0 written\n"
            "parameter b float32 [3] 12 B, 48 read, 0 written\n"
            "output y float32 [1,3,4,4] 192 B, 912 read, 960 written\n"
            "intermediate padded float32 [1,2,6,6] 288 B, 864 read, 72 written\n");
}

TEST(LayerNest, OrReadsUnderACondition) {
  // Along one axis, a filter of 3 on 4 positions has 2 + 3 + 3 + 2 = 10 of 12 elements inside.
  EXPECT_EQ(shown_profile(kPadded, PaddingForm::kCondition),
            "macs 864 squares 0 params 228 allocated 192\n"
            "input x float32 [1,2,4,4] 128 B, 600 read, 0 written\n"
            "parameter w float32 [3,2,3,3] 216 B, 864 read, 0 written\n"
            "parameter b float32 [3] 12 B, 48 read, 0 written\n"
            "output y float32 [1,3,4,4] 192 B, 912 read, 960 written\n");
}

TEST(LayerNest, TakesZeroPointsFromBothFactors) {
  // 2 x 4 sums of 3 products each, in 32 bits, then scaled.
  EXPECT_EQ(shown_profile(R"(
    graph main
      input x[2,3] s[] z[]
      constant w[3,4] v[4] u[4]
      QLinearMatMul(x, s, z, w, v, u, s, z) -> y
      output y
  )"),
            "macs 24 squares 0 params 80 allocated 64\n"
            "input x float32 [2,3] 24 B, 24 read, 0 written\n"
            "input z float32 [] 4 B, 32 read, 0 written\n"
            "input s float32 [] 4 B, 16 read, 0 written\n"
            "parameter w float32 [3,4] 48 B, 24 read, 0 written\n"
            "parameter u float32 [4] 16 B, 24 read, 0 written\n"
            "parameter v float32 [4] 16 B, 8 read, 0 written\n"
            "output y float32 [2,4] 32 B, 0 read, 8 written\n"
            "intermediate sums float32 [2,4] 32 B, 32 read, 32 written\n");
}

TEST(LayerNest, AttendsWithSharedKeys) {
  // 2 heads of 2 queries, 4 keys: 16 scores of 3 products, each multiplied with 5 value columns.
  // The scores are scaled, compared, exponentiated, summed and divided.
  EXPECT_EQ(shown_profile(testing::resolved_node("input q[1,2,2,3] k[1,1,4,3] v[1,1,4,5]",
                                                 "Attention(q, k, v)")),
            "macs 128 squares 0 params 0 allocated 176\n"
            "input q float32 [1,2,2,3] 48 B, 48 read, 0 written\n"
            "input k float32 [1,1,4,3] 48 B, 48 read, 0 written\n"
            "input v float32 [1,1,4,5] 80 B, 80 read, 0 written\n"
            "output made float32 [1,2,2,5] 80 B, 80 read, 100 written\n"
            "intermediate scores float32 [1,2,2,4] 64 B, 208 read, 112 written\n"
            "intermediate largest float32 [1,2,2,1] 16 B, 32 read, 20 written\n"
            "intermediate sums float32 [1,2,2,1] 16 B, 32 read, 20 written\n");
}

TEST(LayerNest, SaysWhereNoneIsWritten) {
  EXPECT_EQ(shown_profile(R"(
    graph main
      input x[1,2,4,4]
      Relu(x) -> y
      output y
  )"),
            "no loop nest is written for this operator\n");
}

TEST(LayerNest, RepeatsTheNestOfABody) {
  const Resolved r = resolved(analysis::testing::looped(R"(
      constant w[4,4]
      mm: MatMul(h, w) -> o
      output c o)"));
  const Lowered l = lower(r);
  const auto nests = profile_nests(l, r);
  ASSERT_TRUE(nests.ok());
  ASSERT_EQ(nests->layers.size(), 1U);
  EXPECT_EQ(nests->layers[0].macs, 3 * 2 * 4 * 4);
  EXPECT_EQ(nests->layers[0].macs, l.layers[0].macs);
}

/// Returns a model with a random convolution, transposed or not.
std::string random_convolution(std::mt19937& random) {
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  const int groups = pick(1, 3), in = groups * pick(1, 2), out = pick(1, 2);
  const bool transposed = pick(0, 2) == 0;
  const int k = pick(1, 3), d = pick(1, 2), height = pick(6, 9), width = pick(6, 9);
  const int first = transposed ? in : groups * out, second = transposed ? out : in / groups;
  return fmt::format(
      "graph main\n input x[{},{},{},{}]\n constant w[{},{},{},{}] b[{}]\n"
      " {}(x, w, b) {{group={} strides=[{},{}] dilations=[{},1] pads=[{},{},{},{}]}} -> y\n"
      " output y\n",
      pick(1, 2), in, height, width, first, second, k, pick(1, 3), groups * out,
      transposed ? "ConvTranspose" : "Conv", groups, pick(1, 3), pick(1, 2), d, pick(0, 1),
      pick(0, 2), pick(0, 1), pick(0, 1));
}

std::string random_product(std::mt19937& random) {
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  const int m = pick(1, 4), n = pick(1, 4), k = pick(1, 5), batch = pick(1, 3), outer = pick(1, 2);
  switch (pick(0, 4)) {
    case 0:
      return fmt::format(
          "graph main\n input a[{},{}] b[{},{}] c[{}]\n Gemm(a, b, c) {{transA=1 transB=1}} -> y\n"
          " output y\n",
          k, m, n, k, n);
    case 1:
      return fmt::format("graph main\n input a[{}] b[{},{},{}]\n MatMul(a, b) -> y\n output y\n", k,
                         batch, k, n);
    case 2:
      return fmt::format(
          "graph main\n input a[{},{},{},{}] b[1,{},{}]\n MatMul(a, b) -> y\n output y\n", outer,
          batch, m, k, k, n);
    case 3:
      return fmt::format(
          "graph main\n input x[{},{},{}]\n constant w[2,{},{}] r[2,{},{}]\n"
          " LSTM(x, w, r) {{hidden_size={} direction='bidirectional'}} -> y\n output y\n",
          outer, batch, k, 4 * n, k, 4 * n, n, n);
    default:
      return fmt::format(
          "graph main\n input a[{},1,{},{}] b[{},{},{}]\n MatMul(a, b) -> y\n output y\n", outer, m,
          k, batch, k, n);
  }
}

/// Checks that both walkers report the same for the only layer, and that its MACs are the
/// analysis's.
void expect_nest_agrees(const std::string& text) {
  const Resolved r = resolved(text);
  const Lowered l = lower(r);
  ASSERT_EQ(l.layers.size(), 1U) << text;
  for (const PaddingForm padding : {PaddingForm::kBlock, PaddingForm::kCondition}) {
    const auto nest = layer_nest(r, l.layers[0].node, padding);
    ASSERT_TRUE(nest.has_value()) << text;
    ASSERT_EQ(testing::told_by(count, nest->nest), testing::told_by(testing::execute, nest->nest))
        << text;
    const auto profiles = profile_nests(l, r, padding);
    ASSERT_TRUE(profiles.ok()) << text;
    EXPECT_EQ(profiles->layers[0].macs, l.macs) << text;
  }
}

TEST(LayerNest, MultipliesAsOftenAsTheClosedFormSays) {
  std::mt19937 random(11);
  for (int i = 0; i < 60; ++i) {
    expect_nest_agrees(random_convolution(random));
    expect_nest_agrees(random_product(random));
  }
}

}  // namespace
}  // namespace ridge::accelerator
