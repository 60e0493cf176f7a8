// SPDX-License-Identifier: Apache-2.0
// Texts that are lists, such as the values of flags: "8,16,32".
//
//   for (const std::string_view part : split("a,,b")) ...   // "a", "", "b"
//   for (const std::string_view item : items("a,b,")) ...   // "a", "b"
//
// Parts are as they stand in the text, which must outlive them; trimmed() takes blanks off.
#pragma once

#include <string_view>
#include <vector>

namespace ridge {

/// All parts between separators; one, which is empty, of an empty text. `separator`: not empty.
inline std::vector<std::string_view> split(std::string_view text,
                                           std::string_view separator = ",") {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t end = text.find(separator);
    out.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + separator.size());
  }
}

/// As split(), but a separator at the end begins no part, so an empty text has none.
inline std::vector<std::string_view> items(std::string_view text,
                                           std::string_view separator = ",") {
  std::vector<std::string_view> out = split(text, separator);
  if (out.back().empty()) out.pop_back();
  return out;
}

}  // namespace ridge
