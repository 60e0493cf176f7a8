// SPDX-License-Identifier: Apache-2.0
#include "advice/layer_graph.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <random>

#include "analysis/testing.h"

namespace ridge::advice {
namespace {

/// A profile with one layer per list of nodes.
profile::Profile layers(const std::vector<std::vector<std::uint32_t>>& members) {
  profile::Profile out;
  for (const std::vector<std::uint32_t>& nodes : members) {
    profile::Layer& layer = out.layers.emplace_back();
    for (const std::uint32_t n : nodes) layer.members.push_back({.node = n});
  }
  return out;
}

/// Graph of the example in the header: two branches that an Add joins.
constexpr std::string_view kBranches = R"(graph main
    input x
    Relu(x) -> a
    Neg(a) -> b
    Sin(x) -> c
    Add(b, c) -> d
    output d)";

TEST(LayerGraph, FollowsTheExample) {
  const auto model = analysis::testing::model(kBranches);
  const LayerGraph graph(*model, layers({{0}, {1}, {2}, {3}}));
  const double times[] = {3, 2, 4, 1};
  EXPECT_EQ(graph.longest_path(times), 6);
  EXPECT_EQ(graph.scheduled(times, 2), 6);
  EXPECT_EQ(graph.scheduled(times, 1), 10);
}

TEST(LayerGraph, SeesThroughNodesWithoutALayer) {
  const auto model = analysis::testing::model(R"(graph main
    input x
    Relu(x) -> a
    Identity(a) -> b
    Neg(b) -> c
    output c)");
  const LayerGraph graph(*model, layers({{0}, {2}}));
  const double times[] = {3, 2};
  EXPECT_EQ(graph.longest_path(times), 5);
  EXPECT_EQ(graph.scheduled(times, 4), 5);
}

TEST(LayerGraph, LayersThatAlternateAreOneTask) {
  const auto model = analysis::testing::model(R"(graph main
    input x
    Relu(x) -> a
    Neg(a) -> b
    Sin(b) -> c
    output c)");
  const LayerGraph graph(*model, layers({{0, 2}, {1}}));
  const double times[] = {3, 2};
  EXPECT_EQ(graph.longest_path(times), 5);
}

TEST(LayerGraph, NodesOfABodyBelongToItsOwner) {
  const auto model = analysis::testing::model(R"(graph main
    input x c:bool[]
    Relu(x) -> a
    If(c) {then_branch=graph:yes else_branch=graph:no} -> b
    Neg(b) -> d
    output d
    graph yes
    Sin(a) -> y
    output y
    graph no
    Abs(a) -> y
    output y)");
  // The bodies contain nodes 3 and 4.
  const LayerGraph graph(*model, layers({{0}, {3}, {2}}));
  const double times[] = {3, 4, 2};
  EXPECT_EQ(graph.longest_path(times), 9);
}

TEST(LayerGraph, ALayerWithoutNodesTakesPartWhereItIsPlaced) {
  const auto model = analysis::testing::model(kBranches);
  const profile::Profile run = layers({{0}, {}, {1}, {2}, {3}});
  const double times[] = {3, 10, 2, 4, 1};
  EXPECT_EQ(LayerGraph(*model, run).longest_path(times), 6);  // a bound has no such layer
  const LayerGraph between(*model, run, {{{0, 1}, {1, 2}}});
  EXPECT_EQ(between.longest_path(times), 3 + 10 + 2 + 1);
  EXPECT_EQ(between.scheduled(times, 1), 20);
  EXPECT_EQ(between.scheduled(times, 2), 16);
  const LayerGraph last(*model, run, {{{4, 1}}});
  EXPECT_EQ(last.longest_path(times), 3 + 2 + 1 + 10);
}

/// Random graphs against a search of all paths, and against what any schedule must satisfy.
TEST(LayerGraph, AgreesWithASearchOfAllPaths) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 2 + static_cast<int>(random() % 9);
    std::string text = "graph main\ninput v0\n";
    std::vector<std::vector<int>> before(static_cast<std::size_t>(n));
    std::string outputs;
    for (int i = 0; i < n; ++i) {
      const int a = static_cast<int>(random() % static_cast<unsigned>(i + 1));
      const int b = static_cast<int>(random() % static_cast<unsigned>(i + 1));
      text += fmt::format("Add(v{}, v{}) -> v{}\n", a, b, i + 1);
      for (const int from : {a, b})
        if (from > 0) before[static_cast<std::size_t>(i)].push_back(from - 1);
      outputs += fmt::format(" v{}", i + 1);
    }
    const auto model = analysis::testing::model(fmt::format("{}output{}", text, outputs));
    std::vector<std::vector<std::uint32_t>> members;
    std::vector<double> times;
    for (int i = 0; i < n; ++i) {
      members.push_back({static_cast<std::uint32_t>(i)});
      times.push_back(1 + static_cast<double>(random() % 9));
    }
    const LayerGraph graph(*model, layers(members));
    std::function<double(int)> end = [&](int i) {
      double begin = 0;
      for (const int p : before[static_cast<std::size_t>(i)]) begin = std::max(begin, end(p));
      return begin + times[static_cast<std::size_t>(i)];
    };
    double longest = 0, sum = 0;
    for (int i = 0; i < n; ++i) {
      longest = std::max(longest, end(i));
      sum += times[static_cast<std::size_t>(i)];
    }
    EXPECT_EQ(graph.longest_path(times), longest) << text;
    EXPECT_EQ(graph.scheduled(times, 1), sum);
    EXPECT_EQ(graph.scheduled(times, static_cast<std::uint32_t>(n)), longest);
    // Graham's bounds for two workers.
    const double two = graph.scheduled(times, 2);
    EXPECT_GE(two, std::max(longest, sum / 2));
    EXPECT_LE(two, sum / 2 + longest / 2);
  }
}

}  // namespace
}  // namespace ridge::advice
