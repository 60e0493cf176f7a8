// SPDX-License-Identifier: Apache-2.0
#include "compare/groups.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compare/testing.h"
#include "stats/random.h"

namespace ridge::compare {
namespace {

using testing::LayerSketch;
using testing::run_of;

const std::vector<std::string> kFour = {"a:Conv", "b:Relu", "c:Add", "d:Gemm"};

/// Formats a group as "0,1,2 <- 0,1 | 0": its nodes, then its layers in each run.
std::string shown_group(const Group& g) {
  std::string out = fmt::format("{} <-", fmt::join(g.nodes, ","));
  for (std::size_t r = 0; r < g.layers.size(); ++r)
    out += fmt::format("{}{}", r == 0 ? " " : " | ", fmt::join(g.layers[r], ","));
  return out;
}

std::vector<std::string> shown_group(const std::vector<compare::Run>& runs) {
  std::vector<std::string> out;
  const auto join = join_nodes(runs);
  if (!join.ok()) return {join.error().text()};
  for (const Group& g : common_groups(runs, *join).groups) out.push_back(shown_group(g));
  return out;
}

TEST(Groups, AreTheSmallestThatEveryRunTimesOnItsOwn) {
  EXPECT_EQ(shown_group({run_of("x", kFour, {{{0, 1}, {1}}, {{2}, {1}}, {{3}, {1}}}),
                         run_of("y", kFour, {{{0}, {1}}, {{1, 2}, {1}}, {{3}, {1}}})}),
            (std::vector<std::string>{"0,1,2 <- 0,1 | 0,1", "3 <- 2 | 2"}));
}

TEST(Groups, ChainThroughSeveralRuns) {
  EXPECT_EQ(shown_group({run_of("x", kFour, {{{0, 1}, {1}}, {{2}, {1}}, {{3}, {1}}}),
                         run_of("y", kFour, {{{0}, {1}}, {{1, 2}, {1}}, {{3}, {1}}}),
                         run_of("z", kFour, {{{0}, {1}}, {{1}, {1}}, {{2, 3}, {1}}})}),
            (std::vector<std::string>{"0,1,2,3 <- 0,1,2 | 0,1,2 | 0,1,2"}));
}

TEST(Groups, HoldANodeAndTheEqualOneThatIsComputedForIt) {
  std::vector<compare::Run> runs = {run_of("x", kFour, {{{0}, {1}}, {{2}, {1}}}),
                                    run_of("y", kFour, {{{0}, {1}}, {{1}, {1}}, {{2}, {1}}})};
  runs[0].profile.without_layer = {{.node = 1, .why = profile::Why::kMerged, .with = 0},
                                   {.node = 3, .why = profile::Why::kFolded}};
  EXPECT_EQ(shown_group(runs), (std::vector<std::string>{"0,1 <- 0 | 0,1", "2 <- 1 | 2"}));
  EXPECT_EQ(common_groups(runs, *join_nodes(runs)).untimed, 1u);
}

TEST(Groups, LeaveOutLayersWithoutMembers) {
  const std::vector<compare::Run> runs = {
      run_of("x", kFour, {{{}, {1}, true}, {{0, 1, 2, 3}, {1}}}),
      run_of("y", kFour, {{{0, 1, 2, 3}, {1}}, {{}, {1}}})};
  const Groups groups = common_groups(runs, *join_nodes(runs));
  EXPECT_EQ(groups.inserted, (std::vector<LayerList>{{0}, {}}));
  EXPECT_EQ(groups.unattributed, (std::vector<LayerList>{{}, {1}}));
  EXPECT_EQ(groups.groups.size(), 1u);
}

/// Oracle: reachability of nodes by transitive closure of the relation "in one layer".
std::vector<std::vector<bool>> closure(const std::vector<compare::Run>& runs, std::size_t n) {
  std::vector<std::vector<bool>> reach(n, std::vector<bool>(n, false));
  for (std::size_t i = 0; i < n; ++i) reach[i][i] = true;
  for (const compare::Run& run : runs)
    for (const profile::Layer& layer : run.profile.layers)
      for (const profile::Member& a : layer.members)
        for (const profile::Member& b : layer.members) reach[a.node][b.node] = true;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) reach[i][j] = reach[i][j] || (reach[i][k] && reach[k][j]);
  return reach;
}

TEST(Groups, AreTheTransitiveClosureOfSharedLayers) {
  stats::Random random(11);
  constexpr std::size_t kNodes = 14;
  const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < kNodes; ++i) out.push_back(fmt::format("n{}:Conv", i));
    return out;
  }();
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<compare::Run> runs;
    for (std::size_t r = 0; r < 2 + random.below(2); ++r) {
      std::vector<LayerSketch> layers;
      for (std::uint32_t n = 0; n < kNodes; ++n) {
        const bool joins = !layers.empty() && random.below(4) == 0;
        if (joins) layers[random.below(layers.size())].nodes.push_back(n);
        if (!joins) layers.push_back({{n}, {1}});
      }
      runs.push_back(run_of("r", names, layers));
    }
    const auto reach = closure(runs, kNodes);
    const Groups groups = common_groups(runs, *join_nodes(runs));
    std::vector<std::size_t> group_of(kNodes);
    std::size_t members = 0;
    for (std::size_t g = 0; g < groups.groups.size(); ++g)
      for (const std::uint32_t n : groups.groups[g].nodes) group_of[n] = g, ++members;
    ASSERT_EQ(members, kNodes);
    for (std::size_t i = 0; i < kNodes; ++i)
      for (std::size_t j = 0; j < kNodes; ++j)
        ASSERT_EQ(group_of[i] == group_of[j], bool{reach[i][j]}) << trial;
    for (std::size_t r = 0; r < runs.size(); ++r) {
      std::size_t layers = 0;
      for (const Group& g : groups.groups) layers += g.layers[r].size();
      ASSERT_EQ(layers, runs[r].profile.layers.size());
    }
  }
}

}  // namespace
}  // namespace ridge::compare
