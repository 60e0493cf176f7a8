// SPDX-License-Identifier: Apache-2.0
// Compares multiply-accumulates with loop nests that count one by one, on small random cases.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "ops/testing.h"

namespace ridge::ops {
namespace {

using testing::macs_of;
using testing::Sizes;

// Every query with every key, then every score with every value.
long attention(int batch, int heads, int queries, int keys, int size, int value_size) {
  long n = 0;
  for (int row = 0; row < batch * heads * queries; ++row) {
    for (int key = 0; key < keys; ++key) {
      for (int i = 0; i < size; ++i) ++n;
      for (int i = 0; i < value_size; ++i) ++n;
    }
  }
  return n;
}

TEST(LoopNests, Attention) {
  Sizes pick(1);
  for (int round = 0; round < 100; ++round) {
    const int b = pick(1, 3), kv = pick(1, 3), h = kv * pick(1, 3), q = pick(1, 5);
    const int k = pick(1, 6), past = pick(0, 4), s = 2 * pick(1, 4), v = pick(1, 5);
    const std::string node = fmt::format(
        "Attention-23(f32[{},{},{},{}], f32[{},{},{},{}], f32[{},{},{},{}], _, f32[{},{},{},{}], "
        "f32[{},{},{},{}])",
        b, h, q, s, b, kv, k, s, b, kv, k, v, b, kv, past, s, b, kv, past, v);
    EXPECT_EQ(macs_of(node), attention(b, h, q, past + k, s, v)) << node;
    const std::string grouped = fmt::format(
        "com.microsoft.GroupQueryAttention(f32[{},{},{}], f32[{},{},{}], f32[{},{},{}], "
        "f32[{},{},{},{}], f32[{},{},{},{}], i32[{}], i32[]) num_heads={} kv_num_heads={}",
        b, k, h * s, b, k, kv * s, b, k, kv * s, b, kv, past, s, b, kv, past, s, b, h, kv);
    EXPECT_EQ(macs_of(grouped), attention(b, h, k, past + k, s, s)) << grouped;
    const std::string multi = fmt::format(
        "com.microsoft.MultiHeadAttention(f32[{},{},{}], f32[{},{},{}], f32[{},{},{}]) "
        "num_heads={}",
        b, q, h * s, b, k, h * s, b, k, h * v, h);
    EXPECT_EQ(macs_of(multi), attention(b, h, q, k, s, v)) << multi;
    const std::string whole =
        fmt::format("com.microsoft.Attention(f32[{},{},{}], f32[{},{}], f32[{}]) num_heads={}", b,
                    q, v, v, 3 * h * s, 3 * h * s, h);
    long projections = 0;
    for (int out = 0; out < b * q * 3 * h * s; ++out)
      for (int i = 0; i < v; ++i) ++projections;
    EXPECT_EQ(macs_of(whole), projections + attention(b, h, q, q, s, s)) << whole;
  }
}

TEST(LoopNests, RecurrentCells) {
  Sizes pick(2);
  struct Cell {
    const char* name;
    int gates;
  };
  for (int round = 0; round < 90; ++round) {
    const Cell cell = std::vector<Cell>{{"LSTM", 4}, {"GRU", 3}, {"RNN", 1}}[round % 3];
    const int steps = pick(1, 5), batch = pick(1, 3), in = pick(1, 5), hidden = pick(1, 4);
    const bool both = pick(0, 1) == 1;
    const int directions = both ? 2 : 1;
    const std::string node = fmt::format(
        "{}(f32[{},{},{}], f32[{},{},{}], f32[{},{},{}]) hidden_size={} direction=\"{}\"",
        cell.name, steps, batch, in, directions, cell.gates * hidden, in, directions,
        cell.gates * hidden, hidden, hidden, both ? "bidirectional" : "forward");
    long n = 0;
    for (int step = 0; step < directions * steps * batch; ++step)
      for (int gate = 0; gate < cell.gates * hidden; ++gate)
        for (int i = 0; i < in + hidden; ++i) ++n;
    EXPECT_EQ(macs_of(node), n) << node;
  }
}

TEST(LoopNests, PackedWeights) {
  Sizes pick(3);
  for (int round = 0; round < 60; ++round) {
    const int batch = pick(1, 3), rows = pick(1, 5), in = 16 * pick(1, 3), out = pick(1, 6);
    const std::string node = fmt::format(
        "com.microsoft.MatMulNBits(f32[{},{},{}], u8[{},{},8], f32[{},{}]) K={} N={} bits=4 "
        "block_size=16",
        batch, rows, in, out, in / 16, out, in / 16, in, out);
    long n = 0;
    for (int row = 0; row < batch * rows; ++row)
      for (int column = 0; column < out; ++column)
        for (int i = 0; i < in; ++i) ++n;
    EXPECT_EQ(macs_of(node), n) << node;
  }
}

TEST(LoopNests, Experts) {
  Sizes pick(4);
  for (int round = 0; round < 60; ++round) {
    const int tokens = pick(1, 5), experts = pick(2, 4), k = pick(1, 2), hidden = pick(1, 4);
    const int inner = pick(1, 5);
    const std::string node = fmt::format(
        "com.microsoft.MoE(f32[{},{}], f32[{},{}], f32[{},{},{}], _, f32[{},{},{}]) k={} "
        "activation_type=\"relu\"",
        tokens, hidden, tokens, experts, experts, inner, hidden, experts, hidden, inner, k);
    long n = 0;
    for (int pass = 0; pass < tokens * k; ++pass)
      for (int i = 0; i < inner; ++i)
        for (int j = 0; j < hidden; ++j) n += 2;
    EXPECT_EQ(macs_of(node), n) << node;
  }
}

TEST(LoopNests, LinearAttention) {
  Sizes pick(5);
  for (int round = 0; round < 60; ++round) {
    const int b = pick(1, 3), t = pick(1, 4), kv = pick(1, 3), h = kv * pick(1, 2);
    const int dk = pick(1, 4), dv = pick(1, 4);
    const bool delta = round % 2 == 1;
    const std::string node = fmt::format(
        "LinearAttention-27(f32[{},{},{}], f32[{},{},{}], f32[{},{},{}], _, _, {}) "
        "q_num_heads={} kv_num_heads={} update_rule=\"{}\"",
        b, t, h * dk, b, t, kv * dk, b, t, kv * dv,
        delta ? fmt::format("f32[{},{},{}]", b, t, kv) : "_", h, kv, delta ? "delta" : "linear");
    long n = 0;
    for (int step = 0; step < b * t; ++step) {
      for (int i = 0; i < kv * dk * dv; ++i) n += delta ? 2 : 1;  // retrieve, write
      for (int i = 0; i < h * dk * dv; ++i) ++n;                  // read
    }
    EXPECT_EQ(macs_of(node), n) << node;
  }
}

TEST(LoopNests, DeformableConvolution) {
  Sizes pick(6);
  for (int round = 0; round < 60; ++round) {
    const int group = pick(1, 2), in = 2 * group, out = 3 * group, kernel = pick(1, 3);
    const int height = pick(3, 6), width = pick(3, 6);
    const int y = height - kernel + 1, x = width - kernel + 1;
    const std::string node = fmt::format(
        "DeformConv-19(f32[2,{},{},{}], f32[{},{},{},{}], f32[2,{},{},{}]) group={}", in, height,
        width, out, in / group, kernel, kernel, 2 * kernel * kernel, y, x, group);
    long n = 0;
    for (int position = 0; position < 2 * out * y * x; ++position)
      for (int tap = 0; tap < in / group * kernel * kernel; ++tap) ++n;
    EXPECT_EQ(testing::shapes(node), fmt::format("f32[2,{},{},{}]", out, y, x)) << node;
    EXPECT_EQ(macs_of(node), n) << node;
  }
}

}  // namespace
}  // namespace ridge::ops
