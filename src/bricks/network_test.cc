// SPDX-License-Identifier: Apache-2.0
#include "bricks/network.h"

#include <gtest/gtest.h>

#include "bricks/testing.h"

namespace ridge::bricks {
namespace {

using testing::crafted;
using testing::expect_complete;
using testing::layers;
using testing::layers_and_kernels;
using testing::left_over;

constexpr std::string_view kProductChain = R"(graph main
  input x[2,4]
  constant w[4,4]
  a: MatMul(x, w) -> ta
  b: Relu(ta) -> tb
  c: MatMul(tb, w) -> tc
  d: Neg(tc) -> y
  output y)";

TEST(Network, HasALayerForEveryKernel) {
  const Network n = crafted(kProductChain);
  EXPECT_EQ(layers(n), "a b c d");
  EXPECT_EQ(n.layers[0].macs, 2 * 4 * 4);
  EXPECT_EQ(n.layers[1].macs, 0);
  expect_complete(n);
}

TEST(Network, HasNodesOfOneKernelInOneLayer) {
  const Network n = crafted(kProductChain, {.layers = {{"a", "b"}}});
  EXPECT_EQ(layers(n), "a,b c d");
  expect_complete(n);
}

TEST(Network, JoinsLayersThatReadFromEachOther) {
  // a and c are one layer, so is b and d: each reads from the other.
  const Network n = crafted(kProductChain, {.layers = {{"a", "c"}, {"b", "d"}}});
  EXPECT_EQ(layers(n), "a,b,c,d");
  ASSERT_EQ(n.layers.size(), 1U);
  EXPECT_EQ(n.layers[0].kernels.size(), 4U);
  expect_complete(n);
}

TEST(Network, JoinsASoftmaxWithTheKnownSumBeforeItAndTheProductBehindIt) {
  const Network n = crafted(R"(graph main
    input q[2,4,4]
    input v[2,4,4]
    constant mask[4,4]
    scale: Neg(q) -> ts
    sum: Add(ts, mask) -> tm
    soft: Softmax(tm) -> tp
    product: MatMul(tp, v) -> to
    after: Neg(to) -> y
    output y)");
  EXPECT_EQ(layers(n), "scale sum,soft,product after");
  expect_complete(n);
}

TEST(Network, KnowsAMaskWhoseSizeIsThatOfATensor) {
  const Network n =
      crafted(R"(graph main
    input q[2,4]
    input v[4,4]
    scale: Neg(q) -> ts
    size: Shape(ts) -> n
    fill: ConstantOfShape(n) -> mask
    sum: Add(ts, mask) -> tm
    soft: Softmax(tm) -> tp
    product: MatMul(tp, v) -> y
    output y)",
              {.without = {{"size", profile::Why::kFolded}, {"fill", profile::Why::kFolded}}});
  EXPECT_EQ(layers(n), "scale size,fill,sum,soft,product");
}

TEST(Network, LeavesASoftmaxBehindASumOfComputedTensorsAlone) {
  const Network n = crafted(R"(graph main
    input q[2,4,4]
    input v[2,4,4]
    input mask[4,4]
    sum: Add(q, mask) -> tm
    soft: Softmax(tm) -> tp
    product: MatMul(tp, v) -> y
    output y)");
  EXPECT_EQ(layers(n), "sum soft product");
  expect_complete(n);
}

TEST(Network, JoinsLayersThatReadFromEachOtherThroughANodeWithoutKernel) {
  const Network n =
      crafted(R"(graph main
    input x[2,4]
    a: Relu(x) -> ta
    pass: Identity(ta) -> tp
    b: Neg(tp) -> tb
    c: Relu(tb) -> y
    output y)",
              {.layers = {{"a", "c"}}, .without = {{"pass", profile::Why::kEliminated}}});
  EXPECT_EQ(layers(n), "a,pass,b,c");
  expect_complete(n);
}

TEST(Network, OrdersLayersByWhatTheyRead) {
  // The file has readers before what they read.
  const Network n = crafted(R"(graph main
    input x[2,4]
    last: Add(tb, ta) -> y
    b: Neg(ta) -> tb
    a: Relu(x) -> ta
    output y)");
  EXPECT_EQ(layers(n), "a b last");
  expect_complete(n);
}

TEST(Network, PlacesANodeWithoutKernelAtItsFirstReader) {
  const Network n = crafted(
      R"(graph main
    input x[2,4]
    pass: Identity(x) -> tp
    again: Identity(tp) -> tq
    a: Relu(x) -> ta
    b: Add(ta, tq) -> tb
    c: Mul(tb, tq) -> y
    output y)",
      {.without = {{"pass", profile::Why::kEliminated}, {"again", profile::Why::kEliminated}}});
  EXPECT_EQ(layers(n), "a pass,again,b c");
  EXPECT_EQ(left_over(n), "");
  expect_complete(n);
}

TEST(Network, LeavesANodeWithWorkAtLoadTimeOver) {
  const Network n = crafted(R"(graph main
    input x[2,4]
    constant w[4,4] v[4,4]
    fold: MatMul(w, v) -> wv
    a: MatMul(x, wv) -> y
    output y)",
                            {.without = {{"fold", profile::Why::kFolded}}});
  EXPECT_EQ(layers(n), "a");
  EXPECT_EQ(left_over(n), "fold: computed at load time");
  EXPECT_EQ(n.layers[0].macs, 2 * 4 * 4);
  expect_complete(n);
}

TEST(Network, LeavesAMergedNodeWithWorkOverAndReadsTheOther) {
  const Network n =
      crafted(R"(graph main
    input x[2,4]
    constant w[4,4]
    a: MatMul(x, w) -> ta
    twin: MatMul(x, w) -> tt
    b: Add(ta, tt) -> y
    output y)",
              {.without = {{"twin", profile::Why::kMerged}}, .merged_with = {{"twin", "a"}}});
  EXPECT_EQ(layers(n), "a b");
  EXPECT_EQ(left_over(n), "twin: equal to another node, computed once");
  expect_complete(n);
  const Unit b = n.layers[1].units[0];
  EXPECT_EQ(origin(n, n.node(b).inputs[1]), std::string_view(n.node(b).inputs[0]));
}

TEST(Network, PlacesAMergedNodeWithoutWorkAtItsReader) {
  const Network n =
      crafted(R"(graph main
    input x[2,4]
    a: Relu(x) -> ta
    twin: Relu(x) -> tt
    b: Neg(ta) -> tb
    c: Add(tb, tt) -> y
    output y)",
              {.without = {{"twin", profile::Why::kMerged}}, .merged_with = {{"twin", "a"}}});
  EXPECT_EQ(layers(n), "a b twin,c");
  expect_complete(n);
}

TEST(Network, LeavesAnUnreadNodeOver) {
  const Network n = crafted(R"(graph main
    input x[2,4]
    a: Relu(x) -> y
    size: Shape(x) -> s
    output y)",
                            {.without = {{"size", profile::Why::kEliminated}}});
  EXPECT_EQ(layers(n), "a");
  EXPECT_EQ(left_over(n), "size: has no effect on the outputs");
  expect_complete(n);
}

TEST(Network, NotesWhatALayerRepeats) {
  const Network n = crafted(R"(graph main
    input x[2,4]
    a: Relu(x) -> ta
    b: Neg(ta) -> tb
    c: Add(tb, ta) -> y
    output y)",
                            {.repeated_in = {{"a", "c"}}});
  ASSERT_EQ(layers(n), "a b c");
  EXPECT_EQ(n.layers[2].repeated, n.layers[0].units);
  EXPECT_TRUE(n.layers[0].repeated.empty());
  expect_complete(n);
}

constexpr std::string_view kIf = R"(graph main
  input c:bool[] x[2,4]
  a: Relu(x) -> ta
  if: If(c) {then_branch=graph:yes else_branch=graph:no} -> tb
  b: Neg(tb) -> y
  output y
graph yes
  then: Sigmoid(ta) -> p
  output p
graph no
  else: Tanh(ta) -> q
  output q)";

constexpr std::string_view kLoop = R"(graph main
  input x[4,4]
  integers m=3
  a: Relu(x) -> ta
  loop: Loop(m, _, ta) {body=graph:body} -> tb
  b: Neg(tb) -> y
  output y
graph body
  input i:int64[] c:bool[] h[4,4]
  keep: Identity(c) -> d
  inner: MatMul(h, h) -> g
  output d g)";

TEST(Network, HasControlFlowWithItsBodiesAsOneLayer) {
  const Network n = crafted(kIf);
  EXPECT_EQ(layers(n), "a if,then,else b");
  expect_complete(n);
  const Network loop = crafted(kLoop);
  EXPECT_EQ(layers(loop), "a loop,keep,inner b");
  EXPECT_EQ(loop.layers[1].macs, 3 * 4 * 4 * 4);
  expect_complete(loop);
}

TEST(NetworkSlow, HasAConvolutionWithSumAndReluAsOneLayer) {
  LOAD_OR_SKIP(n, R"(graph main
    input x[1,16,8,8]
    constant w[16,16,3,3] v[16,16,3,3]
    first: Conv(x, v) {pads=[1,1,1,1]} -> tf
    conv: Conv(tf, w) {pads=[1,1,1,1]} -> tc
    add: Add(tc, tf) -> ta
    relu: Relu(ta) -> tr
    pool: MaxPool(tr) {kernel_shape=[2,2]} -> y
    output y)");
  EXPECT_EQ(layers_and_kernels(*n),
            "first[ReorderInput,Conv] conv,add,relu[Conv] pool[MaxPool,ReorderOutput]");
  expect_complete(*n);
}

TEST(NetworkSlow, HasControlFlowAsOneLayer) {
  LOAD_OR_SKIP(n, kIf);
  EXPECT_EQ(layers(*n), "a if,then,else b");
  expect_complete(*n);
  LOAD_OR_SKIP(loop, kLoop);
  EXPECT_EQ(layers(*loop), "a loop,keep,inner b");
  expect_complete(*loop);
}

TEST(NetworkSlow, PlacesShapeArithmeticAtItsReader) {
  LOAD_OR_SKIP(n, R"(graph main
    input x[2,4]
    integers k[1]=-1
    a: Relu(x) -> ta
    shape: Shape(ta) -> s
    b: Neg(ta) -> tb
    flat: Reshape(tb, k) -> tf
    back: Reshape(tf, s) -> y
    output y)");
  EXPECT_EQ(left_over(*n), "");
  const std::string text = layers(*n);
  EXPECT_NE(text.find("shape"), text.npos) << text;
  expect_complete(*n);
}

TEST(NetworkSlow, LeavesWorkAtLoadTimeOver) {
  LOAD_OR_SKIP(n, R"(graph main
    input x[2,4]
    constant w[4,4] v[4,4]
    fold: MatMul(w, v) -> wv
    a: MatMul(x, wv) -> y
    output y)");
  EXPECT_EQ(layers_and_kernels(*n), "a[MatMul]");
  EXPECT_EQ(left_over(*n), "fold: computed at load time");
  expect_complete(*n);
}

TEST(NetworkSlow, LeavesMergedWorkOver) {
  LOAD_OR_SKIP(n, R"(graph main
    input x[2,4]
    constant w[4,4]
    a: MatMul(x, w) -> ta
    twin: MatMul(x, w) -> tt
    b: Concat(ta, tt) {axis=0} -> y
    output y)");
  // The runtime chooses which of the two it computes.
  ASSERT_EQ(n->left_over.size(), 1U);
  EXPECT_EQ(n->left_over[0].why, "equal to another node, computed once");
  EXPECT_EQ(layers_and_kernels(*n),
            n->left_over[0].node == 0 ? "twin[MatMul] b[Concat]" : "a[MatMul] b[Concat]");
  expect_complete(*n);
}

}  // namespace
}  // namespace ridge::bricks
