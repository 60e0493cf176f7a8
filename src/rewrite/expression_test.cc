// SPDX-License-Identifier: Apache-2.0
#include "rewrite/expression.h"

#include <gtest/gtest.h>

#include "rewrite/testing.h"

namespace ridge::rewrite {
namespace {

constexpr char kSilu[] = "Div(x, Add(Exp(Neg(x)), 1))";

TEST(Expression, FindsOperatorsInAnyOrderOfCommutingOperands) {
  for (const std::string_view sum : {"Add(e, one)", "Add(one, e)"}) {
    const analysis::Resolved model = resolved(std::string(R"(graph main
      input x[2,3]
      reals one=1
      Neg(x) -> n
      Exp(n) -> e
      )") + std::string(sum) + R"( -> s
      Div(x, s) -> y
      output y)");
    const std::optional<Match> found = match(Expression::parse(kSilu), model, 3);
    ASSERT_TRUE(found) << sum;
    EXPECT_EQ(found->nodes, (std::vector<graph::NodeId>{0, 1, 2, 3}));
    EXPECT_EQ(model.model().value(found->x).name, "x");
  }
}

TEST(Expression, DoesNotMatchWhatOthersRead) {
  const auto with = [](std::string_view lines) {
    return resolved("graph main\ninput x[2,3]\nreals one=1 two=2\n" + std::string(lines));
  };
  const Expression silu = Expression::parse(kSilu);
  constexpr char kNodes[] = "Neg(x) -> n\nExp(n) -> e\nAdd(e, one) -> s\nDiv(x, s) -> y\n";
  EXPECT_TRUE(match(silu, with(std::string(kNodes) + "output y"), 3));
  // An output of the model, and a reader besides.
  EXPECT_FALSE(match(silu, with(std::string(kNodes) + "output y e"), 3));
  EXPECT_FALSE(match(silu, with(std::string(kNodes) + "Relu(s) -> z\noutput y z"), 3));
  // Another constant, another numerator, another operator.
  EXPECT_FALSE(match(silu,
                     with("Neg(x) -> n\nExp(n) -> e\nAdd(e, two) -> s\nDiv(x, s) -> y\n"
                          "output y"),
                     3));
  EXPECT_FALSE(match(silu,
                     with("Neg(x) -> n\nExp(n) -> e\nAdd(e, one) -> s\nDiv(n, s) -> y\n"
                          "output y"),
                     3));
  EXPECT_FALSE(match(silu,
                     with("Abs(x) -> n\nExp(n) -> e\nAdd(e, one) -> s\nDiv(x, s) -> y\n"
                          "output y"),
                     3));
}

TEST(Expression, DoesNotMatchWhereAConstantBroadcasts) {
  const analysis::Resolved model = resolved(R"(graph main
    input x[3]
    reals one[1,1]=1
    Neg(x) -> n
    Exp(n) -> e
    Add(e, one) -> s
    Div(x, s) -> y
    output y)");
  EXPECT_FALSE(match(Expression::parse(kSilu), model, 3));  // y is [1,3]
}

TEST(Expression, ReplacesAMatch) {
  const analysis::Resolved model = resolved(R"(graph main
    input x[2,3]
    reals one=1
    Abs(x) -> a
    Neg(a) -> n
    Exp(n) -> e
    Add(e, one) -> s
    Div(a, s) -> y
    Relu(y) -> z
    output z)");
  Draft draft(model.shared_model());
  replace(*match(Expression::parse(kSilu), model, 4), Expression::parse("Mul(x, Sigmoid(x))"),
          draft);
  const Rewritten after = std::move(draft).finish();
  EXPECT_EQ(text_of(after),
            "Abs(x) -> a\n"
            "Sigmoid(a) -> ridge.Sigmoid.0\n"
            "Mul(a, ridge.Sigmoid.0) -> y\n"
            "Relu(y) -> z\n");
  using Nodes = std::vector<graph::NodeId>;
  EXPECT_EQ(after.stands_for, (std::vector<Nodes>{{0}, {1, 2, 3, 4}, {1, 2, 3, 4}, {5}}));
  EXPECT_TRUE(after.document->model.graph.initializers.empty());  // nothing reads `one`
}

}  // namespace
}  // namespace ridge::rewrite
