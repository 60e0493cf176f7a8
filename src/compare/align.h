// SPDX-License-Identifier: Apache-2.0
// Alignment of two lists of nodes by keys: nodes with equal keys may become partners.
//
//   Alignment alignment(order_a, order_b);                // node numbers, in order
//   alignment.pair_unique({named_a, names_a}, {named_b, names_b});
//   alignment.fill_gaps({order_a, exact_a}, {order_b, exact_b});
//   alignment.fill_gaps({order_a, loose_a}, {order_b, loose_b});
//   alignment.to_b()[n] == kNoPartner                     // node n exists only in A
//
// Callers choose the keys and their order: the matching of two models (compare/match.h) and the
// join of two profiles (compare/node_join.h). Each node gets at most one partner, and keeps it.
// Cost: a call is near O(nodes), see compare/common_subsequence.h. Thread rule: one thread.
// Deterministic.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "compare/common_subsequence.h"

namespace ridge::compare {

inline constexpr std::uint32_t kNoPartner = std::numeric_limits<std::uint32_t>::max();

/// Nodes of one list that may be paired by a key.
struct KeyedNodes {
  std::span<const std::uint32_t> nodes;  ///< in the order of the list
  std::span<const std::uint64_t> keys;   ///< by node number, of the whole list
};

class Alignment {
 public:
  /// `order_a` and `order_b` are the numbers of all nodes, 0 to size - 1, in any order.
  Alignment(std::span<const std::uint32_t> order_a, std::span<const std::uint32_t> order_b);

  /// Pairs two nodes that have no partner.
  void pair(std::uint32_t in_a, std::uint32_t in_b);
  /// Pairs nodes whose key occurs once among the nodes without a partner of either side. Returns
  /// the number of pairs.
  std::size_t pair_unique(const KeyedNodes& a, const KeyedNodes& b);
  /// Pairs nodes without a partner by common subsequences of their keys, in the gaps between the
  /// longest sequence of pairs with the same order on both sides.
  void fill_gaps(const KeyedNodes& a, const KeyedNodes& b);

  /// Partners by node number; kNoPartner without one.
  const std::vector<std::uint32_t>& to_b() const { return a_.partner; }
  const std::vector<std::uint32_t>& to_a() const { return b_.partner; }

 private:
  struct Side {
    std::vector<std::uint32_t> place, partner;  // by node number
  };
  struct Keyed {
    std::uint64_t key;
    std::uint32_t node;
  };
  class Gaps;

  static Side side(std::span<const std::uint32_t> order);
  static std::vector<Keyed> unique(const Side& side, const KeyedNodes& keyed);
  void set_partners(std::uint32_t in_a, std::uint32_t in_b);
  Pairs chain() const;

  Side a_, b_;
  Pairs chain_;  // places of pairs that ascend on both sides; empty: not known
};

}  // namespace ridge::compare
