// SPDX-License-Identifier: Apache-2.0
#include "profile/node_layers.h"

#include <gtest/gtest.h>

#include <string>

namespace ridge::profile {
namespace {

/// A profile of nodes with these MACs; -1: unknown.
Profile with_nodes(const std::vector<std::int64_t>& macs) {
  Profile p;
  for (const std::int64_t n : macs) {
    Node node{.index = static_cast<std::uint32_t>(p.nodes.size())};
    node.work.macs = n < 0 ? Count() : Count(n);
    p.nodes.push_back(node);
  }
  return p;
}

Layer of_members(std::vector<Member> members) {
  Layer layer;
  layer.members = std::move(members);
  return layer;
}

TEST(NodeLayers, ALayerIsLedByTheNodeWithMostMacsThatItExecutes) {
  const Profile p = with_nodes({0, 9, 9, 50, -1});
  const auto leader = [&](std::vector<Member> members) {
    const Layer layer = of_members(std::move(members));
    const Member* m = leading_member(p, layer);
    return m == nullptr ? -1 : static_cast<int>(m->node);
  };
  EXPECT_EQ(leader({{0, Role::kExecutes}, {1, Role::kExecutes}}), 1);
  EXPECT_EQ(leader({{2, Role::kExecutes}, {1, Role::kExecutes}}), 2);  // the first of equals
  EXPECT_EQ(leader({{3, Role::kAbsorbed}, {0, Role::kExecutes}}), 0);
  EXPECT_EQ(leader({{0, Role::kPart}, {3, Role::kAbsorbed}}), 0);      // executes none: the first
  EXPECT_EQ(leader({{4, Role::kExecutes}, {0, Role::kExecutes}}), 4);  // unknown counts as none
  EXPECT_EQ(leader({}), -1);
}

TEST(NodeLayers, ANodeOfSeveralLayersBelongsToTheOneThatExecutesIt) {
  Profile p = with_nodes({1, 1, 1});
  p.layers = {of_members({{0, Role::kPart}, {1, Role::kExecutes}}),
              of_members({{0, Role::kExecutes}})};
  const std::vector<NodeLayer> at = layers_of_nodes(p);
  EXPECT_EQ(at[0].layer, &p.layers[1]);
  EXPECT_TRUE(at[0].leads);
  EXPECT_EQ(at[1].layer, &p.layers[0]);
  EXPECT_TRUE(at[1].leads);
  EXPECT_EQ(at[2].layer, nullptr);
}

}  // namespace
}  // namespace ridge::profile
