// SPDX-License-Identifier: Apache-2.0
#include "compare/common_subsequence.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace ridge::compare {
namespace {

using KeySpan = std::span<const std::uint64_t>;

/// Myers' greedy algorithm, forward, recording the furthest ends of every round for the traceback:
/// O(D^2) memory. nullopt beyond kMaxDifferences.
class Myers {
 public:
  Myers(KeySpan a, KeySpan b) : a_(a), b_(b) {}

  std::optional<Pairs> run() {
    const auto n = std::ssize(a_), m = std::ssize(b_);
    const auto most = std::min(n + m, static_cast<std::ptrdiff_t>(kMaxDifferences));
    std::vector<std::ptrdiff_t> ends(static_cast<std::size_t>(2 * most + 3), 0);
    const auto end = [&](std::ptrdiff_t k) -> std::ptrdiff_t& {
      return ends[static_cast<std::size_t>(k + most + 1)];
    };
    for (std::ptrdiff_t d = 0; d <= most; ++d) {
      for (std::ptrdiff_t k = -d; k <= d; k += 2) {
        const bool down = k == -d || (k != d && end(k - 1) < end(k + 1));
        std::ptrdiff_t x = down ? end(k + 1) : end(k - 1) + 1;
        if (x > n || x - k > m) {  // past an edge: no path continues here
          end(k) = std::min(x, n + 1);
          continue;
        }
        while (x < n && x - k < m && key(a_, x) == key(b_, x - k)) ++x;
        end(k) = x;
        if (x >= n && x - k >= m) return way_back(d);
      }
      keep_round(d, end);
    }
    return std::nullopt;
  }

 private:
  static std::uint64_t key(KeySpan keys, std::ptrdiff_t i) {
    return keys[static_cast<std::size_t>(i)];
  }

  template <typename End>
  void keep_round(std::ptrdiff_t d, const End& end) {
    auto& round = rounds_.emplace_back();
    round.reserve(static_cast<std::size_t>(2 * d + 1));
    for (std::ptrdiff_t k = -d; k <= d; ++k) round.push_back(static_cast<std::int32_t>(end(k)));
  }

  Pairs way_back(std::ptrdiff_t d) const {
    Pairs pairs;
    std::ptrdiff_t x = std::ssize(a_), y = std::ssize(b_);
    const auto back_to = [&](std::ptrdiff_t to_x, std::ptrdiff_t to_y) {
      while (x > to_x && y > to_y)
        pairs.emplace_back(static_cast<std::uint32_t>(--x), static_cast<std::uint32_t>(--y));
    };
    for (; d > 0; --d) {
      const auto& round = rounds_[static_cast<std::size_t>(d - 1)];
      const auto end = [&](std::ptrdiff_t k) {
        return std::ptrdiff_t{round[static_cast<std::size_t>(k + d - 1)]};
      };
      const std::ptrdiff_t k = x - y;
      const bool down = k == -d || (k != d && end(k - 1) < end(k + 1));
      const std::ptrdiff_t from = down ? k + 1 : k - 1;
      const std::ptrdiff_t before_x = end(from), before_y = before_x - from;
      back_to(down ? before_x : before_x + 1, down ? before_y + 1 : before_y);
      x = before_x;
      y = before_y;
    }
    back_to(0, 0);
    std::reverse(pairs.begin(), pairs.end());
    return pairs;
  }

  KeySpan a_, b_;
  std::vector<std::vector<std::int32_t>> rounds_;  // by round d: the furthest end on each diagonal
};

/// Pairs the k-th occurrence of a key with its k-th on the other side, then keeps a longest
/// ascending part.
Pairs by_occurrence(KeySpan a, KeySpan b) {
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> places;
  for (std::uint32_t j = 0; j < b.size(); ++j) places[b[j]].push_back(j);
  std::unordered_map<std::uint64_t, std::size_t> used;
  Pairs pairs;
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    const auto found = places.find(a[i]);
    if (found == places.end()) continue;
    const std::size_t k = used[a[i]]++;
    if (k < found->second.size()) pairs.emplace_back(i, found->second[k]);
  }
  return longest_ascending(pairs);
}

/// Pairs the keys that occur once on either side, in their longest common order.
Pairs unique_common(KeySpan a, KeySpan b) {
  struct Seen {
    std::uint32_t in_a = 0, in_b = 0, at_b = 0;
  };
  std::unordered_map<std::uint64_t, Seen> seen;
  for (const std::uint64_t key : a) ++seen[key].in_a;
  for (std::uint32_t j = 0; j < b.size(); ++j) {
    Seen& s = seen[b[j]];
    ++s.in_b;
    s.at_b = j;
  }
  Pairs pairs;
  for (std::uint32_t i = 0; i < a.size(); ++i)
    if (const Seen& s = seen[a[i]]; s.in_a == 1 && s.in_b == 1) pairs.emplace_back(i, s.at_b);
  return longest_ascending(pairs);
}

void append_shifted(Pairs& all, const Pairs& part, std::uint32_t at_a, std::uint32_t at_b) {
  for (const auto& [i, j] : part) all.emplace_back(i + at_a, j + at_b);
}

/// Aligns the part between two cuts: exactly if it is within Myers' limit.
Pairs between(KeySpan a, KeySpan b) {
  if (auto exact = Myers(a, b).run()) return *std::move(exact);
  return by_occurrence(a, b);
}

Pairs cut_at_unique(KeySpan a, KeySpan b) {
  if (auto exact = Myers(a, b).run()) return *std::move(exact);
  Pairs all, cuts = unique_common(a, b);
  cuts.emplace_back(static_cast<std::uint32_t>(a.size()), static_cast<std::uint32_t>(b.size()));
  std::uint32_t i = 0, j = 0;
  for (const auto& [cut_a, cut_b] : cuts) {
    append_shifted(all, between(a.subspan(i, cut_a - i), b.subspan(j, cut_b - j)), i, j);
    if (cut_a < a.size()) all.emplace_back(cut_a, cut_b);
    i = cut_a + 1;
    j = cut_b + 1;
  }
  return all;
}

/// Keys that also occur on the other side, with their positions; the others are in no common
/// subsequence.
struct Kept {
  std::vector<std::uint64_t> keys;
  std::vector<std::uint32_t> places;
};

Kept occurring_in(KeySpan keys, KeySpan others) {
  const std::unordered_set<std::uint64_t> there(others.begin(), others.end());
  Kept kept;
  for (std::uint32_t i = 0; i < keys.size(); ++i)
    if (there.contains(keys[i])) {
      kept.keys.push_back(keys[i]);
      kept.places.push_back(i);
    }
  return kept;
}

}  // namespace

// Example: pairs (0,5) (1,1) (2,2) (3,9) (4,3). The second members arrive as 5, 1, 2, 9, 3; the
// smallest last values of ascending parts of length 1, 2, 3 become {5}, {1}, {1,2}, {1,2,9},
// {1,2,3}. Following `before` from 3 gives (1,1) (2,2) (4,3).
Pairs longest_ascending(const Pairs& pairs) {
  // index of the pair that ends each length with the smallest second
  std::vector<std::uint32_t> tails;
  std::vector<std::uint32_t> before(pairs.size());  // 1 + index of the predecessor, 0: none
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    const auto at = std::lower_bound(
        tails.begin(), tails.end(), pairs[i].second,
        [&](std::uint32_t t, std::uint32_t second) { return pairs[t].second < second; });
    before[i] = at == tails.begin() ? 0 : *(at - 1) + 1;
    if (at == tails.end())
      tails.push_back(i);
    else
      *at = i;
  }
  Pairs out;
  for (std::uint32_t i = tails.empty() ? 0 : tails.back() + 1; i != 0; i = before[i - 1])
    out.push_back(pairs[i - 1]);
  std::reverse(out.begin(), out.end());
  return out;
}

// Example: a = 1 2 3 4, b = 2 9 4. Head: none; tail: the 4s. Of the inner parts 1 2 3 and 2 9 only
// 2 occurs in both, so Myers aligns {2} with {2}. Result: (1,0) (3,2).
Pairs common_subsequence(KeySpan a, KeySpan b) {
  std::uint32_t head = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head]) ++head;
  std::size_t tail = 0;
  while (tail < a.size() - head && tail < b.size() - head &&
         a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
    ++tail;
  Pairs all;
  for (std::uint32_t i = 0; i < head; ++i) all.emplace_back(i, i);
  const KeySpan inner_a = a.subspan(head, a.size() - head - tail);
  const KeySpan inner_b = b.subspan(head, b.size() - head - tail);
  const Kept kept_a = occurring_in(inner_a, inner_b), kept_b = occurring_in(inner_b, inner_a);
  for (const auto& [i, j] : cut_at_unique(kept_a.keys, kept_b.keys))
    all.emplace_back(head + kept_a.places[i], head + kept_b.places[j]);
  for (std::size_t i = tail; i-- > 0;)
    all.emplace_back(static_cast<std::uint32_t>(a.size() - 1 - i),
                     static_cast<std::uint32_t>(b.size() - 1 - i));
  return all;
}

}  // namespace ridge::compare
