// SPDX-License-Identifier: Apache-2.0
// Parser for the equation of an Einstein sum: terms of labels, such as "ij,jk->ik".
//
// Spaces are ignored; without "->" the output has the ellipsis axes, followed by every label that
// occurs exactly once, in alphabetical order. Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::ops {

/// A letter (as kMaxEinsumRank + its code), or for an axis of an ellipsis its number, counted from
/// its last axis.
using EinsumLabel = std::int32_t;
inline constexpr std::int32_t kMaxEinsumRank = 32;

struct EinsumEquation {
  std::vector<std::string> inputs;  ///< at least one
  std::string output;
};
EinsumEquation split_equation(std::string_view equation);

struct EinsumTerm {
  bool ellipsis = false;
  std::size_t letters = 0;
};
EinsumTerm measure_term(std::string_view term);
/// `dots`: number of axes of the ellipsis. nullopt if the term has other characters than letters.
/// Example: "...ij" with two axes has the labels 1, 0, i, j.
std::optional<std::vector<EinsumLabel>> term_labels(std::string_view term, std::size_t dots);

}  // namespace ridge::ops
