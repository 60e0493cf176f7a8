// SPDX-License-Identifier: Apache-2.0
// Edit distance: the least number of insertions, deletions and substitutions that turn one sequence
// into another (Levenshtein 1965). Symbols are numbers: code points, or words that were numbered.
//
//   edit_distance(code_points("kitten"), code_points("sitting"));   // 3
//
// Myers's bit-parallel algorithm in blocks of 64 rows (1999, JACM 46:395), for distances from start
// to end (Hyyrö 2003, "A Bit-Vector Algorithm for Computing Levenshtein and Damerau Edit
// Distances"). Thread rule: pure. Cost: O(n m / 64) time, O(n + m) memory.
#pragma once

#include <cstdint>
#include <span>

namespace ridge::accuracy {

std::uint64_t edit_distance(std::span<const char32_t> from, std::span<const char32_t> to);

}  // namespace ridge::accuracy
