// SPDX-License-Identifier: Apache-2.0
// Expected elements are worked out by hand from the operators' specifications.
#include "measure/input_meaning.h"

#include <gtest/gtest.h>

#include "analysis/testing.h"
#include "runtime/testing/expect.h"

namespace ridge::measure {
namespace {

using runtime::expect_ok;

/// "127 step 1": the elements of an input; "random" and its text without a fill; "unknown".
std::string elements(const std::string& sketch, const std::string& name) {
  const auto model = analysis::testing::model(sketch);
  const analysis::Resolved resolved = expect_ok(analysis::resolve(model, {}));
  for (const graph::ValueId id : model->main().inputs) {
    if (model->value(id).name != name) continue;
    const auto known = known_input(resolved, id);
    if (!known) return "unknown";
    if (!known->fill) return known->text;
    const std::string first = std::to_string(known->fill->first);
    return known->fill->step == 0 ? first : first + " step " + std::to_string(known->fill->step);
  }
  return "no such input";
}

constexpr const char* kGrouped =
    "graph main\n"
    " input q[2,3,64] k[2,3,32] v[2,3,32] past_k[2,2,125,16] past_v[2,2,125,16]\n"
    " input a:int64[2] b:int64[] c:int64[2,3]\n"
    " constant cosines[4096,8] sines[4096,8]\n"
    " com.microsoft.GroupQueryAttention(q,k,v,past_k,past_v,a,b,cosines,sines,c)"
    " {num_heads=4 kv_num_heads=2} -> y, pk, pv\n"
    " output y pk pv\n";

TEST(InputMeaning, GroupedAttentionSeesTheCacheAndTheNewTokens) {
  EXPECT_EQ(elements(kGrouped, "a"), "127");  // seqlens_k: one less than the 128 in all
  EXPECT_EQ(elements(kGrouped, "b"), "128");  // total_sequence_length
  EXPECT_EQ(elements(kGrouped, "c"), "125 step 1");
  EXPECT_EQ(elements(kGrouped, "q"), "unknown");
}

TEST(InputMeaning, AMaskThatIsSummedUpIsOfOnesByItsName) {
  const std::string model =
      "graph main\n input attention_mask:int64[1,128] input_ids:int64[1,1]\n"
      " constant table[50257,8]\n integers one=1 axis[1]=1\n"
      " ReduceSum(attention_mask, axis) -> n\n Sub(n, one) -> last\n"
      " Gather(table, input_ids) -> x\n output last x\n";
  EXPECT_EQ(elements(model, "attention_mask"), "1");
  EXPECT_EQ(elements(model, "input_ids"), "random below 50257");
}

TEST(InputMeaning, PositionsBeginBehindTheCacheAndStayInTheirTable) {
  const auto model = [](const char* rows) {
    return std::string(
               "graph main\n input ids:int64[1,4] position_ids:int64[1,4] "
               "mask:int64[1,132]\n constant table[") +
           rows +
           ",8] words[100,8]\n Gather(table, position_ids) -> p\n Gather(words, ids) -> w\n"
           " Add(p, w) -> y\n Identity(mask) -> m\n output y m\n";
  };
  EXPECT_EQ(elements(model("2048"), "position_ids"), "128 step 1");
  EXPECT_EQ(elements(model("64"), "position_ids"), "60 step 1");
  EXPECT_EQ(elements(model("3"), "position_ids"), "random below 3");
}

/// A decoder without a name for its mask: x is added to the scores after `path`.
std::string scores(const std::string& type, const std::string& path) {
  return "graph main\n input x:" + type + "[1,8] s[1,2,8,8]\n reals one=1 low=-10000\n" +
         " integers zero=0\n" + path + " Softmax(scores) -> y\n output y\n";
}

TEST(InputMeaning, AMaskWithoutANameIsFollowedToTheScores) {
  EXPECT_EQ(elements(scores("int64",
                            " Cast(x) {to=1} -> f\n Sub(one, f) -> g\n Mul(g, low) -> h\n"
                            " Add(s, h) -> scores\n"),
                     "x"),
            "1");
  EXPECT_EQ(elements(scores("int64",
                            " Cast(x) {to=1} -> f\n Mul(f, low) -> h\n"
                            " Add(s, h) -> scores\n"),
                     "x"),
            "0");
  EXPECT_EQ(elements(scores("bool", " Where(x, s, low) -> scores\n"), "x"), "1");
  EXPECT_EQ(elements(scores("bool", " Where(x, low, s) -> scores\n"), "x"), "0");
  EXPECT_EQ(elements(scores("int64", " Equal(x, zero) -> e\n Where(e, low, s) -> scores\n"), "x"),
            "1");
}

TEST(InputMeaning, AFloatMaskIsAddedOrMultiplied) {
  const auto named = [](const std::string& path) {
    return "graph main\n input mask[1,8] s[1,2,8,8]\n reals one=1 low=-10000\n" + path +
           " Softmax(scores) -> y\n output y\n";
  };
  EXPECT_EQ(elements(named(" Add(s, mask) -> scores\n"), "mask"), "0");
  EXPECT_EQ(
      elements(named(" Sub(one, mask) -> g\n Mul(g, low) -> h\n Add(s, h) -> scores\n"), "mask"),
      "1");
}

TEST(InputMeaning, LengthsOfRecurrencesAreTheirSteps) {
  EXPECT_EQ(elements("graph main\n input x[7,2,4] n:int64[2]\n constant w[1,12,4] r[1,12,3]\n"
                     " LSTM(x,w,r,_,n) {hidden_size=3} -> y\n output y\n",
                     "n"),
            "7");
}

TEST(InputMeaning, ALoopRunsOverTheDataOfItsBody) {
  const std::string model =
      "graph main\n input m:int64[] go:bool[] d[9,4] x[4]\n"
      " Loop(m, go, x) {body=graph:trip} -> y\n output y\n"
      "graph trip\n input i:int64[] c:bool[] s[4]\n Gather(d, i) -> row\n Add(s, row) -> t\n"
      " Identity(c) -> e\n output e t\n";
  EXPECT_EQ(elements(model, "m"), "9");
  EXPECT_EQ(elements(model, "go"), "1");
}

TEST(InputMeaning, AnIfTakesTheBranchThatCounts) {
  const auto model = [](const char* yes, const char* no) {
    return std::string(
               "graph main\n input c:bool[] x[64,64]\n If(c) {then_branch=graph:yes "
               "else_branch=graph:no} -> y\n output y\ngraph yes\n ") +
           yes + "(x, x) -> a\n output a\ngraph no\n " + no + "(x, x) -> b\n output b\n";
  };
  EXPECT_EQ(elements(model("MatMul", "Add"), "c"), "1");
  EXPECT_EQ(elements(model("Add", "MatMul"), "c"), "0");
}

TEST(InputMeaning, WhatHasNoKnownMeaningStaysRandom) {
  EXPECT_EQ(elements("graph main\n input token_type_ids:int64[1,8] x[1,8]\n"
                     " Cast(token_type_ids) {to=1} -> t\n Relu(t) -> y\n Relu(x) -> z\n"
                     " output y z\n",
                     "token_type_ids"),
            "unknown");
}

}  // namespace
}  // namespace ridge::measure
