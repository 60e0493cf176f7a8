// SPDX-License-Identifier: Apache-2.0
#include "rewrite/rewritten.h"

#include <gtest/gtest.h>

#include "rewrite/testing.h"

namespace ridge::rewrite {
namespace {

using Nodes = std::vector<graph::NodeId>;

TEST(Rewritten, NodesOfABodyStandForTheNodeThatHasIt) {
  const analysis::Resolved model = resolved(R"(graph main
    input x[4] c:bool[]
    reals one=1
    Neg(x) -> n
    Exp(n) -> e
    Add(e, one) -> s
    Div(x, s) -> a
    If(c) {then_branch=graph:yes else_branch=graph:no} -> y
    output y
    graph yes
    Abs(a) -> z
    output z
    graph no
    Relu(a) -> v
    Neg(v) -> w
    output w)");
  const Rule& silu = rule_named("silu");
  const std::vector<Site> sites = silu.find(model);
  ASSERT_EQ(sites.size(), 1U);
  const Rewritten copy = apply(silu, model, sites);
  ASSERT_EQ(operators_of(copy), "Sigmoid Mul If");
  const std::vector<Nodes> of = origins(copy, resolved(copy.document).model());
  EXPECT_EQ(of, (std::vector<Nodes>{{0, 1, 2, 3}, {0, 1, 2, 3}, {4}, {4}, {4}, {4}}));
}

}  // namespace
}  // namespace ridge::rewrite
