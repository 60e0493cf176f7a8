// SPDX-License-Identifier: Apache-2.0
#include "analysis/traffic/fuser.h"

#include <gtest/gtest.h>

#include <map>

#include "analysis/testing.h"

namespace ridge::analysis {
namespace {

/// Text "a b | c": groups of at least two nodes by name, in the order of their last members; then
/// the folded nodes.
std::string groups(std::string_view text, Fuse how) {
  const Resolved r = testing::resolved(text);
  const Fusion f = assume_fusion(r, how);
  std::map<graph::NodeId, std::string> members;
  std::string folded;
  std::int64_t fused = 0;
  for (graph::NodeId n = 0; n < r.model().nodes().size(); ++n) {
    std::string& group = members[f.runs_with[n]];
    group += (group.empty() ? "" : " ") + std::string(r.model().node(n).name);
    fused += f.runs_with[n] == n ? 0 : 1;
    if (f.folded[n]) folded += " folded " + std::string(r.model().node(n).name);
  }
  EXPECT_EQ(fused, f.fused);
  std::string out;
  for (const auto& [last, group] : members)
    if (group.find(' ') != std::string::npos) out += (out.empty() ? "" : " | ") + group;
  return out + folded;
}

constexpr std::string_view kResidual = R"(
  graph main
    input x[1,4,8,8]
    constant w[4,4,3,3] v[4,4,3,3] scale[4] shift[4] mean[4] var[4]
    conv1: Conv(x, w) -> a
    bn: BatchNormalization(a, scale, shift, mean, var) -> b
    relu1: Relu(b) -> c
    conv2: Conv(c, v) -> d
    sum: Add(d, e) -> f
    relu2: Relu(f) -> y
    side: Conv(c, v) -> e
    output y
)";

TEST(Fusion, NobodyRunsWithAnotherByDefault) { EXPECT_EQ(groups(kResidual, Fuse::kNone), ""); }

TEST(Fusion, ElementWiseChainsRideWithWhatMakesTheirInput) {
  EXPECT_EQ(groups(kResidual, Fuse::kEpilogue), "conv1 bn relu1 | sum relu2 side");
}

TEST(Fusion, ARegionRidesWhereAllReadersOfItsInputAreInIt) {
  // HardSwish, SiLU, Gelu by Erf and by Tanh, as exporters write them, behind a Conv.
  const auto after_conv = [](std::string_view nodes) {
    return groups(
        "graph main\n input x[1,2,4,4]\n constant w[3,2,1,1] k[] p[]\n"
        " conv: Conv(x, w) -> a\n" +
            std::string(nodes) + " output y",
        Fuse::kEpilogue);
  };
  EXPECT_EQ(after_conv(" s: Sigmoid(a) -> b\n m: Mul(a, b) -> y\n"), "conv s m");
  EXPECT_EQ(after_conv(" s: Add(a, k) -> b\n c: Clip(b, k, p) -> d\n m: Mul(a, d) -> e\n"
                       " q: Div(e, p) -> y\n"),
            "conv s c m q");
  EXPECT_EQ(after_conv(" d: Div(a, k) -> b\n e: Erf(b) -> c\n p1: Add(c, p) -> f\n"
                       " m: Mul(a, f) -> g\n h: Mul(g, k) -> y\n"),
            "conv d e p1 m h");
  EXPECT_EQ(after_conv(" p3: Pow(a, k) -> b\n m1: Mul(b, k) -> c\n s: Add(a, c) -> d\n"
                       " t: Tanh(d) -> e\n p1: Add(e, p) -> f\n h: Mul(a, k) -> g\n"
                       " m: Mul(g, f) -> y\n"),
            "conv p3 m1 s t p1 h m");
}

TEST(Fusion, ARegionWithAReaderOutsideOrTwoResultsDoesNotRide) {
  const auto after_conv = [](std::string_view nodes) {
    return groups(
        "graph main\n input x[1,2,4,4]\n constant w[3,2,1,1] v[3,3,1,1]\n"
        " conv: Conv(x, w) -> a\n" +
            std::string(nodes),
        Fuse::kEpilogue);
  };
  // Another Conv, the graph, or a reader with another shape also wants the value.
  EXPECT_EQ(after_conv(" s: Sigmoid(a) -> b\n m: Mul(a, b) -> y\n o: Conv(a, v) -> z\n"
                       " output y z"),
            "s m");
  EXPECT_EQ(after_conv(" s: Sigmoid(a) -> b\n m: Mul(a, b) -> y\n output y a"), "s m");
  EXPECT_EQ(after_conv(" p: GlobalAveragePool(a) -> b\n s: Sigmoid(b) -> c\n"
                       " m: Mul(a, c) -> y\n output y"),
            "p s");
  // Two values leave.
  EXPECT_EQ(after_conv(" s: Sigmoid(a) -> y\n n: Neg(a) -> z\n output y z"), "");
}

TEST(Fusion, ElementWiseNodesJoinTheirOnlyReader) {
  // x has no producer that could carry both.
  EXPECT_EQ(groups("graph main\n input x[4]\n a: Exp(x) -> b\n c: Neg(x) -> d\n"
                   " e: Add(b, d) -> y\n output y",
                   Fuse::kEpilogue),
            "a c e");
  // The gate of a residual sum is computed where the sum is.
  EXPECT_EQ(groups("graph main\n input x[1,2,4,4] z[1,3,4,4]\n constant w[3,2,1,1]\n"
                   " s: Sigmoid(z) -> b\n conv: Conv(x, w) -> a\n m: Add(a, b) -> y\n output y",
                   Fuse::kEpilogue),
            "s conv m");
}

TEST(Fusion, AValueThatIsHandedOutEndsAChain) {
  EXPECT_EQ(
      groups("graph main\n input x[4]\n a: Relu(x) -> b\n c: Neg(b) -> d\n e: Add(d, b) -> y\n"
             " output y",
             Fuse::kEpilogue),
      "a c e");
  EXPECT_EQ(groups("graph main\n input x[4]\n a: Relu(x) -> b\n c: Neg(b) -> y\n output y b",
                   Fuse::kEpilogue),
            "");
}

TEST(Fusion, WhatIsBroadcastDoesNotCarry) {
  EXPECT_EQ(groups("graph main\n input x[4,1] z[4,5]\n a: Relu(x) -> b\n c: Add(b, z) -> y\n"
                   " output y",
                   Fuse::kEpilogue),
            "");
}

TEST(Fusion, ConvolutionsTakeNormalizationSumAndActivation) {
  EXPECT_EQ(groups(kResidual, Fuse::kRuntime), "conv1 bn relu1 | conv2 sum relu2");
}

TEST(Fusion, AProductTakesABiasAndThenAnActivation) {
  EXPECT_EQ(groups(R"(
    graph main
      input x[2,8]
      constant w[8,4] b[4] u[4,4]
      mm: MatMul(x, w) -> h
      bias: Add(h, b) -> i
      act: Relu(i) -> j
      plain: MatMul(j, u) -> k
      after: Relu(k) -> l
      gemm: Gemm(l, u) -> m
      tanh: Tanh(m) -> y
      output y
  )",
                   Fuse::kRuntime),
            "mm bias act | gemm tanh");
}

TEST(Fusion, AWrittenOutLayerNormalizationIsOne) {
  EXPECT_EQ(groups(R"(
    graph main
      input x[2,8]
      constant two[] eps[] scale[8] shift[8]
      mean: ReduceMean(x) -> m
      centre: Sub(x, m) -> d
      square: Pow(d, two) -> q
      var: ReduceMean(q) -> v
      add: Add(v, eps) -> e
      root: Sqrt(e) -> s
      div: Div(d, s) -> n
      mul: Mul(n, scale) -> o
      bias: Add(o, shift) -> y
      output y
  )",
                   Fuse::kRuntime),
            "mean centre square var add root div mul bias");
}

TEST(Fusion, ARootMeanSquareNormalizationLeavesItsInputOutside) {
  const std::string_view text = R"(
    graph main
      input x[2,8]
      constant eps[] scale[8]
      before: Relu(x) -> h
      square: Mul(h, h) -> q
      var: ReduceMean(q) -> v
      add: Add(v, eps) -> e
      root: Sqrt(e) -> s
      inverse: Reciprocal(s) -> i
      mul: Mul(h, i) -> n
      by: Mul(n, scale) -> y
      output y
  )";
  EXPECT_EQ(groups(text, Fuse::kRuntime), "square var add root inverse mul by");
}

TEST(Fusion, WrittenOutActivationsAreOne) {
  EXPECT_EQ(groups(R"(
    graph main
      input x[2,8] z[2,8]
      constant r2[] one[] half[] w[8,8] b[8]
      mm: MatMul(x, w) -> p
      bias: Add(p, b) -> g
      div: Div(g, r2) -> a
      erf: Erf(a) -> c
      plus: Add(c, one) -> d
      times: Mul(g, d) -> e
      by: Mul(e, half) -> f
      sig: Sigmoid(f) -> s
      silu: Mul(f, s) -> t
      gate: Mul(t, z) -> y
      output y
  )",
                   Fuse::kRuntime),
            "mm bias | div erf plus times by | sig silu");
}

TEST(Fusion, WhatDependsOnConstantsAloneIsFolded) {
  EXPECT_EQ(groups("graph main\n input x[2,8]\n constant w[4,8]\n t: Transpose(w) -> u\n"
                   " mm: MatMul(x, u) -> y\n output y",
                   Fuse::kRuntime),
            " folded t");
}

TEST(Fusion, OneTensorThatIsDequantizedForSeveralOperatorsRunsWithTheFirst) {
  const std::string_view text = R"(
    graph main
      input x[1,2,4,4]
      Constant() {value_float=0.5f} -> s
      in: QuantizeLinear(x, s) -> a
      open: DequantizeLinear(a, s) -> b
      sum: Add(b, b) -> c
      close: QuantizeLinear(c, s) -> y
      soft: Softmax(b) -> d
      last: QuantizeLinear(d, s) -> z
      output y z
  )";
  EXPECT_EQ(groups(text, Fuse::kRuntime), "open sum close | soft last folded ");
}

TEST(Fusion, NothingRunsBetweenOneStepAndTheSame) {
  const std::string_view text = R"(
    graph main
      input x[1,2,4,4]
      integers shape[2]=2,16
      Constant() {value_float=0.5f} -> s
      in: QuantizeLinear(x, s) -> a
      open: DequantizeLinear(a, s) -> b
      view: Reshape(b, shape) -> c
      close: QuantizeLinear(c, s) -> y
      output y
  )";
  EXPECT_EQ(groups(text, Fuse::kRuntime),
            "open view close folded  folded open folded view folded close");
}

TEST(Fusion, AReaderOfSeveralOutputsIsNoPartOfAProduct) {
  EXPECT_EQ(groups("graph main\n input x[2,8]\n constant w[8,4]\n mm: MatMul(x, w) -> h\n"
                   " parts: Split(h) {axis=1} -> a, b\n output a b",
                   Fuse::kRuntime),
            "");
}

}  // namespace
}  // namespace ridge::analysis
