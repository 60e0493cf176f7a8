// SPDX-License-Identifier: Apache-2.0
// Common subsequence of two sequences of keys.
//
//   common_subsequence({1, 2, 3, 4}, {2, 9, 4})   // {{1, 0}, {3, 2}}
//
// The longest common subsequence (Myers 1986, "An O(ND) difference algorithm") if at most
// kMaxDifferences keys have no partner, not counting keys that the other sequence lacks. Beyond
// that limit the sequences are first split at the keys that occur once in each, in their longest
// increasing order (patience), and a part between two such keys that is still beyond the limit
// pairs the k-th occurrence of each key with the k-th: nearly the longest, and always ascending in
// both.
// Cost: O((n + m) * kMaxDifferences) in the worst case, near n + m where little differs.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ridge::compare {

inline constexpr std::size_t kMaxDifferences = 256;

/// Positions in `a` and `b`, both ascending.
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Pairs common_subsequence(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

/// Returns a longest subsequence of `pairs` (sorted by the first) that also ascends in the second.
/// O(n log n).
Pairs longest_ascending(const Pairs& pairs);

}  // namespace ridge::compare
