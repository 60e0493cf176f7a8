// SPDX-License-Identifier: Apache-2.0
// Normalizations in the forms that exporters write, each against what replaces it.
#include <gtest/gtest.h>

#include "rewrite/evaluator_testing.h"
#include "rewrite/normalization.h"
#include "rewrite/testing.h"

namespace ridge::rewrite {
namespace {

using testing::difference;

/// Nodes in the middle of a model: from x, of [2,3,8], to y. %m(a) stands for the mean of a.
std::shared_ptr<onnx::Document> normalization_model(std::string nodes, std::int64_t opset) {
  for (std::size_t at = nodes.find("%m("); at != nodes.npos; at = nodes.find("%m(")) {
    const std::size_t close = nodes.find(')', at);
    const std::string x = nodes.substr(at + 3, close - at - 3);
    nodes.replace(at, close - at + 1,
                  opset < 18 ? "ReduceMean(" + x + ") {axes=[-1] keepdims=1}"
                             : "ReduceMean(" + x + ", axes) {keepdims=1}");
  }
  return sketch(R"(graph main
    input x0[2,3,8]
    constant g[8] b[8] g3[1,1,8]
    reals two=2 half=0.5 minus=-0.5 one=1 eps=0.001
    integers axes[1]=-1
    Sin(x0) -> x
    )" + nodes + "\nRelu(y) -> z\noutput z",
                opset);
}

/// Operators after the rule was applied, or "none" without a site.
std::string applied_normalization(std::string_view name,
                                  const std::shared_ptr<onnx::Document>& document) {
  const analysis::Resolved before = resolved(document);
  const std::vector<Site> sites = rule_named(name).find(before);
  if (sites.empty()) return "none";
  const Rewritten after = apply(rule_named(name), before, sites);
  EXPECT_LE(difference(*document, *after.document), 1e-6);
  EXPECT_TRUE(rule_named(name).find(resolved(after.document)).empty());
  return operators_of(after);
}

constexpr char kVariance[] =
    "%m(x) -> m\nSub(x, m) -> d\nPow(d, two) -> s\n%m(s) -> v\n"
    "Add(v, eps) -> e\n";
constexpr char kMeanSquare[] = "Pow(x, two) -> s\n%m(s) -> v\nAdd(v, eps) -> e\n";

/// Forms in which d, here %d, is divided by the root of e and scaled.
constexpr const char* kClosings[] = {
    "Sqrt(e) -> r\nDiv(%d, r) -> q\nMul(q, g) -> %y",
    "Sqrt(e) -> r\nDiv(%d, r) -> q\nMul(g3, q) -> %y",
    "Sqrt(e) -> r\nReciprocal(r) -> i\nMul(%d, i) -> q\nMul(q, g) -> %y",
    "Sqrt(e) -> r\nReciprocal(r) -> i\nMul(i, g) -> w\nMul(%d, w) -> %y",
    "Sqrt(e) -> r\nDiv(one, r) -> i\nMul(%d, i) -> q\nMul(g, q) -> %y",
    "Sqrt(e) -> r\nMul(%d, g) -> w\nDiv(w, r) -> %y",
    "Pow(e, minus) -> i\nMul(i, %d) -> q\nMul(q, g) -> %y",
    "Pow(e, half) -> r\nDiv(%d, r) -> q\nMul(q, g) -> %y"};

std::string closing(std::string text, std::string_view d, std::string_view y) {
  for (const auto& [from, to] : {std::pair<std::string_view, std::string_view>{"%d", d}, {"%y", y}})
    for (std::size_t at = text.find(from); at != text.npos; at = text.find(from))
      text.replace(at, 2, to);
  return text;
}

TEST(Normalization, LayerNormalizationInAnyForm) {
  constexpr char kKnown[] = "Sin ReduceMean Sub Pow ReduceMean Add Sqrt Div Mul Add Relu";
  for (const char* text : kClosings) {
    const std::string nodes = kVariance + closing(text, "d", "p") + "\nAdd(b, p) -> y";
    SCOPED_TRACE(nodes);
    const bool reshaped = nodes.find("g3") != nodes.npos;
    const bool known = text == kClosings[0];
    EXPECT_EQ(applied_normalization("rms_normalization", normalization_model(nodes, 23)), "none");
    for (const std::int64_t opset : {17, 18, 23})
      EXPECT_EQ(applied_normalization("layer_normalization", normalization_model(nodes, opset)),
                reshaped ? "Sin Reshape LayerNormalization Relu" : "Sin LayerNormalization Relu");
    if (known) {
      EXPECT_EQ(applied_normalization("layer_normalization", normalization_model(nodes, 13)),
                "none");
    } else if (!reshaped) {
      EXPECT_EQ(applied_normalization("layer_normalization", normalization_model(nodes, 13)),
                kKnown);
    }
  }
}

TEST(Normalization, RmsNormalizationInAnyForm) {
  for (const char* text : kClosings) {
    const std::string nodes = kMeanSquare + closing(text, "x", "y");
    SCOPED_TRACE(nodes);
    const bool reshaped = nodes.find("g3") != nodes.npos;
    EXPECT_EQ(applied_normalization("layer_normalization", normalization_model(nodes, 23)), "none");
    if (text == kClosings[0]) {  // runtimes know it
      for (const std::int64_t opset : {13, 18, 23})
        EXPECT_EQ(applied_normalization("rms_normalization", normalization_model(nodes, opset)),
                  "none");
      continue;
    }
    EXPECT_EQ(applied_normalization("rms_normalization", normalization_model(nodes, 23)),
              reshaped ? "Sin Reshape RMSNormalization Relu" : "Sin RMSNormalization Relu");
    for (const std::int64_t opset : {13, 18})
      EXPECT_EQ(
          applied_normalization("rms_normalization", normalization_model(nodes, opset)),
          std::string(reshaped ? "Sin Reshape " : "Sin ") + "Pow ReduceMean Add Sqrt Div Mul Relu");
  }
}

TEST(Normalization, WithoutScaleOrBias) {
  const std::string plain = std::string(kVariance) + "Sqrt(e) -> r\nDiv(d, r) -> y";
  EXPECT_EQ(applied_normalization("layer_normalization", normalization_model(plain, 17)),
            "Sin LayerNormalization Relu");
  EXPECT_EQ(applied_normalization("layer_normalization", normalization_model(plain, 13)),
            "Sin ReduceMean Sub Pow ReduceMean Add Sqrt Div Mul Add Relu");
  const std::string shifted =
      std::string(kVariance) + "Sqrt(e) -> r\nDiv(d, r) -> q\nAdd(q, b) -> y";
  EXPECT_EQ(applied_normalization("layer_normalization", normalization_model(shifted, 17)),
            "Sin LayerNormalization Relu");
  const std::string rms = std::string(kMeanSquare) + "Sqrt(e) -> r\nDiv(x, r) -> y";
  EXPECT_EQ(applied_normalization("rms_normalization", normalization_model(rms, 23)),
            "Sin RMSNormalization Relu");
  EXPECT_EQ(applied_normalization("rms_normalization", normalization_model(rms, 13)),
            "Sin Pow ReduceMean Add Sqrt Div Mul Relu");
}

TEST(Normalization, SquareAsAProductAndDifferenceWrittenTwice) {
  const std::string twice =
      "%m(x) -> m\nSub(x, m) -> d\nSub(x, m) -> d2\nMul(d2, d2) -> s\n%m(s) -> v\n"
      "Add(eps, v) -> e\nSqrt(e) -> r\nDiv(d, r) -> q\nMul(q, g) -> p\nAdd(p, b) -> y";
  EXPECT_EQ(applied_normalization("layer_normalization", normalization_model(twice, 17)),
            "Sin LayerNormalization Relu");
  EXPECT_EQ(applied_normalization(
                "rms_normalization",
                normalization_model("Mul(x, x) -> s\n%m(s) -> v\nAdd(v, eps) -> e\nSqrt(e) -> r\n"
                                    "Div(x, r) -> q\nMul(g, q) -> y",
                                    23)),
            "Sin RMSNormalization Relu");
}

std::string over(const std::string& axes, const std::string& parameters) {
  return "graph main\ninput x[2,4,5,6]\nreals two=2 eps=0.001\nconstant g" + parameters + " b" +
         parameters + "\nReduceMean(x) {axes=" + axes +
         "} -> m\nSub(x, m) -> d\nPow(d, two) -> s\n" + "ReduceMean(s) {axes=" + axes +
         "} -> v\nAdd(v, eps) -> e\nSqrt(e) -> r\nDiv(d, r) -> q\n" +
         "Mul(q, g) -> p\nAdd(p, b) -> y\noutput y";
}

TEST(Normalization, OverSeveralLastAxes) {
  EXPECT_EQ(applied_normalization("layer_normalization", sketch(over("[2,3]", "[5,6]"), 17)),
            "LayerNormalization");
  EXPECT_EQ(applied_normalization("layer_normalization", sketch(over("[-1,-2,-3]", "[4,5,6]"), 17)),
            "LayerNormalization");
  // No runtime knows a form with several axes.
  EXPECT_EQ(applied_normalization("layer_normalization", sketch(over("[2,3]", "[5,6]"), 13)),
            "none");
  // A scale of fewer axes stays outside.
  EXPECT_EQ(applied_normalization("layer_normalization", sketch(over("[2,3]", "[6]"), 17)),
            "LayerNormalization Mul Add");
  // Not the last axes; a normalization of channels.
  EXPECT_EQ(applied_normalization("layer_normalization", sketch(over("[1]", "[4,1,1]"), 17)),
            "none");
  EXPECT_EQ(applied_normalization("layer_normalization", sketch(over("[1,3]", "[6]"), 17)), "none");
}

TEST(Normalization, OtherFunctionsStay) {
  const auto with = [](std::string_view from, std::string_view to) {
    std::string nodes =
        std::string(kVariance) + "Sqrt(e) -> r\nDiv(d, r) -> q\nMul(q, g) -> p\nAdd(p, b) -> y";
    nodes.replace(nodes.find(from), from.size(), to);
    return normalization_model(nodes, 17);
  };
  for (const auto& [from, to] : {std::pair<const char*, const char*>{"Pow(d, two)", "Pow(d, half)"},
                                 {"Sub(x, m)", "Sub(x, v0)"},
                                 {"Sub(x, m)", "Sub(m, x)"},
                                 {"Add(v, eps)", "Add(v, b)"},      // epsilon is no number
                                 {"Add(v, eps)", "Add(v, minus)"},  // nor negative
                                 {"Div(d, r)", "Div(x, r)"},
                                 {"%m(s) -> v", "%m(x) -> v"},
                                 {"Pow(d, two)", "Mul(d, x)"}}) {
    std::string text = to;
    if (text == "Sub(x, v0)") text = "Sub(x, g)";
    EXPECT_EQ(applied_normalization("layer_normalization", with(from, text)), "none")
        << from << " as " << text;
  }
}

TEST(Normalization, WhatOthersReadStays) {
  const std::string nodes =
      std::string(kVariance) + "Sqrt(e) -> r\nDiv(d, r) -> q\nMul(q, g) -> p\nAdd(p, b) -> y\n";
  // Only the bias of the scaled product stays apart; nothing of the root can be replaced.
  EXPECT_EQ(applied_normalization("layer_normalization",
                                  normalization_model(nodes + "Sin(p) -> unread", 17)),
            "Sin LayerNormalization Add Relu");
  EXPECT_EQ(applied_normalization("layer_normalization",
                                  normalization_model(nodes + "Sin(r) -> unread", 17)),
            "none");
  // An inner result is an output.
  const std::string kept =
      "graph main\ninput x[2,8]\nreals two=2 eps=0.001\n"
      "ReduceMean(x) {axes=[-1]} -> m\nSub(x, m) -> d\nPow(d, two) -> s\n"
      "ReduceMean(s) {axes=[-1]} -> v\nAdd(v, eps) -> e\nSqrt(e) -> r\n"
      "Div(d, r) -> y\noutput y ";
  EXPECT_EQ(applied_normalization("layer_normalization", sketch(kept, 17)), "LayerNormalization");
  EXPECT_EQ(applied_normalization("layer_normalization", sketch(kept + "v", 17)), "none");
  // A difference that others read is normalized as it is.
  EXPECT_EQ(applied_normalization("layer_normalization", sketch(kept + "d", 17)), "none");
  EXPECT_EQ(applied_normalization("rms_normalization", sketch(kept + "d", 23)),
            "ReduceMean Sub RMSNormalization");
}

TEST(Normalization, AConstantOfAFreeSizeIsNotAdded) {
  const std::string free =
      "graph main\ninput x[n,width]\nreals two=2 eps=0.001\n"
      "ReduceMean(x) {axes=[-1]} -> m\nSub(x, m) -> d\nMul(d, d) -> s\n"
      "ReduceMean(s) {axes=[-1]} -> v\nAdd(v, eps) -> e\nSqrt(e) -> r\n"
      "Div(d, r) -> y\noutput y";
  const auto sites = [](const std::string& text) {
    const analysis::Resolved model = analysis::testing::resolved(
        text, {.sizes = {{"n", {2, false}}, {"width", {8, false}}}, .shapes = {}});
    return rule_named("layer_normalization").find(model).size();
  };
  EXPECT_EQ(sites(free), 0U);
  std::string fixed = free;
  fixed.replace(fixed.find("width"), 5, "8");
  const analysis::Resolved model =
      analysis::testing::resolved(fixed, {.sizes = {{"n", {2, false}}}, .shapes = {}});
  EXPECT_EQ(rule_named("layer_normalization").find(model).size(), 1U);
}

}  // namespace
}  // namespace ridge::rewrite
