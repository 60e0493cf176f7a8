// SPDX-License-Identifier: Apache-2.0
// Operators of com.microsoft that the CPU runtime does not support, or not in every form: compares
// shapes with its documentation, and work with loops that count operations one by one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "ops/testing.h"

namespace ridge::ops {
namespace {

using testing::bytes;
using testing::macs_of;
using testing::shapes;
using testing::Sizes;
using testing::work;

TEST(Contrib, TheRecurrenceOfPackedTokensCountsEveryStep) {
  Sizes pick(3);
  for (int round = 0; round < 30; ++round) {
    const int t = pick(1, 6), k = pick(1, 3), h = k * pick(1, 3), d = pick(1, 5), v = pick(1, 5);
    long n = 0;
    for (int token = 0; token < t; ++token)
      for (int head = 0; head < h; ++head)
        for (int i = 0; i < d; ++i)
          for (int j = 0; j < v; ++j) n += 3;  // read with the key, write, read with the query
    const std::string node = fmt::format(
        "com.microsoft.GatedDeltaNet(f32[{},{},{}], f32[{},{},{}], f32[{},{},{}], i32[3], "
        "f32[{},{}], f32[{},{}], f32[2,{},{},{}])",
        t, k, d, t, k, d, t, h, v, t, h, t, h, h, v, d);
    EXPECT_EQ(macs_of(node), n) << node;
    EXPECT_EQ(shapes(node + "#2"), fmt::format("f32[{},{},{}], f32[2,{},{},{}]", t, h, v, h, v, d));
  }
}

TEST(Contrib, ADecoderAttendsToWhatItsFlagsSay) {
  Sizes pick(4);
  for (int round = 0; round < 40; ++round) {
    const int s = pick(1, 4), b = pick(1, 3), h = pick(1, 3), d = pick(1, 4), k = pick(1, 5);
    const int past = pick(1, 4);
    const bool fixed = pick(0, 1) != 0, cached = pick(0, 1) != 0;
    const int made = fixed ? (cached ? 0 : k) : s, keys = made + (cached ? past : 0);
    long n = 0;
    for (int row = 0; row < b * s; ++row) n += long{h} * d * h * d;    // queries
    for (int row = 0; row < b * made; ++row) n += 2L * h * d * h * d;  // keys and values
    for (int row = 0; row < b * h * s; ++row) n += 2L * keys * d;      // scores, mix
    const std::string node = fmt::format(
        "com.microsoft.DecoderAttention(f32[{0},{1},{2}], f32[{3},{1},{2}], f32[{2},{2}], "
        "f32[{2},{4}], f32[{5}], _, f32[{1},{6},{7},{8}], f32[{1},{6},{7},{8}], bool[]={{{9}}}, "
        "bool[]={{{10}}}, bool[]={{1}}, bool[]={{0}}) num_heads={6}",
        s, b, h * d, k, 2 * h * d, 3 * h * d, h, past, d, fixed ? 1 : 0, cached ? 1 : 0);
    EXPECT_EQ(macs_of(node), n) << node << work(node);
    EXPECT_EQ(shapes(std::string(node).replace(node.find(") num_heads"), 1, ")#2")),
              fmt::format("f32[{0},{1},{2}], f32[{1},{3},{4},{5}]", s, b, h * d, h, keys, d));
  }
}

TEST(Contrib, QuantizedProjectionsOneByOneCountAsTheirProducts) {
  const std::string node =
      "com.microsoft.QOrderedAttention(i8[2,5,12], f32[], f32[], f32[], f32[], i8[12,8], i8[12,8], "
      "i8[12,8], f32[], f32[], f32[], f32[8], f32[8], f32[8], f32[], f32[], f32[]) num_heads=2";
  EXPECT_EQ(shapes(node), "i8[2,5,8]");
  EXPECT_EQ(macs_of(node), 2 * 5 * 12 * 8 * 3 + 2 * 2 * 5 * 5 * 8);
}

TEST(Contrib, WhatDataDecidesIsBoundedOrNotKnown) {
  const std::string text = work(
      "com.microsoft.LongformerAttention(f32[1,8,6], f32[6,18], f32[18], f32[1,8], f32[6,18], "
      "f32[18], i32[1,8]) num_heads=2 window=2");
  EXPECT_EQ(text.find("macs ?"), 0U) << text;
  EXPECT_EQ(shapes("com.microsoft.RemovePadding(f32[2,8,6], i32[2])#4"),
            "f32[?,6], i32[2,8], i32[3], i32[1]");
  EXPECT_EQ(shapes("com.microsoft.RestorePadding(f32[11,6], i32[2,8])"), "f32[2,8,6]");
}

TEST(Contrib, CountsOfHeadsThatNoMachineHasAreRefused) {
  const std::string text = shapes(
      "com.microsoft.GroupQueryAttention(f32[1,2,8]) num_heads=9223372036854775807 "
      "kv_num_heads=9223372036854775807");
  EXPECT_TRUE(text.starts_with("error: GroupQueryAttention: 9223372036854775807 query heads"))
      << text;
}

TEST(Contrib, TransformsHaveTheBinsOfARealSignal) {
  EXPECT_EQ(shapes("com.microsoft.Rfft(f32[3,8]) signal_ndim=1"), "f32[3,5,2]");
  EXPECT_EQ(work("com.microsoft.Rfft(f32[3,8]) signal_ndim=1"), "flops 180");
  EXPECT_EQ(shapes("com.microsoft.Irfft(f32[3,5,2]) signal_ndim=1"), "f32[3,8]");
  EXPECT_EQ(work("com.microsoft.Irfft(f32[3,5,2]) signal_ndim=1"), "flops 180");
}

TEST(Contrib, RelativePositionsHaveABiasPerHeadAndPair) {
  EXPECT_EQ(shapes("com.microsoft.RelativePositionBias(f32[32,4], i64[]={7}, i64[]={9}) "
                   "max_distance=128"),
            "f32[1,4,7,9]");
  const std::string gated =
      "com.microsoft.GatedRelativePositionBias(f32[2,5,12], f32[12], f32[1,3,5,5], f32[4,8], "
      "f32[8], f32[1,3,1,1]) num_heads=3";
  EXPECT_EQ(shapes(gated), "f32[2,3,5,5]");
  EXPECT_EQ(macs_of(gated), 2 * 3 * 5 * 4 * 8);
}

TEST(Contrib, StreamsAreMixedPerBranch) {
  EXPECT_EQ(shapes("com.microsoft.HyperConnectionPreMix(f32[2,3,4,8], f32[2,3,4])"), "f32[2,3,8]");
  EXPECT_EQ(shapes("com.microsoft.HyperConnectionPreMix(f32[2,3,32], f32[2,3,4]) num_branches=4"),
            "f32[2,3,8]");
  EXPECT_EQ(macs_of("com.microsoft.HyperConnectionPostMix(f32[2,3,4,8], f32[2,3,8], f32[2,3,4], "
                    "f32[2,3,4,4])"),
            2 * 3 * 4 * 4 * 8);
}

// 8 experts with matrices [4, 6] and [6, 4]: 24 floats, 96 bytes each. One token with k = 2 reads 2
// experts, 20 tokens read all 8. Other inputs: tokens x 6 and tokens x 8 floats.
TEST(Contrib, OnlyExpertsThatATokenMayChooseAreRead) {
  const auto moe = [](int tokens, int k) {
    return bytes(fmt::format(
        "com.microsoft.MoE(f32[{0},6], f32[{0},8], f32[8,4,6], f32[8,4], f32[8,6,4]) k={1} "
        "activation_type=\"relu\"",
        tokens, k));
  };
  const auto expected = [](int tokens, int experts) {
    const int read = 4 * (tokens * 6 + tokens * 8 + experts * (24 + 4 + 24));
    return fmt::format("read {} written {}", read, 4 * tokens * 6);
  };
  EXPECT_EQ(moe(1, 2), expected(1, 2));
  EXPECT_EQ(moe(3, 2), expected(3, 6));
  EXPECT_EQ(moe(20, 2), expected(20, 8));
  EXPECT_EQ(moe(1, 1), expected(1, 1));
}

// 4 bits in bytes: matrices [4, 3 bytes] and [6, 2 bytes], scales [4] and [6], zero points for them.
TEST(Contrib, QuantizedExpertsAreDequantizedIfATokenMayChooseThem) {
  const auto qmoe = [](int tokens) {
    return fmt::format(
        "com.microsoft.QMoE(f32[{0},6], f32[{0},8], u8[8,4,3], f32[8,4], _, u8[8,6,2], f32[8,6], "
        "_, "
        "_, _, _, u8[8,4,1], u8[8,6,1]) k=2 activation_type=\"relu\" expert_weight_bits=4",
        tokens);
  };
  const auto expected = [](int tokens, int experts) {
    return fmt::format("read {} written {}",
                       4 * tokens * 14 + experts * (12 + 16 + 12 + 24 + 4 + 6), 4 * tokens * 6);
  };
  EXPECT_EQ(bytes(qmoe(1)), expected(1, 2));
  EXPECT_EQ(bytes(qmoe(50)), expected(50, 8));
  // An integer subtract per weight of the 2 experts: 2 * (4 * 6 + 6 * 4).
  EXPECT_NE(work(qmoe(1)).find("int_ops 96"), std::string::npos) << work(qmoe(1));
  EXPECT_NE(work(qmoe(50)).find("int_ops 384"), std::string::npos) << work(qmoe(50));
  // The third matrix may have its own width: 2 weights per byte in the first, 1 in the second.
  const std::string mixed = qmoe(1) + " fc2_expert_weight_bits=8";
  EXPECT_NE(work(mixed).find("int_ops 72"), std::string::npos) << work(mixed);
}

// Cosines and sines [1000, 4] float32: 16 bytes a row.
TEST(Contrib, OneRowOfTheRotaryTablesIsReadPerPosition) {
  const auto read_of = [](const std::string& node) {
    const std::string text = bytes(node);
    return std::stol(text.substr(5));
  };
  const auto grouped = [&](int batch, int length, int rows, const char* rotary) {
    return read_of(fmt::format(
        "com.microsoft.GroupQueryAttention(f32[{0},{1},16], f32[{0},{1},8], f32[{0},{1},8], _, _, "
        "i32[{0}], i32[], f32[{2},4], f32[{2},4]) num_heads=2 kv_num_heads=1 do_rotary={3}",
        batch, length, rows, rotary));
  };
  const auto rest = [](int batch, int length) { return 4 * (batch * length * 32 + batch + 1); };
  EXPECT_EQ(grouped(1, 1, 1000, "1"), rest(1, 1) + 2 * 16);
  EXPECT_EQ(grouped(2, 5, 1000, "1"), rest(2, 5) + 2 * 10 * 16);
  EXPECT_EQ(grouped(2, 5, 6, "1"), rest(2, 5) + 2 * 6 * 16);
  EXPECT_EQ(grouped(1, 1, 1000, "0"), rest(1, 1));
  const auto rotary = [&](const char* ids) {
    return read_of(fmt::format(
        "com.microsoft.RotaryEmbedding(f32[2,3,16], i64[{}], f32[1000,4], f32[1000,4]) num_heads=2",
        ids));
  };
  EXPECT_EQ(rotary("2,3"), 4 * 96 + 8 * 6 + 2 * 6 * 16);
  EXPECT_EQ(rotary("1"), 4 * 96 + 8 + 2 * 3 * 16);
  EXPECT_EQ(read_of("RotaryEmbedding-23(f32[2,2,3,8], f32[1000,4], f32[1000,4], i64[2,3])"),
            4 * 96 + 8 * 6 + 2 * 6 * 16);
  // Without positions the tables hold the rows of this input.
  EXPECT_EQ(read_of("RotaryEmbedding-23(f32[2,2,3,8], f32[2,3,4], f32[2,3,4])"),
            4 * 96 + 2 * 4 * 24);
  EXPECT_EQ(read_of("com.microsoft.MRotaryEmbedding(f32[1,3,16], i64[3,1,3], f32[1000,4], "
                    "f32[1000,4]) num_heads=2"),
            4 * 48 + 8 * 9 + 2 * 3 * 16);
}

}  // namespace
}  // namespace ridge::ops
