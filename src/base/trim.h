// SPDX-License-Identifier: Apache-2.0
// Text without leading and trailing white space.
#pragma once

#include <string_view>

namespace ridge {

inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

}  // namespace ridge
