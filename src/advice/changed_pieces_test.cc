// SPDX-License-Identifier: Apache-2.0
#include "advice/changed_pieces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace ridge::advice {
namespace {

using Nodes = std::vector<graph::NodeId>;

TEST(ChangedPieces, FollowTheExample) {
  const std::vector<TimedPiece> before = {{{0}, 10, "conv"}, {{1}, 2, "neg"}, {{2}, 3, "exp"},
                                          {{3}, 2, "add"},   {{4}, 4, "div"}, {{5}, 7, "sin"}};
  const std::vector<TimedPiece> after = {{{0, 1, 2, 3, 4}, 12, "conv, sigmoid"}, {{5}, 7, "sin"}};
  const std::vector<ChangedPiece> changed = changed_pieces(before, after);
  ASSERT_EQ(changed.size(), 1U);
  EXPECT_EQ(changed[0].nodes, (Nodes{0, 1, 2, 3, 4}));
  EXPECT_EQ(changed[0].before_ns, 21);
  EXPECT_EQ(changed[0].after_ns, 12);
}

TEST(ChangedPieces, ThoseWithoutANodeAreOneGroup) {
  const std::vector<TimedPiece> before = {{{}, 1, "reorder"}, {{0}, 5, "conv"}, {{}, 2, "reorder"}};
  const std::vector<TimedPiece> after = {{{0}, 5, "conv"}, {{}, 2, "reorder"}};
  const std::vector<ChangedPiece> changed = changed_pieces(before, after);
  ASSERT_EQ(changed.size(), 1U);
  EXPECT_TRUE(changed[0].nodes.empty());
  EXPECT_EQ(changed[0].before_ns, 3);
  EXPECT_EQ(changed[0].after_ns, 2);
  EXPECT_TRUE(changed_pieces(before, before).empty());
}

/// Cuts nodes 0 to n-1 into random sets, and leaves some out.
std::vector<TimedPiece> cut(std::mt19937& random, graph::NodeId n) {
  std::vector<TimedPiece> out(1 + random() % n);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i].brick = std::string(1, static_cast<char>('a' + random() % 2));
  for (graph::NodeId node = 0; node < n; ++node)
    if (random() % 8 != 0) out[random() % out.size()].nodes.push_back(node);
  std::erase_if(out, [](const TimedPiece& p) { return p.nodes.empty(); });
  for (TimedPiece& p : out) p.time_ns = static_cast<double>(random() % 100);
  return out;
}

/// Groups by merging any two that share a node, until none do.
std::set<Nodes> merged(const std::vector<TimedPiece>& before,
                       const std::vector<TimedPiece>& after) {
  std::vector<std::set<graph::NodeId>> groups;
  for (const auto* pieces : {&before, &after})
    for (const TimedPiece& p : *pieces) groups.emplace_back(p.nodes.begin(), p.nodes.end());
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (std::size_t j = 0; j < groups.size();) {
      const bool meet = i != j && std::ranges::any_of(groups[i], [&](graph::NodeId n) {
                          return groups[j].contains(n);
                        });
      if (!meet) {
        ++j;
        continue;
      }
      groups[i].insert(groups[j].begin(), groups[j].end());
      groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(j));
      i = j = 0;
    }
  std::set<Nodes> out;
  for (const auto& g : groups) out.insert({g.begin(), g.end()});
  return out;
}

TEST(ChangedPieces, AreTheGroupsThatRepeatedMergingGives) {
  std::mt19937 random(5);
  for (int round = 0; round < 500; ++round) {
    const std::vector<TimedPiece> before = cut(random, 12), after = cut(random, 12);
    const std::vector<ChangedPiece> changed = changed_pieces(before, after);
    const std::set<Nodes> groups = merged(before, after);
    std::set<Nodes> found;
    for (const ChangedPiece& piece : changed) found.insert(piece.nodes);
    for (const Nodes& nodes : groups) {
      // By definition: times and bricks of the pieces that lie in the group.
      double ns[2] = {0, 0};
      std::vector<std::string> bricks[2];
      for (int side = 0; side < 2; ++side)
        for (const TimedPiece& p : side == 0 ? before : after)
          if (std::ranges::includes(nodes, p.nodes)) {
            ns[side] += p.time_ns;
            bricks[side].push_back(p.brick);
          }
      std::ranges::sort(bricks[0]);
      std::ranges::sort(bricks[1]);
      EXPECT_EQ(found.contains(nodes), bricks[0] != bricks[1]);
      for (const ChangedPiece& piece : changed)
        if (piece.nodes == nodes) {
          EXPECT_EQ(piece.before_ns, ns[0]);
          EXPECT_EQ(piece.after_ns, ns[1]);
        }
    }
    for (const Nodes& nodes : found) EXPECT_TRUE(groups.contains(nodes));
    EXPECT_TRUE(std::ranges::is_sorted(changed, std::ranges::greater(), [](const ChangedPiece& p) {
      return p.before_ns - p.after_ns;
    }));
  }
}

}  // namespace
}  // namespace ridge::advice
