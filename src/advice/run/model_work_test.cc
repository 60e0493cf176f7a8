// SPDX-License-Identifier: Apache-2.0
// No edit of this program does less than what the bound of the model counts: the work of the model
// is at most the work of each edited copy.
#include <gtest/gtest.h>

#include <algorithm>

#include "advice/model_bound.h"
#include "analysis/testing.h"
#include "rewrite/rewritten.h"
#include "rewrite/rule.h"

namespace ridge::advice {
namespace {

struct Planted {
  std::string rule, text;
};

const std::vector<Planted>& planted() {
  static const std::vector<Planted> kPlanted = {{"silu", R"(graph main
    input x[4,8]
    reals one=1
    Neg(x) -> n
    Exp(n) -> e
    Add(e, one) -> s
    Div(x, s) -> y
    output y)"},
                                                {"layer_normalization", R"(graph main
    input x[2,6,32]
    constant g[32] b[32]
    reals eps=0.00001
    ReduceMean(x) {axes=[-1]} -> m
    Sub(x, m) -> d
    Mul(d, d) -> s
    ReduceMean(s) {axes=[-1]} -> v
    Add(v, eps) -> e
    Sqrt(e) -> r
    Div(d, r) -> q
    Mul(q, g) -> p
    Add(p, b) -> y
    output y)"},
                                                {"batch_normalization", R"(graph main
    input x[1,8,10,10]
    constant w[16,8,3,3] g[16] b[16] m[16]
    reals v[16]=1,2,3,4,5,6,7,8,1,2,3,4,5,6,7,8
    Conv(x, w) -> c
    BatchNormalization(c, g, b, m, v) -> y
    output y)"},
                                                {"constant_inputs", R"(graph main
    input x[4,8] w[8,8] v[8,8]
    constant w[8,8] v[8,8]
    MatMul(w, v) -> u
    MatMul(x, u) -> y
    output y)"},
                                                {"kept_outputs", R"(graph main
    input x[4,8]
    constant w[8,8]
    MatMul(x, w) -> a
    Relu(a) -> y
    output a y)"},
                                                {"transposes", R"(graph main
    input x[4,8]
    Transpose(x) {perm=[1,0]} -> a
    Transpose(a) {perm=[1,0]} -> b
    Sin(b) -> y
    output y)"},
                                                {"casts", R"(graph main
    input x[4,8]
    Cast(x) {to=11} -> a
    Cast(a) {to=1} -> b
    Sin(b) -> y
    output y)"},
                                                {"views", R"(graph main
    input x[4,8]
    integers flat[1]=32 shape[2]=4,8
    Reshape(x, flat) -> a
    Reshape(a, shape) -> b
    Sin(b) -> y
    output y)"}};
  return kPlanted;
}

TEST(ModelWork, IsAtMostThatOfEachEditedCopy) {
  for (const Planted& p : planted()) {
    SCOPED_TRACE(p.rule);
    const analysis::Resolved before = analysis::testing::resolved(p.text);
    const auto rule = std::ranges::find(rewrite::rules(), p.rule, &rewrite::Rule::name);
    const std::vector<rewrite::Site> sites = rule->find(before);
    ASSERT_FALSE(sites.empty());
    Result<analysis::Resolved> after = rewrite::rewritten(before, *rule, sites);
    ASSERT_TRUE(after.ok());
    const ModelWork own = model_work(before), left = model_work(*after);
    for (const auto& [type, macs] : own.macs) EXPECT_LE(macs, left.macs.at(type)) << type;
    EXPECT_LE(own.inputs.bytes, left.inputs.bytes);
    EXPECT_LE(own.weights.bytes, left.weights.bytes);
    EXPECT_LE(own.outputs.bytes, left.outputs.bytes);
  }
}

}  // namespace
}  // namespace ridge::advice
