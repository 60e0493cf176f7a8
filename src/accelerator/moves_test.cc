// SPDX-License-Identifier: Apache-2.0
// Elements that nodes which only move data still move, counted by hand.
#include "accelerator/moves.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "accelerator/lowering.h"
#include "analysis/testing.h"

namespace ridge::accelerator {
namespace {

/// Returns a line per layer that only moves data: "name: view 0+0", the elements read and written.
std::string shown_moves(std::string_view text) {
  const auto r = analysis::testing::resolved(text);
  std::string out;
  for (const Layer& l : lower(r).layers)
    if (l.move != Move::kNone)
      out += fmt::format("{}: {} {}+{}\n", l.name, name(l.move), l.vector->read, l.vector->written);
  return out;
}

TEST(Moves, MakersWriteIntoAConcatOnItsOutermostAxis) {
  EXPECT_EQ(shown_moves(R"(
    graph main
      input x[1,4,6,6]
      constant w[4,4,1,1]
      one: Conv(x, w) -> a
      two: Conv(x, w) -> b
      cat: Concat(a, b) {axis=1} -> c
      pool: MaxPool(c) {kernel_shape=[2,2]} -> y
      output y
  )"),
            "cat: in place 0+0\n");
  // Two images: the parts of an image do not lie together.
  EXPECT_EQ(shown_moves(R"(
    graph main
      input x[2,4,6,6]
      constant w[4,4,1,1]
      one: Conv(x, w) -> a
      two: Conv(x, w) -> b
      cat: Concat(a, b) {axis=1} -> c
      pool: MaxPool(c) {kernel_shape=[2,2]} -> y
      output y
  )"),
            "cat: copy 576+576\n");
}

TEST(Moves, WhatHasNoMakerOrTwoPlacesIsCopied) {
  // An input of the graph, a constant (8 elements), and a tensor that is in the Concat twice.
  EXPECT_EQ(shown_moves(R"(
    graph main
      input x[1,8]
      constant w[1,8]
      exp: Exp(x) -> a
      cat: Concat(a, x, w, a) {axis=1} -> c
      soft: Softmax(c) -> y
      output y
  )"),
            "cat: part 24+24\n");
  // Outputs of the graph keep memory of their own.
  EXPECT_EQ(shown_moves(R"(
    graph main
      input x[1,8]
      exp: Exp(x) -> a
      sig: Tanh(x) -> b
      cat: Concat(a, b) {axis=1} -> c
      soft: Softmax(c) -> y
      output y a
  )"),
            "cat: part 8+8\n");
}

TEST(Moves, ConcatsOfADenseBlockShareOneMemory) {
  EXPECT_EQ(shown_moves(R"(
    graph main
      input x[1,4,6,6]
      constant w[4,4,1,1] v[4,8,1,1]
      first: Conv(x, w) -> a
      second: Conv(a, w) -> b
      cat1: Concat(a, b) {axis=1} -> c
      third: Conv(c, v) -> d
      cat2: Concat(a, b, d) {axis=1} -> e
      pool: MaxPool(e) {kernel_shape=[2,2]} -> y
      output y
  )"),
            "cat1: in place 0+0\ncat2: in place 0+0\n");
  // In another order, the second Concat begins where b lies; a, 144 elements, is copied behind it.
  EXPECT_EQ(shown_moves(R"(
    graph main
      input x[1,4,6,6]
      constant w[4,4,1,1] v[4,8,1,1]
      first: Conv(x, w) -> a
      second: Conv(a, w) -> b
      cat1: Concat(a, b) {axis=1} -> c
      third: Conv(c, v) -> d
      cat2: Concat(b, a, d) {axis=1} -> e
      pool: MaxPool(e) {kernel_shape=[2,2]} -> y
      output y
  )"),
            "cat1: in place 0+0\ncat2: part 144+144\n");
}

TEST(Moves, PartsOfTheOutermostAxisAreViews) {
  EXPECT_EQ(shown_moves(R"(
    graph main
      input x[1,8,4,4]
      constant w[8,8,1,1] v[4,4,1,1] u[8,12,1,1]
      integers s[2]=4,4
      conv: Conv(x, w) -> a
      split: Split(a, s) {axis=1} -> b, c
      more: Conv(c, v) -> d
      cat: Concat(b, c, d) {axis=1} -> e
      last: Conv(e, u) -> y
      output y
  )"),
            // The Concat begins with the two parts where they are: its third part follows them.
            "split: view 0+0\ncat: in place 0+0\n");
  EXPECT_EQ(shown_moves(R"(
    graph main
      input x[2,8,4,4]
      constant w[8,8,1,1] v[4,4,1,1]
      integers s[2]=4,4
      conv: Conv(x, w) -> a
      split: Split(a, s) {axis=1} -> b, c
      one: Conv(b, v) -> d
      two: Conv(c, v) -> e
      output d e
  )"),
            "split: copy 258+256\n");  // with the two sizes
  EXPECT_EQ(shown_moves(R"(
    graph main
      input x[6,4]
      integers from[1]=2 to[1]=5 axis[1]=0 at=-1
      exp: Exp(x) -> a
      rows: Slice(a, from, to, axis) -> b
      soft: Softmax(b) -> y
      last: Gather(a, at) {axis=0} -> c
      soft2: Softmax(c) -> z
      column: Gather(a, at) {axis=1} -> d
      soft3: Softmax(d) -> q
      output y z q
  )"),
            "rows: view 0+0\nlast: view 0+0\ncolumn: copy 7+6\n");
}

TEST(Moves, ACacheGetsItsNewRowsAlone) {
  // Three heads of 5 old rows and 1 new one, of 4 elements; a product makes the new row.
  EXPECT_EQ(shown_moves(R"(
    graph main
      input past[1,3,5,4] x[1,3,1,4]
      constant w[4,4]
      mm: MatMul(x, w) -> new
      cat: Concat(past, new) {axis=2} -> present
      soft: Softmax(present) -> y
      output y present
  )"),
            "cat: append 0+0\n");
  // A transpose of unit axes between the product and the cache moves nothing.
  EXPECT_EQ(shown_moves(R"(
    graph main
      input past[1,3,5,4] x[1,1,12]
      constant w[12,12]
      integers heads[4]=1,1,3,4
      mm: MatMul(x, w) -> a
      re: Reshape(a, heads) -> b
      tr: Transpose(b) {perm=[0,2,1,3]} -> new
      cat: Concat(past, new) {axis=2} -> present
      soft: Softmax(present) -> y
      output y present
  )"),
            "tr: view 0+0\ncat: append 0+0\n");
  // New rows that are an input of the graph are copied; without a past nothing is appended.
  EXPECT_EQ(shown_moves(R"(
    graph main
      input past[1,3,5,4] new[1,3,1,4]
      cat: Concat(past, new) {axis=2} -> present
      soft: Softmax(present) -> y
      output y present
  )"),
            "cat: append 12+12\n");
  EXPECT_EQ(shown_moves(R"(
    graph main
      input past[1,3,5,4] new[1,3,1,4]
      cat: Concat(past, new) {axis=2} -> all
      soft: Softmax(all) -> y
      output y
  )"),
            "cat: copy 72+72\n");
  EXPECT_EQ(shown_moves(R"(
    graph main
      input past[7,4] rows[2,4]
      integers at[2,1]=0,3
      put: ScatterND(past, at, rows) -> present
      soft: Softmax(present) -> y
      output y present
  )"),
            "put: append 10+8\n");
}

TEST(Moves, ProductsReadHeadsAndTransposedKeysByStrides) {
  EXPECT_EQ(shown_moves(R"(
    graph main
      input x[1,5,8]
      constant w[8,8] k[8,8] o[8,8]
      integers split[4]=1,5,2,4 merged[3]=1,5,8
      q: MatMul(x, w) -> qf
      qr: Reshape(qf, split) -> q4
      qt: Transpose(q4) {perm=[0,2,1,3]} -> qh
      key: MatMul(x, k) -> kf
      kr: Reshape(kf, split) -> k4
      kt: Transpose(k4) {perm=[0,2,3,1]} -> kh
      scores: MatMul(qh, kh) -> s
      soft: Softmax(s) -> p
      vr: Reshape(kf, split) -> v4
      vt: Transpose(v4) {perm=[0,2,1,3]} -> vh
      mix: MatMul(p, vh) -> m
      back: Transpose(m) {perm=[0,2,1,3]} -> b
      br: Reshape(b, merged) -> b3
      out: MatMul(b3, o) -> y
      output y
  )"),
            "qt: strided read 0+0\nkt: strided read 0+0\nvt: strided read 0+0\n"
            "back: strided read 0+0\n");
}

TEST(Moves, OtherOrdersAreWrittenByStridesOrCopied) {
  // Softmax reads in order: the product writes the heads by strides. A unit axis moves nothing.
  EXPECT_EQ(shown_moves(R"(
    graph main
      input x[1,5,8]
      constant w[8,8]
      integers split[4]=1,5,2,4
      q: MatMul(x, w) -> qf
      qr: Reshape(qf, split) -> q4
      qt: Transpose(q4) {perm=[0,2,1,3]} -> qh
      soft: Softmax(qh) -> p
      unit: Transpose(p) {perm=[1,0,2,3]} -> u
      norm: Softmax(u) -> v
      turn: Transpose(v) {perm=[3,1,2,0]} -> t
      last: Softmax(t) -> y
      output y
  )"),
            "qt: strided write 0+0\nunit: view 0+0\nturn: copy 40+40\n");
}

TEST(Moves, SharedKeysAreReadOncePerProduct) {
  const auto r = analysis::testing::resolved(R"(
    graph main
      input q[1,6,1,4] k[1,2,5,4] v[1,2,5,4]
      integers five[5]=1,2,3,5,4 four[4]=1,6,5,4 axis[1]=2
      ku: Unsqueeze(k, axis) -> k5
      kx: Expand(k5, five) -> kb
      kr: Reshape(kb, four) -> kh
      kt: Transpose(kh) {perm=[0,1,3,2]} -> kk
      scores: MatMul(q, kk) -> s
      soft: Softmax(s) -> p
      vu: Unsqueeze(v, axis) -> v5
      vx: Expand(v5, five) -> vb
      vr: Reshape(vb, four) -> vh
      mix: MatMul(p, vh) -> m
      sum: ReduceSum(vh) -> n
      output m n
  )");
  std::string out;
  for (const Layer& l : lower(r).layers) {
    out += l.name + ": " + std::string(name(l.move));
    for (const Gemm& g : l.gemms) out += fmt::format("{}x{}x{} x{}", g.m, g.n, g.k, g.count);
    if (l.name == "sum") out += fmt::format("{} read", l.vector->read);
    out += "\n";
  }
  // Six queries, two keys and values: products of three queries each. The sum reads 40 elements.
  EXPECT_EQ(out,
            "kx: broadcast\nkt: strided read\nscores: 3x5x4 x2\nsoft: \nvx: broadcast\n"
            "mix: 3x4x5 x2\nsum: 40 read\n");
}

TEST(Moves, ABroadcastInsideTheMatricesDoesNotMergeProducts) {
  const auto r = analysis::testing::resolved(R"(
    graph main
      input q[6,3,4] k[6,1,5]
      integers shape[3]=6,4,5
      kx: Expand(k, shape) -> kb
      mm: MatMul(q, kb) -> y
      output y
  )");
  const Lowered l = lower(r);
  ASSERT_EQ(l.layers.size(), 2U);
  EXPECT_EQ(l.layers[0].move, Move::kBroadcast);
  EXPECT_EQ(l.layers[1].gemms.at(0), matrix_product(3, 5, 4, 6));
}

TEST(Moves, FusedMovesAndUnknownIndicesAreNot) {
  EXPECT_EQ(shown_moves(R"(
    graph main
      input x[4,6] i[1]
      declare i[1]
      turn: Transpose(x) {perm=[1,0]} -> a
      neg: Neg(a) -> y
      cast: Cast(i) {to=7} -> j
      row: Gather(x, j) {axis=0} -> z
      output y z
  )"),
            "");
}

}  // namespace
}  // namespace ridge::accelerator
