// SPDX-License-Identifier: Apache-2.0
// Objects by rank, the least first: a heap of four children that knows where each object is, so
// that any of them can be moved or taken out.
//
//   heap.put(7, {2.5, 0}), heap.put(3, {1.5, 1}), heap.put(7, {0.5, 2});     // 7 has moved
//   heap.top()                                                               // 7
//   heap.each_up_to({1.5, 1}, [&](std::uint32_t id) { ... });                // 7 and 3
//
// Equal ranks go by `order`. Internal to policy/. Thread rule: one thread. Cost: O(log n) for put()
// and erase(), O(1) for top(), O(k) for k visited ones; 28 bytes for each object.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace ridge::sharing {

struct Rank {
  double value = 0;
  std::uint64_t order = 0;

  friend bool operator<(const Rank& a, const Rank& b) {
    return a.value < b.value || (a.value == b.value && a.order < b.order);
  }
};

class RankHeap {
 public:
  void put(std::uint32_t id, const Rank& rank) {
    if (id >= places_.size()) places_.resize(std::size_t{id} + 1, kNowhere);
    if (places_[id] == kNowhere) {
      nodes_.push_back({});
      sift_up(nodes_.size() - 1, {rank, id});
    } else {
      settle(places_[id], {rank, id});
    }
  }
  /// Does nothing for an id that is not in the heap.
  void erase(std::uint32_t id) {
    if (!contains(id)) return;
    const std::size_t hole = places_[id];
    places_[id] = kNowhere;
    const Node moved = nodes_.back();
    nodes_.pop_back();
    if (hole < nodes_.size()) settle(hole, moved);
  }
  bool contains(std::uint32_t id) const { return id < places_.size() && places_[id] != kNowhere; }

  std::optional<std::uint32_t> top() const {
    return nodes_.empty() ? std::nullopt : std::optional(nodes_[0].id);
  }
  /// Rank of top(); the heap is not empty.
  const Rank& top_rank() const { return nodes_[0].rank; }

  /// Visits all whose rank is not above `limit`, in no particular order.
  template <typename Visit>
  void each_up_to(const Rank& limit, const Visit& visit) const {
    std::vector<std::size_t> open;
    if (!nodes_.empty()) open.push_back(0);
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      if (limit < nodes_[at].rank) continue;
      visit(nodes_[at].id);
      const std::size_t first = kWays * at + 1;
      for (std::size_t child = first; child < std::min(first + kWays, nodes_.size()); ++child)
        open.push_back(child);
    }
  }

 private:
  static constexpr std::size_t kWays = 4;
  static constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();
  struct Node {
    Rank rank;
    std::uint32_t id = 0;
  };

  void place(std::size_t at, const Node& node) {
    nodes_[at] = node;
    places_[node.id] = static_cast<std::uint32_t>(at);
  }
  void settle(std::size_t at, const Node& node) {
    if (at > 0 && node.rank < nodes_[(at - 1) / kWays].rank)
      sift_up(at, node);
    else
      sift_down(at, node);
  }
  void sift_up(std::size_t at, const Node& node) {
    while (at > 0) {
      const std::size_t parent = (at - 1) / kWays;
      if (!(node.rank < nodes_[parent].rank)) break;
      place(at, nodes_[parent]);
      at = parent;
    }
    place(at, node);
  }
  void sift_down(std::size_t at, const Node& node) {
    for (;;) {
      const std::size_t first = kWays * at + 1, end = std::min(first + kWays, nodes_.size());
      if (first >= end) break;
      std::size_t least = first;
      for (std::size_t child = first + 1; child < end; ++child)
        if (nodes_[child].rank < nodes_[least].rank) least = child;
      if (!(nodes_[least].rank < node.rank)) break;
      place(at, nodes_[least]);
      at = least;
    }
    place(at, node);
  }

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> places_;
};

}  // namespace ridge::sharing
