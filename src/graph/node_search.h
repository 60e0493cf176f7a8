// Which node, or layer, a person means by what they typed: a name, a part of one, a number.
//
//   const std::vector<SearchName> names = {{0, "/fc/MatMul"}, {1, "/fc/Add"}};
//   search("/fc/Add", names)    // found {1}
//   search("matmul", names)     // found {0}: the only one with that in its name
//   search("fc", names)         // found {0, 1}, as parts
//   search("/fc/MatMull", names)   // near {"/fc/MatMul"}
//
// Capitals do not matter in a part of a name. Pure. Cost: O(names).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::graph {

/// One that can be meant; several may have one number, for other names of it.
struct SearchName {
  std::uint32_t number = 0;
  std::string_view name;
};

struct Found {
  enum class By : std::uint8_t { kName, kPart, kNothing };
  By by = By::kNothing;
  std::vector<std::uint32_t> numbers;  ///< ascending, each once; one: it is meant
};

/// By the whole name, else by a part of it.
Found search(std::string_view text, std::span<const SearchName> names);
Found search_whole(std::string_view text, std::span<const SearchName> names);

/// Up to eight names that a person may have meant: near as a whole, then in the last step of a
/// path.
std::vector<std::string> near(std::string_view text, std::span<const SearchName> names);

}  // namespace ridge::graph
