// SPDX-License-Identifier: Apache-2.0
#include "analysis/counts.h"

#include <gtest/gtest.h>

#include "analysis/testing.h"

namespace ridge::analysis {
namespace {

using testing::resolved;
using testing::shown;
using testing::value;

TEST(Counts, AWeightSeenThroughViewsIsOneTensor) {
  const Resolved r = resolved(R"(
    graph main
      input x[2,4]
      constant w[4,4]
      integers shape[2]=4,4
      again: Identity(w) -> w2
      turned: Transpose(w2) -> w3
      shaped: Reshape(w3, shape) -> w4
      a: MatMul(x, w) -> y
      b: MatMul(y, w4) -> z
      output z
  )");
  EXPECT_EQ(r.totals().params, 16);
  EXPECT_EQ(r.totals().weight_bytes, 64);
  EXPECT_EQ(shown(r, "a"), "float32[2,4] macs 32 bytes 96+32 params 16");
  EXPECT_EQ(shown(r, "b"), "float32[2,4] macs 32 bytes 96+32 params 16");
  EXPECT_TRUE(r.weight(value(r, "w4")));
}

TEST(Counts, AConstantOfShapeIsAWeightOfItsOwn) {
  const Resolved r = resolved(R"(
    graph main
      input x[2,4]
      integers shape[2]=4,8
      fill: ConstantOfShape(shape) -> w
      mm: MatMul(x, w) -> y
      output y
  )");
  EXPECT_EQ(r.totals().params, 32);
  EXPECT_EQ(r.totals().weight_bytes, 128);
  EXPECT_FALSE(r.weight(value(r, "shape")));
}

TEST(Counts, WhatIsFilledToTheSizeOfAnActivationIsNoWeight) {
  const Resolved r = resolved(R"(
    graph main
      input x[2,4]
      shape: Shape(x) -> s
      fill: ConstantOfShape(s) -> zeros
      add: Add(x, zeros) -> y
      output y
  )");
  EXPECT_EQ(r.totals().params, 0);
  EXPECT_FALSE(r.constant(value(r, "zeros")));
}

TEST(Counts, RunningStatisticsAndSingleElementsAreNoParameters) {
  const Resolved r = resolved(R"(
    graph main
      input x[1,4,2,2]
      constant scale[4] bias[4] mean[4] var[4] one[1]
      hidden: Identity(mean) -> mean2
      norm: BatchNormalization(x, scale, bias, mean2, var) -> n
      add: Add(n, one) -> y
      output y
  )");
  EXPECT_EQ(r.totals().params, 8);
  EXPECT_FALSE(r.weight(value(r, "one")));
  EXPECT_TRUE(r.constant(value(r, "one")));
}

TEST(Counts, AWeightThatTwoNodesShareCountsOnceInTotal) {
  const Resolved r = resolved(
      "graph main\n input x[2,4]\n constant w[4,4]\n a: MatMul(x, w) -> y\n b: MatMul(y, w) -> z\n "
      "output z");
  EXPECT_EQ(r.totals().params, 16);
  EXPECT_EQ(r.counts(0).params + r.counts(1).params, 32);
}

TEST(Counts, AnInputWithADefaultIsAWeight) {
  auto document = graph::Sketch::document(
      "graph main\n input x[2,4] w[4,4]\n constant w[4,4]\n a: MatMul(x, w) -> y\n output y");
  Result<graph::Model> model = graph::Model::build(document);
  ASSERT_TRUE(model.ok());
  const Result<Resolved> r =
      resolve(std::make_shared<const graph::Model>(std::move(model).value()), {});
  ASSERT_TRUE(r.ok());
  EXPECT_EQ(r->totals().params, 16);
}

TEST(Counts, TotalsAreTheSumsOfTheRows) {
  const Resolved r = resolved(R"(
    graph main
      input x[2,4]
      integers m=3
      constant w[4,4]
      mm: MatMul(x, w) -> h
      loop: Loop(m, _, h) {body=graph:body} -> y
      output y
    graph body
      input i[] c[] g
      sig: Sigmoid(g) -> k
      add: Add(k, g) -> next
      output c next
  )");
  std::int64_t flops = 0, special = 0, read = 0, written = 0;
  for (graph::NodeId n = 0; n < r.model().nodes().size(); ++n) {
    flops += r.counts(n).flops.value();
    special += r.counts(n).special.value();
    read += r.counts(n).bytes_read.value();
    written += r.counts(n).bytes_written.value();
  }
  EXPECT_EQ(r.totals().flops.value(), flops);
  EXPECT_EQ(r.totals().special.value(), special);
  EXPECT_EQ(r.totals().bytes_read.value(), read);
  EXPECT_EQ(r.totals().bytes_written.value(), written);
  EXPECT_EQ(r.totals().counted + r.totals().zero + r.totals().unknown, r.totals().nodes);
  EXPECT_EQ(r.totals().macs.value(), 32);
}

constexpr std::string_view kExperts = R"(
    graph main
      input x[tokens,6] router[tokens,8]
      constant a[8,4,6] b[8,6,4] w[6,6]
      route: com.microsoft.MoE(x, router, a, _, b) {k=2 activation_type='relu'} -> m
      dense: MatMul(m, w) -> y
      output y
  )";

// 8 experts of 24 + 24 weights, of which a token uses 2, and a matrix of 36 that all use.
TEST(Counts, OneTokenUsesTheParametersOfTheExpertsItIsRoutedTo) {
  for (const std::int64_t tokens : {1, 100}) {
    Bindings b;
    b.sizes["tokens"] = {.value = tokens};
    const Resolved r = resolved(kExperts, b);
    EXPECT_TRUE(r.has_experts());
    EXPECT_EQ(r.totals().params, 8 * 48 + 36);
    EXPECT_EQ(r.totals().active_params, 2 * 48 + 36);
    EXPECT_EQ(r.active_params(0), 2 * 48);
    EXPECT_EQ(r.active_params(1), 36);
  }
  EXPECT_FALSE(resolved("graph main\n input x[2]\n r: Relu(x) -> y\n output y").has_experts());
}

TEST(Counts, AnExpertThatAnotherNodeReadsIsUsedByEveryToken) {
  const Resolved r = resolved(R"(
    graph main
      input x[1,6] router[1,8]
      constant a[8,4,6] b[8,6,4]
      route: com.microsoft.MoE(x, router, a, _, b) {k=2 activation_type='relu'} -> m
      all: ReduceSum(a) -> s
      output m s
  )");
  EXPECT_EQ(r.totals().params, 8 * 48);
  EXPECT_EQ(r.totals().active_params, 8 * 24 + 2 * 24);
}

// The int32 bias of a quantized convolution or product is a parameter; other integers are not.
TEST(Counts, QuantizedBiasesAreParameters) {
  const Resolved r = resolved(R"(
    graph main
      input x[1,3,8,8] xs[] f[1,8]
      integers bias[4]=1,2,3,4 fc[2]=1,2
      constant wf[4,3,3,3] gf[8,2] s[]
      zx: Cast(xs) {to=2} -> z
      ws: QuantizeLinear(wf, s, z) -> w
      gs: QuantizeLinear(gf, s, z) -> g
      qs: QuantizeLinear(x, s, z) -> q
      fs: QuantizeLinear(f, s, z) -> h
      b: Cast(bias) {to=6} -> b32
      c: Cast(fc) {to=6} -> c32
      conv: QLinearConv(q, s, z, w, s, z, s, z, b32) -> o
      fc: com.microsoft.QGemm(h, s, z, g, s, z, c32, s, z) -> p
      output o p
  )");
  EXPECT_EQ(r.totals().params, 4 * 27 + 16 + 4 + 2);
}

}  // namespace
}  // namespace ridge::analysis
