// SPDX-License-Identifier: Apache-2.0
// Attention in the forms that exporters write, against MultiHeadAttention.
#include <gtest/gtest.h>

#include "rewrite/evaluator_testing.h"
#include "rewrite/testing.h"

namespace ridge::rewrite {
namespace {

using testing::difference;

const Rule& attention_rule() { return rule_named("attention"); }

/// Queries of 5, keys and values of 7 tokens; 3 heads of 4.
constexpr char kInputs[] = R"(graph main
    input q0[2,5,3,4] k0[2,7,3,4] v0[2,7,3,4] m[2,1,5,7] row[2,1,1,7] plane[5,7] tall[2,1,5,1]
    reals c=0.5 two=2 zero=0
    Transpose(q0) {perm=[0,2,1,3]} -> q
    Transpose(k0) {perm=[0,2,3,1]} -> kt
    Transpose(v0) {perm=[0,2,1,3]} -> v
)";

std::string applied_attention(const std::string& nodes, const std::string& outputs = "y") {
  const auto document = graph::Sketch::document(kInputs + nodes + "\noutput " + outputs);
  const analysis::Resolved before = resolved(document);
  const std::vector<Site> sites = attention_rule().find(before);
  if (sites.empty()) return "none";
  const Rewritten after = apply(attention_rule(), before, sites);
  EXPECT_LE(difference(*document, *after.document), 1e-5) << nodes;
  EXPECT_TRUE(attention_rule().find(resolved(after.document)).empty());
  EXPECT_EQ(after.document->model.opsets.back().domain, "com.microsoft");
  return operators_of(after);
}

constexpr char kEnd[] = "\nSoftmax(s) {axis=-1} -> p\nMatMul(p, v) -> y";

TEST(AttentionRules, ScaledAndMaskedInAnyForm) {
  for (const std::string scores :
       {"MatMul(q, kt) -> s", "MatMul(q, kt) -> a\nMul(a, c) -> s",
        "MatMul(q, kt) -> a\nMul(c, a) -> s", "MatMul(q, kt) -> a\nDiv(a, two) -> s",
        "Mul(q, c) -> qs\nMatMul(qs, kt) -> s",
        "Mul(q, c) -> qs\nMul(kt, c) -> ks\nMatMul(qs, ks) -> s",
        "MatMul(q, kt) -> a\nMul(a, c) -> b\nAdd(b, m) -> s",
        "Div(q, two) -> qs\nMatMul(qs, kt) -> a\nAdd(m, a) -> s"})
    EXPECT_EQ(applied_attention(scores + kEnd),
              "Reshape Reshape Reshape MultiHeadAttention Reshape Transpose")
        << scores;
}

TEST(AttentionRules, AMaskOfFewerAxesOrRowsIsExpanded) {
  for (const std::string mask : {"row", "plane"})
    EXPECT_EQ(applied_attention("MatMul(q, kt) -> a\nAdd(a, " + mask + ") -> s" + kEnd),
              "Reshape Reshape Reshape Expand MultiHeadAttention Reshape Transpose");
  EXPECT_EQ(applied_attention(std::string("MatMul(q, kt) -> a\nAdd(a, tall) -> s") + kEnd), "none");
}

TEST(AttentionRules, KeysAndValuesOfACacheStayAsTheyAre) {
  const auto document = graph::Sketch::document(R"(graph main
    input q[2,3,5,4] k[2,3,7,4] v[2,3,7,4]
    Transpose(k) {perm=[0,1,3,2]} -> kt
    MatMul(q, kt) -> s
    Softmax(s) {axis=3} -> p
    MatMul(p, v) -> y
    output y)");
  const analysis::Resolved before = resolved(document);
  const Rewritten after = apply(attention_rule(), before, attention_rule().find(before));
  EXPECT_LE(difference(*document, *after.document), 1e-5);
  EXPECT_EQ(operators_of(after), "Transpose Reshape MultiHeadAttention Reshape Transpose");
}

TEST(AttentionRules, KeysAreTransposedWhereTheModelHasThemOnlyTransposed) {
  const auto document = graph::Sketch::document(R"(graph main
    input q[2,3,5,4] kt[2,3,4,7] v[2,3,7,4]
    MatMul(q, kt) -> s
    Softmax(s) -> p
    MatMul(p, v) -> y
    output y)");
  const analysis::Resolved before = resolved(document);
  const Rewritten after = apply(attention_rule(), before, attention_rule().find(before));
  EXPECT_LE(difference(*document, *after.document), 1e-5);
  EXPECT_EQ(operators_of(after),
            "Transpose Reshape Transpose MultiHeadAttention Reshape Transpose");
}

TEST(AttentionRules, SoftmaxBeforeVersion13IsOverTheLastAxesOnlyIfItSaysSo) {
  const auto sites = [](std::string_view axis) {
    const auto document = sketch(
        "graph main\ninput q[2,3,5,4] kt[2,3,4,7] v[2,3,7,4]\n"
        "MatMul(q, kt) -> s\nSoftmax(s) " +
            std::string(axis) + " -> p\nMatMul(p, v) -> y\noutput y",
        11);
    return attention_rule().find(resolved(document)).size();
  };
  EXPECT_EQ(sites(""), 0U);
  EXPECT_EQ(sites("{axis=3}"), 1U);
}

TEST(AttentionRules, OtherFunctionsStay) {
  const std::string scores = "MatMul(q, kt) -> a\nMul(a, c) -> s";
  EXPECT_EQ(applied_attention(scores + kEnd, "y p"), "none");  // probabilities are an output
  EXPECT_EQ(applied_attention(scores + kEnd + "\nRelu(s) -> z", "y z"), "none");
  EXPECT_EQ(applied_attention(scores + "\nSoftmax(s) {axis=2} -> p\nMatMul(p, v) -> y"), "none");
  EXPECT_EQ(applied_attention("MatMul(q, kt) -> a\nMul(a, zero) -> s" + std::string(kEnd)), "none");
  EXPECT_EQ(applied_attention("MatMul(q, kt) -> a\nRelu(a) -> s" + std::string(kEnd)), "none");
  EXPECT_EQ(applied_attention("Add(kt, c) -> s\nSoftmax(s) -> p\nMatMul(q, p) -> y"), "none");
}

TEST(AttentionRules, NumberOfHeadsIsNoFreeSize) {
  const auto sites = [](const std::string& heads) {
    return attention_rule()
        .find(analysis::testing::resolved(
            "graph main\ninput q[1," + heads + ",n,4] kt[1," + heads + ",4,n] v[1," + heads +
                ",n,4] m[1,1,1,n]\nMatMul(q, kt) -> a\nAdd(a, m) -> s\nSoftmax(s) -> p\n"
                "MatMul(p, v) -> y\noutput y",
            {.sizes = {}, .shapes = {{"q", {1, 2, 5, 4}}, {"kt", {1, 2, 4, 5}}}}))
        .size();
  };
  EXPECT_EQ(sites("heads"), 0U);
  EXPECT_EQ(sites("2"), 0U);  // the mask would be expanded to a free size
  EXPECT_EQ(attention_rule()
                .find(analysis::testing::resolved(
                    "graph main\ninput q[1,2,n,4] kt[1,2,4,n] v[1,2,n,4] m[n,n]\n"
                    "MatMul(q, kt) -> a\nAdd(a, m) -> s\nSoftmax(s) -> p\nMatMul(p, v) -> y\n"
                    "output y",
                    {.sizes = {{"n", {1, false}}}, .shapes = {}}))
                .size(),
            1U);
  const auto unmasked = analysis::testing::resolved(
      "graph main\ninput q[1,2,n,4] kt[1,2,4,n] v[1,2,n,4]\nMatMul(q, kt) -> s\nSoftmax(s) -> p\n"
      "MatMul(p, v) -> y\noutput y",
      {.sizes = {{"n", {5, false}}}, .shapes = {}});
  EXPECT_EQ(attention_rule().find(unmasked).size(), 1U);
}

}  // namespace
}  // namespace ridge::rewrite
