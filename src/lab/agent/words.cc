// SPDX-License-Identifier: Apache-2.0
#include "lab/agent/words.h"

#include <algorithm>

#include "base/text.h"

namespace ridge::lab {

std::string last_words(std::string_view printed) {
  constexpr std::size_t kShown = 300;
  printed = printed.substr(printed.size() - std::min(printed.size(), kShown));
  std::string out;
  while (!printed.empty()) {
    const std::size_t end = printed.find_first_of("\r\n");
    const std::string line = printable(printed.substr(0, end));
    if (!line.empty()) out += (out.empty() ? "" : " / ") + line;
    printed.remove_prefix(end == std::string_view::npos ? printed.size() : end + 1);
  }
  return out;
}

}  // namespace ridge::lab
