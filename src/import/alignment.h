// Two sequences matched in their order.
//
//   align(operators.size(), nodes.size(), [&](i, j) { return fits(i, j) ? 4 : 0; })
//   -> by element of the first: the element of the second that it matches in every best alignment
//
// An alignment matches elements of both in ascending order; its worth is the sum of what its
// matches are worth (Needleman and Wunsch 1970, without a cost for gaps). Elements that another
// best alignment matches otherwise, or not at all, are ambiguous and match nothing:
//
//   a: conv relu relu       the conv is certain; either relu of a may match that of b, so that
//   b: conv relu            neither does
//
// Cost: O(first * second) time and memory, 8 bytes a pair. Thread rule: plain function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace ridge::imports {

inline constexpr std::uint32_t kUnmatched = 0xffffffffU;
/// Pairs that are looked at: 32 MiB.
inline constexpr std::size_t kMostPairs = 4 << 20;

/// 0: these two do not match.
using Worth = std::function<std::int32_t(std::size_t first, std::size_t second)>;

/// first * second must be kMostPairs at most, and a match worth 1000 at most.
std::vector<std::uint32_t> align(std::size_t first, std::size_t second, const Worth& worth);

}  // namespace ridge::imports
