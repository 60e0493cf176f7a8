// SPDX-License-Identifier: Apache-2.0
// Every form of a pattern is the same function as what replaces it, by an evaluation of both.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "rewrite/patterns.h"
#include "rewrite/testing.h"

namespace ridge::rewrite {
namespace {

double expression_value(const Expression& e, double x) {
  if (e.number) return *e.number;
  if (e.op_type.empty()) return x;
  std::vector<double> v;
  for (const Expression& operand : e.operands) v.push_back(expression_value(operand, x));
  const std::string_view op = e.op_type;
  if (op == "Add") return v[0] + v[1];
  if (op == "Sub") return v[0] - v[1];
  if (op == "Mul") return v[0] * v[1];
  if (op == "Div") return v[0] / v[1];
  if (op == "Neg") return -v[0];
  if (op == "Exp") return std::exp(v[0]);
  if (op == "Log") return std::log(v[0]);
  if (op == "Erf") return std::erf(v[0]);
  if (op == "Tanh") return std::tanh(v[0]);
  if (op == "Sigmoid") return 1 / (1 + std::exp(-v[0]));
  if (op == "Softplus") return std::log1p(std::exp(v[0]));
  if (op == "Reciprocal") return 1 / v[0];
  if (op == "Relu") return v[0] > 0 ? v[0] : 0;
  if (op == "Max") return std::fmax(v[0], v[1]);
  if (op == "Min") return std::fmin(v[0], v[1]);
  if (op == "Clip") return std::fmin(std::fmax(v[0], v[1]), v[2]);
  if (op == "Greater") return v[0] > v[1] ? 1 : 0;
  if (op == "Where") return v[0] != 0 ? v[1] : v[2];
  if (op == "HardSwish") return v[0] * std::fmin(std::fmax(v[0] / 6 + 0.5, 0), 1);
  ADD_FAILURE() << "no value for " << op;
  return 0;
}

TEST(Patterns, AreTheFunctionsThatReplaceThem) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> draw(-8, 8);
  for (const Pattern& p : patterns()) {
    const Expression written = Expression::parse(p.written), better = Expression::parse(p.better);
    for (int i = 0; i < 1000; ++i) {
      const double x = draw(random), expected = expression_value(written, x);
      EXPECT_NEAR(expression_value(better, x), expected, 1e-6 + 1e-5 * std::abs(expected))
          << p.written << " at " << x;
    }
  }
}

TEST(Patterns, OfARuleAreFoundOnceEach) {
  const analysis::Resolved model = resolved(R"(graph main
    input x[2,3]
    reals one=1 zero=0
    Neg(x) -> n
    Exp(n) -> e
    Add(e, one) -> s
    Div(one, s) -> p
    Mul(p, x) -> y
    Max(y, zero) -> z
    Neg(z) -> n2
    Exp(n2) -> e2
    Add(one, e2) -> s2
    Div(one, s2) -> t
    output t)");
  std::map<std::string, std::vector<std::vector<graph::NodeId>>> found;
  for (const Rule& rule : pattern_rules())
    for (const Site& site : rule.find(model)) found[rule.name].push_back(site.nodes);
  using Nodes = std::vector<std::vector<graph::NodeId>>;
  // The first Sigmoid is part of a SiLU and no finding of its own.
  EXPECT_EQ(found, (std::map<std::string, Nodes>{
                       {"silu", {{0, 1, 2, 3, 4}}}, {"relu", {{5}}}, {"sigmoid", {{6, 7, 8, 9}}}}));
  const Rule& silu = *std::ranges::find(pattern_rules(), "silu", &Rule::name);
  EXPECT_EQ(text_of(apply(silu, model, silu.find(model))),
            "Sigmoid(x) -> ridge.Sigmoid.0\n"
            "Mul(x, ridge.Sigmoid.0) -> y\n"
            "Max(y, zero) -> z\n"
            "Neg(z) -> n2\n"
            "Exp(n2) -> e2\n"
            "Add(one, e2) -> s2\n"
            "Div(one, s2) -> t\n");
}

TEST(Patterns, AreNotReplacedByOperatorsThatTheModelLacks) {
  constexpr char kHardSwish[] = R"(graph main
    input x[2,3]
    reals three=3 zero=0 six=6
    Add(x, three) -> a
    Clip(a, zero, six) -> c
    Mul(x, c) -> m
    Div(m, six) -> y
    output y)";
  const Rule& rule = *std::ranges::find(pattern_rules(), "hard_swish", &Rule::name);
  EXPECT_EQ(rule.find(resolved(kHardSwish)).size(), 1U);  // opset 17
  const std::shared_ptr<onnx::Document> old = graph::Sketch::document(kHardSwish);
  old->model.opsets = old->arena.copy(std::vector<onnx::OperatorSet>{{"", 13}});
  EXPECT_TRUE(rule.find(resolved(old)).empty());
}

}  // namespace
}  // namespace ridge::rewrite
