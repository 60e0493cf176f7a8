// SPDX-License-Identifier: Apache-2.0
#include "advice/changed_pieces.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "base/disjoint_sets.h"

namespace ridge::advice {
namespace {

struct Group {
  std::set<graph::NodeId> nodes;
  double before_ns = 0, after_ns = 0;
  std::multiset<std::string_view> bricks_before, bricks_after;
};

}  // namespace

std::vector<ChangedPiece> changed_pieces(std::span<const TimedPiece> before,
                                         std::span<const TimedPiece> after) {
  DisjointSets sets(before.size() + after.size());
  std::unordered_map<graph::NodeId, std::uint32_t> first_of;  // piece by node
  const auto piece = [&](std::size_t i) -> const TimedPiece& {
    return i < before.size() ? before[i] : after[i - before.size()];
  };
  const auto join = [&](graph::NodeId node, std::uint32_t i) {
    sets.join(first_of.try_emplace(node, i).first->second, i);
  };
  for (std::uint32_t i = 0; i < before.size() + after.size(); ++i) {
    if (piece(i).nodes.empty()) join(graph::kNone, i);
    for (const graph::NodeId n : piece(i).nodes) join(n, i);
  }
  std::map<std::uint32_t, Group> groups;  // by root
  for (std::uint32_t i = 0; i < before.size() + after.size(); ++i) {
    Group& group = groups[sets.root(i)];
    const TimedPiece& p = piece(i);
    group.nodes.insert(p.nodes.begin(), p.nodes.end());
    (i < before.size() ? group.before_ns : group.after_ns) += p.time_ns;
    (i < before.size() ? group.bricks_before : group.bricks_after).insert(p.brick);
  }
  std::vector<ChangedPiece> out;
  for (const auto& [root, group] : groups)
    if (group.bricks_before != group.bricks_after)
      out.push_back({{group.nodes.begin(), group.nodes.end()}, group.before_ns, group.after_ns});
  std::ranges::sort(out, [](const ChangedPiece& a, const ChangedPiece& b) {
    const double x = a.before_ns - a.after_ns, y = b.before_ns - b.after_ns;
    return x != y ? x > y : a.nodes < b.nodes;
  });
  return out;
}

}  // namespace ridge::advice
