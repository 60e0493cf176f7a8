// SPDX-License-Identifier: Apache-2.0
#include "measure/cut_plan.h"

#include <gtest/gtest.h>

#include "analysis/testing.h"

namespace ridge::measure {
namespace {

using analysis::testing::resolved;
using profile::Layer;

/// Layers in execution order, given as time and members; no members: inserted by the runtime.
std::vector<Layer> timed_layers(
    const std::vector<std::pair<double, std::vector<std::uint32_t>>>& rows) {
  std::vector<Layer> out;
  for (const auto& [ns, nodes] : rows) {
    Layer layer;
    layer.index = static_cast<std::uint32_t>(out.size());
    layer.corrected_ns = ns;
    layer.inserted = nodes.empty();
    for (const std::uint32_t n : nodes) layer.members.push_back({.node = n});
    out.push_back(std::move(layer));
  }
  return out;
}

std::string shown(const CutPlan& plan) {
  std::string out;
  for (const PlannedCut& c : plan.cuts)
    out += fmt::format("{}#{}:{}+{}", out.empty() ? "" : " ", c.cut.node, c.layers, c.boundary);
  return out + plan.reason;
}

constexpr std::string_view kChain = R"(graph main
  input x[4]
  Relu(x) -> a
  Tanh(a) -> b
  Relu(b) -> c
  Tanh(c) -> d
  Relu(d) -> e
  Tanh(e) -> y
  output y)";

TEST(CutPlan, SpreadsCutsEvenlyOverTheTime) {
  const auto all = timed_layers({{10, {0}}, {10, {1}}, {40, {2}}, {10, {3}}, {10, {4}}, {20, {5}}});
  EXPECT_EQ(shown(plan_cuts(resolved(kChain), all, 1)), "#2:3+0");
  EXPECT_EQ(shown(plan_cuts(resolved(kChain), all, 3)), "#1:2+0 #2:3+0 #3:4+0");
  EXPECT_EQ(shown(plan_cuts(resolved(kChain), all, 50)), "#0:1+0 #1:2+0 #2:3+0 #3:4+0 #4:5+0");
}

TEST(CutPlan, CutsNoLayerInTwo) {
  const auto fused = timed_layers({{10, {0, 1}}, {10, {2, 3}}, {10, {4, 5}}});
  EXPECT_EQ(shown(plan_cuts(resolved(kChain), fused, 50)), "#1:1+0 #3:2+0");
  const auto one = timed_layers({{10, {0, 1, 2, 3, 4, 5}}});
  EXPECT_EQ(shown(plan_cuts(resolved(kChain), one, 5)),
            "layers reach across every tensor that later nodes read alone");
}

TEST(CutPlan, KnowsLayersThatTheRuntimeInsertedAtTheCut) {
  const auto all =
      timed_layers({{10, {0}}, {5, {}}, {10, {1}}, {5, {}}, {5, {}}, {10, {2, 3, 4, 5}}});
  EXPECT_EQ(shown(plan_cuts(resolved(kChain), all, 50)), "#0:1+1 #1:3+2");
}

TEST(CutPlan, TakesNoCutThatTheRuntimesOrderDoesNotRespect) {
  const auto all = timed_layers({{10, {0}}, {10, {2}}, {10, {1}}, {10, {3}}, {10, {4}}, {10, {5}}});
  EXPECT_EQ(shown(plan_cuts(resolved(kChain), all, 50)), "#0:1+0 #2:3+0 #3:4+0 #4:5+0");
}

TEST(CutPlan, SaysWhyThereIsNone) {
  const auto r =
      resolved("graph main\n input x[4] m[4]\n Relu(x) -> a\n Add(a, m) -> y\n output y");
  EXPECT_EQ(shown(plan_cuts(r, timed_layers({{10, {0}}, {10, {1}}}), 5)),
            "no tensor of the model is all that later nodes read");
}

TEST(CutPlan, ANodeOfABodyLiesWhereItsOwnerLies) {
  const auto r = resolved(R"(graph main
    input x[4]
    flags c[]=1
    Relu(x) -> a
    If(c) {then_branch=graph:yes else_branch=graph:no} -> b
    Relu(b) -> y
    output y
  graph yes
    Relu(a) -> s
    output s
  graph no
    Tanh(a) -> t
    output t)");
  EXPECT_EQ(shown(plan_cuts(r, timed_layers({{10, {0}}, {10, {3}}, {10, {2}}}), 5)),
            "#0:1+0 #1:2+0");
}

}  // namespace
}  // namespace ridge::measure
