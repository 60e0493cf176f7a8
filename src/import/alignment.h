// SPDX-License-Identifier: Apache-2.0
// Order-preserving alignment of two sequences.
//
//   align(operators.size(), nodes.size(), [&](i, j) { return fits(i, j) ? 4 : 0; })
//   -> for each element of the first: its partner in the second, the same in every best alignment
//
// An alignment matches elements of both sequences in ascending order; its score is the sum of the
// scores of its matches (Needleman and Wunsch 1970, without gap penalties). An element that
// different best alignments match differently, or that one of them leaves unmatched, is ambiguous
// and stays unmatched:
//
//   a: conv relu relu       conv is certain; either relu of a may match the relu of b, so both
//   b: conv relu            stay unmatched
//
// Cost: O(first * second) time and memory, 8 bytes per pair. Thread rule: plain function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace ridge::imports {

inline constexpr std::uint32_t kUnmatched = 0xffffffffU;
/// Most pairs that callers may align: 32 MiB of tables.
inline constexpr std::size_t kMaxPairs = 4 << 20;

/// Score of matching two elements; 0 if they cannot match.
using Worth = std::function<std::int32_t(std::size_t first, std::size_t second)>;

/// Requires first * second <= kMaxPairs and scores of at most 1000.
std::vector<std::uint32_t> align(std::size_t first, std::size_t second, const Worth& worth);

}  // namespace ridge::imports
