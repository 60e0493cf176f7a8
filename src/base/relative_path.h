// SPDX-License-Identifier: Apache-2.0
// Paths that somebody else names and that must stay below a folder. Thread rule: pure.
#pragma once

#include <string_view>

namespace ridge {

/// True for a relative path whose parts are names: no "", "." or "..", no zero byte, at most 4096
/// bytes.
constexpr bool is_below(std::string_view path) {
  if (path.empty() || path.size() > 4096 || path.find('\0') != std::string_view::npos) return false;
  for (;;) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    if (part.empty() || part == "." || part == "..") return false;
    if (slash == std::string_view::npos) return true;
    path.remove_prefix(slash + 1);
  }
}

}  // namespace ridge
