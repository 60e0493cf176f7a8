// SPDX-License-Identifier: Apache-2.0
#include "compare/align.h"

#include <algorithm>

namespace ridge::compare {
namespace {

constexpr std::uint32_t kEnd = std::numeric_limits<std::uint32_t>::max();

}  // namespace

/// Traversal of one side from gap to gap.
class Alignment::Gaps {
 public:
  Gaps(const Side& side, const KeyedNodes& keyed) : side_(side), keyed_(keyed) {}

  /// Nodes without a partner up to `end`, a place, and their keys.
  void advance(std::uint32_t end) {
    nodes.clear();
    keys.clear();
    for (; at_ < keyed_.nodes.size() && side_.place[keyed_.nodes[at_]] < end; ++at_) {
      const std::uint32_t node = keyed_.nodes[at_];
      if (side_.partner[node] != kNoPartner) continue;
      nodes.push_back(node);
      keys.push_back(keyed_.keys[node]);
    }
  }

  std::vector<std::uint32_t> nodes;
  std::vector<std::uint64_t> keys;

 private:
  const Side& side_;
  const KeyedNodes& keyed_;
  std::size_t at_ = 0;
};

Alignment::Alignment(std::span<const std::uint32_t> order_a, std::span<const std::uint32_t> order_b)
    : a_(side(order_a)), b_(side(order_b)) {}

Alignment::Side Alignment::side(std::span<const std::uint32_t> order) {
  Side side;
  side.place.resize(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) side.place[order[i]] = i;
  side.partner.assign(order.size(), kNoPartner);
  return side;
}

void Alignment::set_partners(std::uint32_t in_a, std::uint32_t in_b) {
  a_.partner[in_a] = in_b;
  b_.partner[in_b] = in_a;
}

void Alignment::pair(std::uint32_t in_a, std::uint32_t in_b) {
  set_partners(in_a, in_b);
  chain_.clear();
}

/// Returns the nodes without a partner whose key is unique among them, ordered by key.
std::vector<Alignment::Keyed> Alignment::unique(const Side& side, const KeyedNodes& keyed) {
  std::vector<Keyed> found;
  for (const std::uint32_t n : keyed.nodes)
    if (side.partner[n] == kNoPartner) found.push_back({keyed.keys[n], n});
  std::ranges::sort(found, {}, &Keyed::key);
  std::size_t kept = 0;
  for (std::size_t i = 0, next = 0; i < found.size(); i = next) {
    for (next = i + 1; next < found.size() && found[next].key == found[i].key;) ++next;
    if (next == i + 1) found[kept++] = found[i];
  }
  found.resize(kept);
  return found;
}

std::size_t Alignment::pair_unique(const KeyedNodes& a, const KeyedNodes& b) {
  const std::vector<Keyed> of_a = unique(a_, a), of_b = unique(b_, b);
  std::size_t pairs = 0;
  for (auto x = of_a.begin(), y = of_b.begin(); x != of_a.end() && y != of_b.end();) {
    if (x->key == y->key) {
      pair(x->node, y->node);
      ++pairs;
    }
    const std::uint64_t key = std::min(x->key, y->key);
    x += x->key == key ? 1 : 0;
    y += y->key == key ? 1 : 0;
  }
  return pairs;
}

/// Longest sequence of pairs with the same order on both sides.
Pairs Alignment::chain() const {
  Pairs pairs;
  for (std::uint32_t n = 0; n < a_.partner.size(); ++n)
    if (a_.partner[n] != kNoPartner) pairs.emplace_back(a_.place[n], b_.place[a_.partner[n]]);
  std::ranges::sort(pairs);
  return longest_ascending(pairs);
}

void Alignment::fill_gaps(const KeyedNodes& a, const KeyedNodes& b) {
  if (chain_.empty()) chain_ = chain();
  Gaps in_a(a_, a), in_b(b_, b);
  Pairs found;
  for (std::size_t at = 0; at <= chain_.size(); ++at) {
    const auto [end_a, end_b] = at < chain_.size() ? chain_[at] : std::pair(kEnd, kEnd);
    in_a.advance(end_a);
    in_b.advance(end_b);
    if (in_a.nodes.empty() || in_b.nodes.empty()) continue;
    for (const auto& [x, y] : common_subsequence(in_a.keys, in_b.keys)) {
      set_partners(in_a.nodes[x], in_b.nodes[y]);
      found.emplace_back(a_.place[in_a.nodes[x]], b_.place[in_b.nodes[y]]);
    }
  }
  const std::size_t before = chain_.size();
  chain_.insert(chain_.end(), found.begin(), found.end());
  std::inplace_merge(chain_.begin(), chain_.begin() + static_cast<std::ptrdiff_t>(before),
                     chain_.end());
}

}  // namespace ridge::compare
