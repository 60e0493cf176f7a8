// SPDX-License-Identifier: Apache-2.0
// Products of one node of every other operator that multiplies, written by hand.
#include "accelerator/products.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "accelerator/nests/loop_nest_testing.h"

namespace ridge::accelerator {
namespace {

/// Returns the products of the only node: "6x5x8*1 ...".
std::string products(const std::string& inputs, const std::string& node) {
  const Layer layer = testing::layer_of(inputs, node);
  std::string out;
  for (const Gemm& g : layer.gemms)
    out += fmt::format("{}{}x{}x{}*{}", out.empty() ? "" : " ", g.m, g.n, g.k, g.count);
  return out.empty() ? layer.reason : out;
}
std::string microsoft_products(const std::string& inputs, const std::string& node) {
  return products(inputs, "com.microsoft." + node);
}

TEST(Products, OfConvolutionsInTheirOtherForms) {
  EXPECT_EQ(microsoft_products("input x[2,6,5,4]\nconstant w[8,2,3,3]", "NhwcConv(x, w) {group=2}"),
            "24x4x18*2");
  EXPECT_EQ(microsoft_products("input x[2,6,5,4] s[] z[]\nconstant w[8,4,3,3] v[8]",
                               "QLinearConv(x, s, z, w, v, z, s, z) {channels_last=1}"),
            "24x8x36*1");
  EXPECT_EQ(products("input x[1,4,6,6] o[1,18,4,4]\nconstant w[8,4,3,3]",
                     "DeformConv(x, w, o) {kernel_shape=[3,3]}"),
            "16x8x36*1");
  EXPECT_EQ(microsoft_products("input x[7,3] p[2] i[2] s[2,3,3]\nconstant w[3,1,4] b[3]",
                               "VarlenCausalConvWithState(x, w, p, b, s)"),
            "7x1x4*3");
}

TEST(Products, OfMatricesInTheirOtherForms) {
  const std::string two = "input x[4,6] s[] z[]\nconstant w[6,5] v[5]";
  EXPECT_EQ(products(two, "MatMulInteger(x, w)"), "4x5x6*1");
  EXPECT_EQ(products(two, "QLinearMatMul(x, s, z, w, s, z, s, z)"), "4x5x6*1");
  EXPECT_EQ(microsoft_products(two, "MatMulInteger16(x, w)"), "4x5x6*1");
  EXPECT_EQ(microsoft_products(two, "DynamicQuantizeMatMul(x, w, s)"), "4x5x6*1");
  EXPECT_EQ(microsoft_products(two, "MatMulIntegerToFloat(x, w, s, s)"), "4x5x6*1");
  EXPECT_EQ(microsoft_products(two, "GemmFastGelu(x, w, v)"), "4x5x6*1");
  EXPECT_EQ(microsoft_products(two, "FusedGemm(x, w) {activation='Relu'}"), "4x5x6*1");
  EXPECT_EQ(microsoft_products(two, "QGemm(x, s, z, w, s, z)"), "4x5x6*1");
  EXPECT_EQ(microsoft_products("input x[4,6] s[]\nconstant w[5,6]",
                               "QOrderedMatMul(x, s, w, s, s) {order_A=1 order_B=0 order_Y=1}"),
            "4x5x6*1");
}

TEST(Products, OfPackedWeights) {
  const std::string packed = "input x[2,3,32] h[2,3,32] n[32]\nconstant w[10,2,8] s[10,2]";
  EXPECT_EQ(
      microsoft_products(packed, "MatMulBnb4(x, w, s) {K=32 N=10 block_size=16 quant_type=1}"),
      "6x10x32*1");
  EXPECT_EQ(
      microsoft_products(packed + "\nintegers t[2]=32,10", "MatMulFpQ4(x, w, t) {block_size=16}"),
      "6x10x32*1");
  EXPECT_EQ(microsoft_products("input x[2,3,32] s[1]\nconstant w[10,32]",
                               "MatMulBlockQuantizedFp8Weight(x, w, s)"),
            "6x10x32*1");
  EXPECT_EQ(microsoft_products(packed,
                               "MatMulNBitsMlp(x, h, n, w, s, _, w, s, _) {K=32 N=10 bits=4 "
                               "block_size=16 activation='silu'}"),
            "6x20x32*1");
  EXPECT_EQ(microsoft_products(packed,
                               "MatMulNBitsQkv(x, h, n, w, s, _, w, s, _, w, s, _) {K=32 Nq=10 "
                               "Nkv=4 bits=4 block_size=16}"),
            "6x18x32*1");
}

TEST(Products, OfAttentionInItsOtherForms) {
  const std::string one = "input x[2,5,12]\nconstant w[12,24] b[24] s[] z[]";
  EXPECT_EQ(microsoft_products(one, "QAttention(x, w, b, s, s) {num_heads=2}"),
            "10x24x12*1 5x5x4*4 5x4x5*4");
  EXPECT_EQ(microsoft_products(one, "DecoderMaskedSelfAttention(x, w, b) {num_heads=2}"),
            "10x24x12*1 5x5x4*4 5x4x5*4");
  EXPECT_EQ(microsoft_products("input q[2,1,8] k[2,7,8] v[2,7,8]",
                               "DecoderMaskedMultiHeadAttention(q, k, v) {num_heads=2}"),
            "1x7x4*4 1x4x7*4");
  EXPECT_EQ(
      products("input q[2,4,5,3] k[2,2,7,3] v[2,2,7,6]", "ai.onnx.preview.FlexAttention(q, k, v)"),
      "10x7x3*4 10x6x7*4");
  EXPECT_EQ(microsoft_products("input x[2,5,12] s[]\nconstant q[12,8] k[12,8] v[12,6]",
                               "QOrderedAttention(x, s, s, s, s, q, k, v) {num_heads=2}"),
            "10x22x12*1 5x5x4*4 5x3x5*4");
}

TEST(Products, OfADecoderThatKnowsItsFlags) {
  const std::string inputs =
      "input q[3,2,8] k[7,2,8] c[2,2,6,4]\nconstant w[8,8] u[8,16] b[24]\nflags t=1 f=0";
  EXPECT_EQ(microsoft_products(
                inputs, "DecoderAttention(q, k, w, u, b, _, c, c, t, f, f, f) {num_heads=2}"),
            "6x8x8*1 14x16x8*1 3x7x4*4 3x4x7*4");  // the encoder's keys
  EXPECT_EQ(microsoft_products(
                inputs, "DecoderAttention(q, k, w, u, b, _, c, c, t, t, t, f) {num_heads=2}"),
            "6x8x8*1 3x6x4*4 3x4x6*4");  // cached
  EXPECT_EQ(microsoft_products(
                inputs, "DecoderAttention(q, k, w, u, b, _, c, c, f, t, t, f) {num_heads=2}"),
            "6x8x8*1 6x16x8*1 3x9x4*4 3x4x9*4");  // its own, after the cached ones
}

// Sequences of 3 and 5 of 7 steps: 8 rows of inputs; 3 steps with both states, 2 with one.
TEST(Products, OfCellsWithConstantLengthsHaveTheStepsThatRun) {
  EXPECT_EQ(products("input x[7,2,10]\nconstant w[1,16,10] r[1,16,4]\nintegers n[2]=3,5",
                     "LSTM(x, w, r, _, n) {hidden_size=4}"),
            "8x16x10*1 2x16x4*3 1x16x4*2");
}

TEST(Products, OfCellsInTheirOtherForms) {
  EXPECT_EQ(
      microsoft_products("input x[7,2,10] s[1]\nconstant w[1,10,16] r[1,4,16]",
                         "DynamicQuantizeLSTM(x, w, r, _, _, _, _, _, s, s, s, s) {hidden_size=4}"),
      "14x16x10*1 2x16x4*7");
  // Memory of 6 places and 5 columns, attention of 3 columns, a layer from 9 (concatenated) to 2.
  EXPECT_EQ(
      microsoft_products("input x[7,2,10] m[2,6,5]\n"
                         "constant w[1,16,12] r[1,16,4] q[1,4,3] k[1,5,3] v[1,3] l[1,9,2]",
                         "AttnLSTM(x, w, r, _, _, _, _, _, q, k, v, m, _, l) {hidden_size=4}"),
      "12x3x5*1 2x16x12*7 2x16x4*7 2x3x4*7 1x6x3*14 1x5x6*14 2x2x9*7");
  EXPECT_EQ(microsoft_products("input q[6,2,3] k[6,2,3] v[6,4,5] o[2] g[6,4] s[1,4,5,3]",
                               "GatedDeltaNet(q, k, v, o, g, g, s)"),
            "3x5x1*24 1x5x3*24 1x5x3*24");
}

TEST(Products, OfOperatorsThatMultiplyOnTheSide) {
  EXPECT_EQ(products("input t[2,2,3]\nintegers s[4]=2,3,5,7", "AffineGrid(t, s)"), "35x3x4*2");
  EXPECT_EQ(microsoft_products("input q[2,5,12] p[1,3,5,5]\nconstant b[12] w[4,8] v[8] e[1,3,1,1]",
                               "GatedRelativePositionBias(q, b, p, w, v, e) {num_heads=3}"),
            "30x8x4*1");
  EXPECT_EQ(microsoft_products("input x[2,5,4,8] w[2,5,4]", "HyperConnectionPreMix(x, w)"),
            "1x8x4*10");
  EXPECT_EQ(microsoft_products("input x[2,5,4,8] y[2,5,8] w[2,5,4] m[2,5,4,4]",
                               "HyperConnectionPostMix(x, y, w, m)"),
            "4x8x4*10");
  EXPECT_EQ(products("input x[9,3]",
                     "ai.onnx.ml.LinearRegressor(x) {coefficients=[1,2,3,4,5,6] "
                     "targets=2}"),
            "9x2x3*1");
  EXPECT_EQ(products("input x[9,3]",
                     "ai.onnx.ml.SVMRegressor(x) {support_vectors=[1,2,3,4,5,6] "
                     "coefficients=[1,2] kernel_type='POLY'}"),
            "9x2x3*1 9x1x2*1");
  EXPECT_EQ(products("input x[9,3]",
                     "ai.onnx.ml.SVMRegressor(x) {support_vectors=[1,2,3,4,5,6] "
                     "coefficients=[1,2] kernel_type='RBF'}"),
            "9x1x2*1");
}

TEST(Products, SayWhyThereAreNone) {
  const auto r = analysis::testing::resolved(R"(
    graph main
      input x[9,3]
      svm: ai.onnx.ml.LinearRegressor(x) {coefficients=[1,2,3,4] targets=1} -> y
      output y
  )");
  const Lowered l = lower(r);
  ASSERT_EQ(l.layers.size(), 1U);
  EXPECT_EQ(l.layers[0].reason, "its products would not be its multiply-accumulates");
  EXPECT_EQ(l.without_gemms, 36);
}

}  // namespace
}  // namespace ridge::accelerator
