// SPDX-License-Identifier: Apache-2.0
// Small cases of every operator with multiplications: its loop nest executed element by element is
// compared with the count of its points, with the multiply-accumulates of the analysis, and with
// the constants that the node reads.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "accelerator/nests/closed_form_profile.h"
#include "accelerator/nests/loop_nest_testing.h"
#include "accelerator/nests/registry.h"
#include "accelerator/nests/testing.h"

namespace ridge::accelerator {
namespace {

/// True for a constant that states a size or selects a form: no loop reads it.
bool decides(const BufferProfile& b) { return b.dtype == "int64" || b.dtype == "bool"; }

/// Checks a node's nest: both walkers, the MACs, the bytes of constants read and the outputs
/// written. Returns "agrees" or the first difference.
std::string agreement(const std::string& inputs, const std::string& node, PaddingForm padding) {
  const analysis::Resolved r = testing::resolved_node(inputs, node);
  const Lowered l = lower(r);
  if (l.layers.size() != 1) return "no layer";
  const Layer& layer = l.layers[0];
  const auto nest = layer_nest(r, layer.node, padding);
  if (!nest) return "no nest";
  const std::string executed = testing::told_by(testing::execute, nest->nest);
  if (testing::told_by(count, nest->nest) != executed) return "counted otherwise: " + executed;
  const auto profiles = profile_nests(l, r, padding);
  if (!profiles.ok()) return profiles.error().text();
  const LayerProfile& told = profiles->layers[0];
  if (told.macs != layer.macs)
    return fmt::format("{} multiply-accumulates in place of {}", told.macs, layer.macs);
  const Profiles closed = closed_form_profiles(l, r);
  std::int64_t bytes = 0;
  for (const BufferProfile& b : closed.layers[0].buffers)
    if (b.role == BufferProfile::Role::kParameter && !decides(b)) bytes += b.bytes;
  if (told.param_bytes != bytes)
    return fmt::format("{} B of parameters in place of {}", told.param_bytes, bytes);
  for (const BufferProfile& b : closed.layers[0].buffers) {
    const auto same = [&](const BufferProfile& other) {
      return other.name == b.name && other.bytes == b.bytes;
    };
    if (b.role == BufferProfile::Role::kOutput &&
        std::none_of(told.buffers.begin(), told.buffers.end(), same))
      return fmt::format("does not write {}", b.name);
  }
  return "agrees";
}

void expect_operator_agrees(const std::string& inputs, const std::string& node) {
  for (const PaddingForm padding : {PaddingForm::kBlock, PaddingForm::kCondition})
    EXPECT_EQ(agreement(inputs, node, padding), "agrees") << node << " of " << inputs;
}
void expect_microsoft_agrees(const std::string& inputs, const std::string& node) {
  expect_operator_agrees(inputs, "com.microsoft." + node);
}

TEST(NestOfOperators, Convolutions) {
  expect_operator_agrees("input x[2,4,5,4]\nconstant w[6,2,3,2] b[6]",
                         "Conv(x, w, b) {group=2 pads=[1,0,1,1] strides=[2,1] dilations=[1,2]}");
  expect_operator_agrees("input x[1,2,5,4] z[]\nconstant w[3,2,3,3] v[3]",
                         "ConvInteger(x, w, z, v) {pads=[1,1,1,1]}");
  expect_operator_agrees("input x[1,4,5,4] s[] z[]\nconstant w[6,2,3,3] v[6] b[6]",
                         "QLinearConv(x, s, z, w, v, v, s, z, b) {group=2 auto_pad='SAME_UPPER'}");
  expect_operator_agrees("input x[1,2,5]\nconstant w[2,3,4] b[3]",
                         "ConvTranspose(x, w, b) {strides=[2] output_shape=[9]}");
  expect_operator_agrees("input x[1,4,6,6] o[1,18,4,4] m[1,9,4,4]\nconstant w[4,2,3,3] b[4]",
                         "DeformConv(x, w, o, b, m) {kernel_shape=[3,3] group=2}");
  expect_operator_agrees("input x[2,3,7] s[2,3,3]\nconstant w[3,1,4] b[3]",
                         "CausalConvWithState(x, w, b, s) {activation='silu'}");
}

TEST(NestOfOperators, ConvolutionsOfMicrosoft) {
  expect_microsoft_agrees("input x[1,4,5,4] y[1,6,5,4]\nconstant w[6,4,3,3] b[6]",
                          "FusedConv(x, w, b, y) {activation='Relu' pads=[1,1,1,1]}");
  expect_microsoft_agrees("input x[2,6,5,4]\nconstant w[8,2,3,3] b[8]",
                          "NhwcConv(x, w, b) {group=2 pads=[1,1,1,1]}");
  expect_microsoft_agrees("input x[2,6,5,4] y[2,6,5,8]\nconstant w[8,2,3,3] b[8]",
                          "NhwcFusedConv(x, w, b, y) {group=2 pads=[1,1,1,1] activation='Relu'}");
  expect_microsoft_agrees("input x[2,6,5,4] s[] z[]\nconstant w[8,4,3,3] v[8]",
                          "QLinearConv(x, s, z, w, v, z, s, z) {channels_last=1}");
  expect_microsoft_agrees("input x[1,2,5,4]\nintegers p[4]=1,0,1,1\nconstant w[2,3,3,3] b[3]",
                          "ConvTransposeWithDynamicPads(x, w, p, b) {strides=[2,1]}");
  expect_microsoft_agrees("input x[7,3] p[2] i[2] s[2,3,3]\nconstant w[3,1,4] b[3]",
                          "VarlenCausalConvWithState(x, w, p, b, s)");
}

TEST(NestOfOperators, Products) {
  expect_operator_agrees("input x[4,6]\nconstant w[5,6] c[1,5]", "Gemm(x, w, c) {transB=1}");
  const std::string two = "input x[4,6] s[] z[]\nconstant w[6,5] v[5]";
  expect_operator_agrees(two, "MatMulInteger(x, w, z, v)");
  expect_operator_agrees("input x[2,4,6] z[2,4,1]\nconstant w[6,5]", "MatMulInteger(x, w, z)");
  expect_operator_agrees("input x[4,6] r[4] s[] z[]\nconstant w[6,5] v[5]",
                         "QLinearMatMul(x, r, r, w, v, v, s, z)");
  expect_operator_agrees("input x[3,3]", "MatMul(x, x)");
}

TEST(NestOfOperators, ProductsOfMicrosoft) {
  const std::string two = "input x[4,6] s[] z[]\nconstant w[6,5] v[5]";
  expect_microsoft_agrees(two, "MatMulInteger16(x, w)");
  expect_microsoft_agrees(two, "DynamicQuantizeMatMul(x, w, v, v, v)");
  expect_microsoft_agrees(two, "MatMulIntegerToFloat(x, w, s, v, z, v, v)");
  expect_microsoft_agrees(two, "GemmFastGelu(x, w, v)");
  expect_microsoft_agrees(two, "FusedGemm(x, w, v) {activation='Relu'}");
  expect_microsoft_agrees(two, "QGemm(x, s, z, w, v, v, v, s, z)");
  expect_microsoft_agrees(two, "GemmFloat8(x, w, v, s, s, s) {transA=0}");
  expect_microsoft_agrees("input x[4,6] s[]\nconstant w[5,6] b[5]",
                          "QOrderedMatMul(x, s, w, s, s, b) {order_A=1 order_B=0 order_Y=1}");
  expect_microsoft_agrees("input x[4,2,3,6]\nconstant w[5,2,3,6]",
                          "FusedMatMul(x, w) {transBatchA=1 transBatchB=1 transB=1}");
  expect_microsoft_agrees("input x[2,6,4]\nconstant w[6,5]", "TransposeMatMul(x, w) {transA=1}");
}

TEST(NestOfOperators, PackedWeights) {
  expect_microsoft_agrees("input x[2,3,40] \nconstant w[10,3,8] s[10,3] z[10,2] b[10]",
                          "MatMulNBits(x, w, s, z, _, b) {K=40 N=10 bits=4 block_size=16}");
  const std::string packed = "input x[2,3,32] h[2,3,32] n[32]\nconstant w[10,2,8] s[10,2]";
  expect_microsoft_agrees(packed, "MatMulBnb4(x, w, s) {K=32 N=10 block_size=16 quant_type=1}");
  expect_microsoft_agrees("input x[2,3,32]\nconstant w[180]\nintegers t[2]=32,10",
                          "MatMulFpQ4(x, w, t) {block_size=16}");
  expect_microsoft_agrees("input x[2,3,32] s[1]\nconstant w[10,32]",
                          "MatMulBlockQuantizedFp8Weight(x, w, s)");
  expect_microsoft_agrees(
      packed,
      "MatMulNBitsMlp(x, h, n, w, s, _, w, s, _) {K=32 N=10 bits=4 block_size=16 "
      "activation='silu'}");
  expect_microsoft_agrees("input x[2,3,8] p[6,4]\nconstant w[4,12,8] b[4,12] u[4,8,12] c[4,8]",
                          "MoE(x, p, w, b, u, c) {k=2}");
}

TEST(NestOfOperators, EinsteinSums) {
  expect_operator_agrees("input x[2,3,4] y[2,4,5]", "Einsum(x, y) {equation='bij,bjk->bik'}");
  expect_operator_agrees("input x[2,3,4] y[4]", "Einsum(x, y) {equation='...j,j'}");
  expect_operator_agrees("input x[3,1] y[3,4]", "Einsum(x, y) {equation='ij,ij->'}");
  expect_operator_agrees("input x[3,3] y[3,4]", "Einsum(x, y) {equation='ii,ij->j'}");
  expect_operator_agrees("input x[3,4]", "Einsum(x, x) {equation='ij,ij->i'}");
}

TEST(NestOfOperators, Attention) {
  expect_operator_agrees("input q[2,4,5,3] k[2,2,4,3] v[2,2,4,6] p[2,2,3,3] r[2,2,3,6] m[5,7]",
                         "Attention(q, k, v, m, p, r)");
  expect_operator_agrees("input q[2,5,12] k[2,7,6] v[2,7,4] m[2,1,5,6]",
                         "Attention(q, k, v, m) {q_num_heads=4 kv_num_heads=2}");
  expect_operator_agrees("input q[2,4,5,3] k[2,2,7,3] v[2,2,7,6]",
                         "ai.onnx.preview.FlexAttention(q, k, v)");
  const std::string one =
      "input x[2,5,12] m[2,5] p[2,2,2,3,4] a[1,2,5,8] s[] z[]\nconstant w[12,24] b[24]";
  expect_microsoft_agrees(one, "Attention(x, w, b, m) {num_heads=2}");
  expect_microsoft_agrees(one, "Attention(x, w, b, _, p, a) {num_heads=2}");
  expect_microsoft_agrees("input x[2,5,12]\nconstant w[12,22] b[22]",
                          "Attention(x, w, b) {num_heads=2 qkv_hidden_sizes=[8,8,6]}");
  expect_microsoft_agrees(one, "QAttention(x, w, b, s, s, m, z, z, p) {num_heads=2}");
  expect_microsoft_agrees(one, "DecoderMaskedSelfAttention(x, w, b) {num_heads=2}");
  expect_microsoft_agrees(
      "input x[2,5,12] s[]\nconstant q[12,8] k[12,8] v[12,6] b[8] c[6]",
      "QOrderedAttention(x, s, s, s, s, q, k, v, s, s, s, b, b, c) {num_heads=2}");
}

TEST(NestOfOperators, AttentionOfManyHeads) {
  expect_microsoft_agrees("input q[2,5,8] k[2,7,8] v[2,7,6] m[2]\nconstant b[22]",
                          "MultiHeadAttention(q, k, v, b, m) {num_heads=2}");
  expect_microsoft_agrees("input q[2,5,2,3,4]", "MultiHeadAttention(q) {num_heads=2}");
  expect_microsoft_agrees("input q[2,5,8] k[2,7,2,2,4] p[2,2,3,4]",
                          "MultiHeadAttention(q, k, _, _, _, _, p, p) {num_heads=2}");
  expect_microsoft_agrees("input q[2,1,8] k[2,7,8] v[2,7,8]",
                          "DecoderMaskedMultiHeadAttention(q, k, v) {num_heads=2}");
  const std::string grouped =
      "input q[2,3,12] k[2,3,6] v[2,3,6] p[2,2,5,3] l[2] r[2,3,24]\nintegers t=7\n"
      "constant c[16,1] s[16,1]";
  expect_microsoft_agrees(grouped,
                          "GroupQueryAttention(q, k, v, p, p, l, t) {num_heads=4 kv_num_heads=2}");
  expect_microsoft_agrees(grouped,
                          "GroupQueryAttention(r, _, _, p, p, l, t) {num_heads=4 kv_num_heads=2}");
  expect_microsoft_agrees(
      grouped,
      "GroupQueryAttention(q, k, v, p, p, l, t, c, s) {num_heads=4 kv_num_heads=2 "
      "do_rotary=1}");
}

TEST(NestOfOperators, ADecoderThatKnowsItsFlags) {
  const std::string inputs =
      "input q[3,2,8] k[7,2,8] c[2,2,6,4]\nconstant w[8,8] u[8,16] b[24]\nflags t=1 f=0";
  const auto with = [](std::string_view flags) {
    return fmt::format("com.microsoft.DecoderAttention(q, k, w, u, b, _, c, c, {}) {{num_heads=2}}",
                       flags);
  };
  expect_operator_agrees(inputs, with("t, f, f, f"));  // the encoder's keys
  expect_operator_agrees(inputs, with("f, t, t, f"));  // its own, after the cached ones
  EXPECT_EQ(agreement(inputs, with("t, t, t, f"), PaddingForm::kBlock),
            "352 B of parameters in place of 864")
      << "of cached keys the weight of 512 B is not read";
}

TEST(NestOfOperators, CellsAndStates) {
  expect_operator_agrees(
      "input x[3,2,5] l[2] h[2,2,4] c[2,2,4]\nconstant w[2,16,5] r[2,16,4] b[2,32] p[2,12]",
      "LSTM(x, w, r, b, _, h, c, p) {hidden_size=4 direction='bidirectional'}");
  expect_operator_agrees("input x[3,2,5]\nconstant w[1,12,5] r[1,12,4] b[1,24]",
                         "GRU(x, w, r, b) {hidden_size=4}");
  expect_microsoft_agrees(
      "input x[7,2,10] s[1]\nconstant w[1,10,16] r[1,4,16]",
      "DynamicQuantizeLSTM(x, w, r, _, _, _, _, _, s, s, s, s) {hidden_size=4}");
  expect_microsoft_agrees(
      "input x[7,2,10] m[2,6,5]\n"
      "constant w[1,16,12] r[1,16,4] b[1,32] q[1,4,3] k[1,5,3] v[1,3] l[1,9,2]",
      "AttnLSTM(x, w, r, b, _, _, _, _, q, k, v, m, _, l) {hidden_size=4}");
  expect_microsoft_agrees(
      "input x[3,2,10] m[2,6,5]\n"
      "constant w[1,16,15] r[1,16,4] q[1,4,3] k[1,5,3] v[1,3]",
      "AttnLSTM(x, w, r, _, _, _, _, _, q, k, v, m) {hidden_size=4}");
  expect_operator_agrees("input q[2,3,12] k[2,3,6] v[2,3,8] s[2,2,3,4] d[2,3,2] e[2,3,2]",
                         "LinearAttention(q, k, v, s, d, e) {q_num_heads=4 kv_num_heads=2}");
  expect_microsoft_agrees("input q[6,2,3] k[6,2,3] v[6,4,5] o[2] g[6,4] s[1,4,5,3]",
                          "GatedDeltaNet(q, k, v, o, g, g, s)");
}

TEST(NestOfOperators, ProductsOnTheSide) {
  expect_operator_agrees("input t[2,2,3]\nintegers s[4]=2,3,5,7", "AffineGrid(t, s)");
  expect_microsoft_agrees("input q[2,5,12] p[1,3,5,5]\nconstant b[12] w[4,8] v[8] e[1,3,1,1]",
                          "GatedRelativePositionBias(q, b, p, w, v, e) {num_heads=3}");
  expect_microsoft_agrees("input x[2,5,4,8] w[2,5,4]", "HyperConnectionPreMix(x, w)");
  expect_microsoft_agrees("input x[2,5,4,8] y[2,5,8] w[2,5,4] m[2,5,4,4]",
                          "HyperConnectionPostMix(x, y, w, m)");
}

}  // namespace
}  // namespace ridge::accelerator
