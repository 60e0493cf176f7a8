// SPDX-License-Identifier: Apache-2.0
#include "advice/missed_fusions.h"

#include <gtest/gtest.h>

#include "analysis/testing.h"

namespace ridge::advice {
namespace {

/// A run with a layer per list of nodes, of 10 us each.
profile::Profile grouped_run(const std::vector<std::vector<std::uint32_t>>& layers) {
  profile::Profile out;
  for (const std::vector<std::uint32_t>& nodes : layers) {
    profile::Layer& layer = out.layers.emplace_back();
    layer.corrected_ns = 10e3;
    for (const std::uint32_t n : nodes)
      layer.members.push_back({.node = n, .role = profile::Role::kExecutes});
    out.latency.ns.value += 10e3;
  }
  return out;
}

constexpr std::string_view kExample = R"(graph main
    input x w
    Conv(x, w) -> a
    Relu(a) -> b
    Conv(b, w) -> c
    Relu(c) -> d
    Add(c, d) -> y
    output y)";

TEST(MissedFusions, FollowTheExample) {
  const auto model = analysis::testing::model(kExample);
  const std::optional<Finding> found =
      missed_fusions(*model, grouped_run({{0, 1}, {2}, {3}, {4}}), "m.onnx");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->nodes, (std::vector<graph::NodeId>{3}));
  EXPECT_EQ(
      found->evidence,
      "a second reader keeps 1 node from the kernel that computes its input, as elsewhere in "
      "this run: Relu behind Conv, which Add reads too (1 place); 10.00 µs (25 % of the run)");
  EXPECT_EQ(found->no_price, "at most 10.00 µs, if all were fused");
}

TEST(MissedFusions, TheSameRunMustShowThatTheRuntimeFusesThem) {
  const auto model = analysis::testing::model(kExample);
  EXPECT_FALSE(missed_fusions(*model, grouped_run({{0}, {1}, {2}, {3}, {4}}), ""));
  EXPECT_FALSE(
      missed_fusions(*model, grouped_run({{0, 1}, {2, 3}, {4}}), ""));  // fused all the same
}

TEST(MissedFusions, AnOutputOfTheModelIsAnotherKind) {
  const auto model = analysis::testing::model(R"(graph main
    input x w
    Conv(x, w) -> a
    Relu(a) -> b
    Conv(b, w) -> c
    Relu(c) -> d
    output c d)");
  EXPECT_FALSE(missed_fusions(*model, grouped_run({{0, 1}, {2}, {3}}), ""));
}

TEST(MissedFusions, LittleTimeIsNoFinding) {
  const auto model = analysis::testing::model(kExample);
  profile::Profile p = grouped_run({{0, 1}, {2}, {3}, {4}});
  p.latency.ns.value = 1e6;  // 10 us are 1 % of it
  EXPECT_FALSE(missed_fusions(*model, p, ""));
}

}  // namespace
}  // namespace ridge::advice
