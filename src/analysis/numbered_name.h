// SPDX-License-Identifier: Apache-2.0
// Names that end in a number, and the label of several of them: "layer.0 .. 11".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ridge::analysis {

/// A name without its last number, and that number. "layer.11" is "layer." and 11. A number counts
/// only after '.', '_' or '-', or if it is the whole name.
struct NumberedName {
  std::string_view stem;
  std::optional<std::int64_t> number = {};
};

NumberedName numbered(std::string_view name);

/// Text for all numbers but the first: " .. 11", ", 2, 4", ", 2, 4, 6, … 10"; "" for one number.
std::string range_text(std::span<const std::int64_t> numbers);

}  // namespace ridge::analysis
