// SPDX-License-Identifier: Apache-2.0
// Edits of models whose sizes are free hold for any size, not for those that were bound.
#include <gtest/gtest.h>

#include "rewrite/testing.h"

namespace ridge::rewrite {
namespace {

/// Places of a rule in a model with its free sizes n = 1 and m = 1.
std::size_t places(std::string_view rule, const std::string& text) {
  analysis::Bindings one{.sizes = {}, .shapes = {}};
  for (const std::string name : {"n", "m"})
    if (text.find('[' + name + ',') != text.npos) one.sizes[name] = {1, false};
  return rule_named(rule).find(analysis::testing::resolved(text, one)).size();
}

TEST(AnySize, ViewsThatUndoEachOtherForOneBatchOnlyStay) {
  // Reshape to [-1, 3] and Unsqueeze of axis 0: [n, 4, 3] becomes [1, 4 * n, 3].
  const auto views = [](const std::string& batch) {
    return places("views", "graph main\ninput x[" + batch + R"(,4,3]
      integers rows[2]=-1,3 front[1]=0
      Relu(x) -> r
      Reshape(r, rows) -> a
      Unsqueeze(a, front) -> b
      Neg(b) -> y
      output y)");
  };
  EXPECT_EQ(views("n"), 0U);
  EXPECT_EQ(views("?"), 0U);
  EXPECT_EQ(views("1"), 1U);
}

TEST(AnySize, ViewsThatUndoEachOtherForAnyBatchGo) {
  EXPECT_EQ(places("views", R"(graph main
    input x[n,4,3]
    integers rows[2]=-1,3 back[3]=-1,4,3
    Relu(x) -> r
    Reshape(r, rows) -> a
    Reshape(a, back) -> b
    Neg(b) -> y
    output y)"),
            1U);
}

TEST(AnySize, AScaleOfEachSampleIsNoScaleOfTheLastAxis) {
  const auto normalization = [](const std::string& scale) {
    return places("layer_normalization", "graph main\ninput x[n,5,8] g" + scale + R"( b[8]
      reals two=2 eps=0.001
      ReduceMean(x) {axes=[-1]} -> mean
      Sub(x, mean) -> d
      Mul(d, d) -> s
      ReduceMean(s) {axes=[-1]} -> v
      Add(v, eps) -> e
      Sqrt(e) -> r
      Div(d, r) -> q
      Mul(q, g) -> p
      Add(p, b) -> y
      output y)");
  };
  EXPECT_EQ(normalization("[1,1,8]"), 1U);
  EXPECT_EQ(normalization("[8]"), 1U);
  // Only the bias and the scale stay apart: the form without them is replaced.
  const analysis::Resolved free = analysis::testing::resolved(
      R"(graph main
      input x[n,5,8] g[n,1,8] b[8]
      reals eps=0.001
      ReduceMean(x) {axes=[-1]} -> mean
      Sub(x, mean) -> d
      Mul(d, d) -> s
      ReduceMean(s) {axes=[-1]} -> v
      Add(v, eps) -> e
      Sqrt(e) -> r
      Div(d, r) -> q
      Mul(q, g) -> p
      Add(p, b) -> y
      output y)",
      {.sizes = {{"n", {1, false}}}, .shapes = {}});
  const Rule& rule = rule_named("layer_normalization");
  const std::vector<Site> sites = rule.find(free);
  ASSERT_EQ(sites.size(), 1U);
  EXPECT_EQ(operators_of(apply(rule, free, sites)), "LayerNormalization Mul Add");
  EXPECT_EQ(sites[0].nodes.back(), 6U);  // the Div
}

TEST(AnySize, AQueryForAllSamplesIsNoQueryOfEach) {
  const auto attention = [](const std::string& queries) {
    return places("attention", "graph main\ninput q[" + queries + R"(,2,5,4] kt[n,2,4,7] v[n,2,7,4]
      MatMul(q, kt) -> s
      Softmax(s) -> p
      MatMul(p, v) -> y
      output y)");
  };
  EXPECT_EQ(attention("1"), 0U);
  EXPECT_EQ(attention("m"), 0U);
  EXPECT_EQ(attention("n"), 1U);
}

TEST(AnySize, AMaskOfOneQueryIsExpandedToThoseOfEach) {
  const auto attention = [](const std::string& queries) {
    return places("attention", "graph main\ninput q[n,2," + queries +
                                   R"(,4] kt[n,2,4,7] v[n,2,7,4] mask[n,1,1,7]
      MatMul(q, kt) -> s
      Add(s, mask) -> t
      Softmax(t) -> p
      MatMul(p, v) -> y
      output y)");
  };
  EXPECT_EQ(attention("1"), 1U);
  EXPECT_EQ(attention("5"), 1U);
}

TEST(AnySize, ShapesThatFollowFromGivenElementsAreUnknown) {
  // The Reshape restores the shape for these elements of the input alone.
  analysis::Bindings given{.sizes = {}, .shapes = {}};
  const std::int64_t shape[] = {4, 3};
  const auto bytes = std::as_bytes(std::span(shape));
  given.values["to"] = {onnx::DataType::kInt64, {{2}}, {bytes.begin(), bytes.end()}, "4,3"};
  const analysis::Resolved model = analysis::testing::resolved(R"(graph main
    input x[4,3] to:int64[2]
    integers flat[1]=-1
    Relu(x) -> r
    Reshape(r, flat) -> a
    Reshape(a, to) -> b
    Neg(b) -> y
    output y)",
                                                               given);
  EXPECT_TRUE(rule_named("views").find(model).empty());
}

TEST(AnySize, WhatAnEditChangesOfValuesAndInterface) {
  const auto change = [](std::string_view rule, std::string_view text) {
    const analysis::Resolved model = resolved(text);
    return change_of(rule_named(rule), rule_named(rule).find(model));
  };
  const Change softplus = change("softplus",
                                 "graph main\ninput x[3]\nreals one=1\nExp(x) -> e\n"
                                 "Add(e, one) -> s\nLog(s) -> y\noutput y");
  EXPECT_EQ(softplus.effect, Effect::kValues);
  EXPECT_EQ(softplus.where, "beyond 88 and -88, where Exp overflows");
  EXPECT_EQ(
      change("relu", "graph main\ninput x[3]\nreals zero=0\nMax(x, zero) -> y\noutput y").effect,
      Effect::kValues);
  EXPECT_EQ(change("kept_outputs",
                   "graph main\ninput x[2,3]\nconstant w[3,3]\nMatMul(x, w) -> h\nRelu(h) -> y\n"
                   "output h y")
                .effect,
            Effect::kInterface);
  EXPECT_EQ(change("free_sizes", "graph main\ninput x[n,3]\nRelu(x) -> y\noutput y").effect,
            Effect::kInterface);
  EXPECT_EQ(change("transposes",
                   "graph main\ninput x[2,3]\nTranspose(x) -> a\nTranspose(a) -> b\nNeg(b) -> y\n"
                   "output y")
                .effect,
            Effect::kRounding);
}

}  // namespace
}  // namespace ridge::rewrite
