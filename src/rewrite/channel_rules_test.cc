// SPDX-License-Identifier: Apache-2.0
// Scales and shifts behind products, against the product with folded weights.
#include <gtest/gtest.h>

#include "rewrite/evaluator_testing.h"
#include "rewrite/testing.h"

namespace ridge::rewrite {
namespace {

using testing::difference;

const Rule& channel_rule() { return rule_named("batch_normalization"); }

constexpr char kConstants[] = R"(
    constant w[6,4,3,3] half[6,2,3,3] t[4,6,3,3] pair[4,3,3,3] m[4,6] mt[6,4] b[6] g[6] be[6] me[6]
    reals va[6]=0.5,1,2,1.5,0.25,3 s[6,1,1]=0.5,-1,2,1.5,0.25,3 s4[1,6,1,1]=1,2,-3,4,5,6
    reals v[6]=1,-2,3,4,5,6 one=2.5 row[1,6]=1,2,3,-4,5,6 eps=0.01
)";

std::shared_ptr<onnx::Document> channel_model(const std::string& nodes) {
  const bool matrix = nodes.find("Gemm") != nodes.npos;
  return graph::Sketch::document(std::string("graph main\ninput ") +
                                 (matrix ? "x[3,4]" : "x[2,4,6,5]") + kConstants + nodes +
                                 "\noutput y");
}

std::string applied_channels(const std::string& nodes) {
  const std::shared_ptr<onnx::Document> document = channel_model(nodes);
  const analysis::Resolved before = resolved(document);
  const std::vector<Site> sites = channel_rule().find(before);
  if (sites.empty()) return "none";
  const Rewritten after = apply(channel_rule(), before, sites);
  EXPECT_LE(difference(*document, *after.document), 1e-3) << nodes;
  EXPECT_TRUE(channel_rule().find(resolved(after.document)).empty());
  return operators_of(after);
}

TEST(ChannelRules, BatchNormalizationBehindAnyProduct) {
  for (const std::string product :
       {"Conv(x, w)", "Conv(x, w, b)", "Conv(x, half, b) {group=2}",
        "Conv(x, w, b) {strides=[2,1]}", "ConvTranspose(x, t, b)",
        "ConvTranspose(x, pair) {group=2}", "ConvTranspose(x, t) {strides=[1,2]}", "Gemm(x, m)",
        "Gemm(x, m, b)", "Gemm(x, mt, row) {transB=1 alpha=0.5f beta=-3.0f}",
        "Gemm(x, m, one) {beta=2.0f}"})
    EXPECT_EQ(applied_channels(product +
                               " -> c\nBatchNormalization(c, g, be, me, va) {epsilon=0.1f} -> y"),
              product.substr(0, product.find('(')));
}

TEST(ChannelRules, ScalesAndShiftsByChannel) {
  for (const std::string chain :
       {"Mul(c, s) -> y", "Mul(s4, c) -> d\nAdd(s, d) -> y", "Sub(c, s4) -> d\nDiv(d, s) -> y",
        "Sub(s, c) -> y", "Mul(c, one) -> y",
        // A batch normalization of constants that nodes compute.
        ("Sub(c, s) -> d\nMul(s4, s4) -> vv\nAdd(vv, eps) -> ve\nSqrt(ve) -> sd\nDiv(d, sd) -> e\n"
         "Mul(e, s4) -> f\nAdd(f, s) -> y"),
        "BatchNormalization(c, g, be, me, va) -> d\nBatchNormalization(d, be, me, g, va) -> y"})
    EXPECT_EQ(applied_channels("Conv(x, w, b) -> c\n" + chain), "Conv") << chain;
  EXPECT_EQ(applied_channels("Gemm(x, m, b) -> c\nMul(c, v) -> d\nSub(d, row) -> y"), "Gemm");
}

TEST(ChannelRules, WeightsThatOthersShareStay) {
  EXPECT_EQ(
      applied_channels("Conv(x, w, b) -> a\nConv(x, w, b) -> c\nMul(c, s) -> d\nAdd(a, d) -> y"),
      "Conv Conv Add");
}

TEST(ChannelRules, WhatCannotBeFoldedStays) {
  // Two readers, an output, not by channel, a quotient of the other order, another axis.
  EXPECT_EQ(applied_channels("Conv(x, w) -> c\nMul(c, s) -> d\nAdd(d, c) -> y"), "none");
  EXPECT_EQ(applied_channels("Conv(x, w) -> c\nMul(c, c) -> y"), "none");
  EXPECT_EQ(applied_channels("Conv(x, w) -> c\nDiv(s, c) -> y"), "none");
  EXPECT_EQ(applied_channels("Conv(x, w) -> c\nRelu(c) -> d\nMul(d, s) -> y"), "none");
  EXPECT_EQ(applied_channels("Gemm(x, m) -> c\nMul(c, s) -> y"), "none");  // becomes [6,3,6]
  EXPECT_EQ(applied_channels("Conv(x, w) -> y"), "none");
  const auto sites = [](const std::string& text) {
    return channel_rule().find(resolved(text)).size();
  };
  const std::string conv = "graph main\ninput x[1,4,4,4]\n";
  const std::string constants = "constant g[4] be[4] me[4]\nreals va[4]=1,2,3,4\n";
  const std::string bn = "Conv(x, w) -> c\nBatchNormalization(c, g, be, me, va) -> y\noutput y";
  EXPECT_EQ(sites(conv + constants + "constant w[4,4,1,1]\n" + bn), 1U);
  EXPECT_EQ(sites(conv + constants + "constant w[4,4,1,1]\n" + bn + " c"), 0U);
  EXPECT_EQ(sites(conv + constants + "input w[4,4,1,1]\n" + bn), 0U);  // weights are an input
  EXPECT_EQ(sites(conv + "input g[4]\nconstant w[4,4,1,1] be[4] me[4]\nreals va[4]=1,2,3,4\n" + bn),
            0U);
  EXPECT_EQ(sites(conv + constants + "constant w[4,4,1,1]\nreals k[4]=1,2,3,4\nConv(x, w) -> c\n" +
                  "Mul(c, k) -> y\noutput y"),
            0U);  // k is by column
  // A scale without bound.
  EXPECT_EQ(
      sites(conv + "constant w[4,4,1,1]\nreals k=0\nConv(x, w) -> c\nDiv(c, k) -> y\noutput y"),
      0U);
}

}  // namespace
}  // namespace ridge::rewrite
