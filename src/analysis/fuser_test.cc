#include "analysis/fuser.h"

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

TEST(Fusion, AValueThatIsReadTwiceOrHandedOutEndsAChain) {
  EXPECT_EQ(
      groups("graph main\n input x[4]\n a: Relu(x) -> b\n c: Neg(b) -> d\n e: Add(d, b) -> y\n"
             " output y",
             Fuse::kEpilogue),
      "c e");
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
