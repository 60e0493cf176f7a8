// What two sequences of keys have in common, in order.
//
//   common_subsequence({1, 2, 3, 4}, {2, 9, 4})   // {{1, 0}, {3, 2}}
//
// The longest common subsequence (Myers 1986, "An O(ND) difference algorithm") where at most
// kMostDifferences keys have no partner, those aside that the other sequence lacks. Past that the
// sequences are first cut at the keys that stand once in each, in their longest increasing order
// (patience), and what is between has the k-th of a key go with the k-th: near the longest, never
// out of order.
// Cost: O((n + m) * kMostDifferences) in the worst case, near n + m where little differs.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ridge::compare {

inline constexpr std::size_t kMostDifferences = 256;

/// Positions in `a` and `b`, ascending in both.
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Pairs common_subsequence(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

/// The longest part of `pairs` (sorted by the first) that ascends in the second too. O(n log n).
Pairs longest_ascending(const Pairs& pairs);

}  // namespace ridge::compare
