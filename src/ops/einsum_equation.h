// An Einstein sum's equation taken apart: terms of labels, "ij,jk->ik".
//
// Spaces mean nothing; without "->" the output has every label that occurs once, in alphabetical
// order, after what an ellipsis stands for. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::ops {

/// A letter, or for the axes of an ellipsis a number counted from its last.
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
/// `dots`: axes that its ellipsis stands for. nullopt where it has anything but letters.
std::optional<std::vector<EinsumLabel>> term_labels(std::string_view term, std::size_t dots);

}  // namespace ridge::ops
