// SPDX-License-Identifier: Apache-2.0
#include "graph/functions.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "graph/model.h"
#include "graph/sketch.h"

namespace ridge::graph {
namespace {

std::string function_error(std::string_view text, const BuildLimits& limits = {}) {
  const Result<Model> m = Model::build(Sketch::document(text), limits);
  return m.ok() ? "no error" : m.error().text();
}

constexpr std::string_view kMain = "graph g\n input x\n call: my.F0(x) -> y\n output y\n";

/// Functions F0 calling F1 `calls` times, F1 calling F2, ...; the last is one Relu.
std::string chain(int functions, int calls) {
  std::string text(kMain);
  for (int i = 0; i < functions; ++i) {
    text += fmt::format("function my.F{}\n input v\n", i);
    if (i + 1 == functions) text += "Relu(v) -> o0\n";
    for (int k = 0; k < calls && i + 1 < functions; ++k)
      text += fmt::format("my.F{}(v) -> o{}\n", i + 1, k);
    text += "output o0\n";
  }
  return text;
}

TEST(Functions, AFunctionThatCallsItselfIsRefused) {
  EXPECT_EQ(
      function_error(std::string(kMain) + "function my.F0\n input v\n my.F0(v) -> r\n output r"),
      "error: sketch: function 'my:F0' calls itself\n"
      "  function 'my:F0' calls function 'my:F0'\n"
      "  hint: ONNX forbids recursive functions; write the repetition as a Loop\n"
      "  [RIDGE-GRAPH-0005]\n");
}

TEST(Functions, RecursionThroughTheBodyOfAnIfIsFound) {
  const std::string text = std::string(kMain) + R"(
    function my.F0
      input v
      my.F1(v) -> r
      output r
    function my.F1
      input v
      If(v) {then_branch=graph:t} -> r
      output r
    graph t
      my.F0(v) -> o
      output o
  )";
  const std::string error = function_error(text);
  EXPECT_NE(error.find("function 'my:F0' calls function 'my:F1' calls function 'my:F0'"),
            std::string::npos)
      << error;
  EXPECT_NE(error.find("RIDGE-GRAPH-0005"), std::string::npos);
}

TEST(Functions, AChainDeeperThanTheLimitIsRefused) {
  EXPECT_EQ(function_error(chain(10'000, 1)),
            "error: sketch: graph 'g': function calls are nested more than 64 deep\n"
            "  the innermost is function 'my:F64'\n"
            "  hint: inline the functions before exporting (onnx.inliner.inline_local_functions)\n"
            "  [RIDGE-GRAPH-0006]\n");
  EXPECT_EQ(function_error(chain(64, 1)), "no error");
}

TEST(Functions, ExponentialExpansionEndsAtTheBudget) {
  const std::string error = function_error(chain(24, 2));
  EXPECT_NE(error.find("calls expand to more than 1000000 nodes"), std::string::npos) << error;
  EXPECT_NE(error.find("[RIDGE-GRAPH-0008]"), std::string::npos);
  EXPECT_EQ(function_error(chain(10, 2)), "no error");
}

TEST(Functions, BodiesPassedAlongCountAgainstTheBudget) {
  // Every call doubles its argument body.
  std::string text = "graph g\n input x\n";
  text += "call: my.F(x) {b=graph:b0} -> y\n output y\n";
  for (int i = 0; i < 20; ++i)
    text += fmt::format("graph b{}\n my.F(x) {{b=graph:b{}}} -> o\n output o\n", i, i + 1);
  text += "graph b20\n Relu(x) -> o\n output o\n";
  text += "function my.F\n input v\n If(v) {then_branch=@b else_branch=@b} -> r\n output r\n";
  EXPECT_NE(function_error(text, {.expanded = 1000}).find("[RIDGE-GRAPH-0008]"), std::string::npos);
}

TEST(Functions, TwoOfOneNameAreRefused) {
  EXPECT_NE(function_error(chain(2, 1) + "function my.F1\n input v\n Abs(v) -> r\n output r")
                .find("function 'my:F1' is defined twice"),
            std::string::npos);
}

TEST(Functions, MoreArgumentsThanParametersAreRefused) {
  EXPECT_EQ(
      function_error(
          "graph g\n input x\n call: my.F(x, x) -> y\n output y\n function my.F\n input v\n "
          "Relu(v) -> r\n output r"),
      "error: sketch: graph 'g' > node #0 'call': the call has 2 inputs, but function 'my:F' has "
      "1\n"
      "  hint: the model and its functions are inconsistent; export it again\n"
      "  [RIDGE-GRAPH-0009]\n");
}

}  // namespace
}  // namespace ridge::graph
