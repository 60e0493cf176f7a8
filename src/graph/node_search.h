// SPDX-License-Identifier: Apache-2.0
// Finds the node or layer that a user refers to by a name, a part of a name, or a number.
//
//   const std::vector<SearchName> names = {{0, "/fc/MatMul"}, {1, "/fc/Add"}};
//   search("/fc/Add", names)    // found {1}
//   search("matmul", names)     // found {0}: the only one with that in its name
//   search("fc", names)         // found {0, 1}, as parts
//   search("/fc/MatMull", names)   // near {"/fc/MatMul"}
//
// Matching of a part ignores case. Pure. Cost: O(names).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::graph {

/// Candidate; several may share a number, as alternative names.
struct SearchName {
  std::uint32_t number = 0;
  std::string_view name;
};

struct Found {
  enum class By : std::uint8_t { kName, kPart, kNothing };
  By by = By::kNothing;
  /// ascending, distinct; if there is exactly one, it is the match
  std::vector<std::uint32_t> numbers;
};

/// Searches by the whole name, then by a part of it.
Found search(std::string_view text, std::span<const SearchName> names);
Found search_whole(std::string_view text, std::span<const SearchName> names);

/// Up to eight similar names: first by the whole name, then by the last path component.
std::vector<std::string> near(std::string_view text, std::span<const SearchName> names);

}  // namespace ridge::graph
