// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/trial/told_error.h"

#include <string>

#include "base/list.h"

namespace ridge::lab::serve {

std::optional<ErrorDocument> told_error(std::string_view words) {
  constexpr std::string_view kError = "error: ", kHint = "  hint: ", kCode = "  [RIDGE-";
  constexpr std::string_view kIndent = "  ";
  std::optional<ErrorDocument> out;
  for (const std::string_view line : split(words, "\n")) {
    if (line.starts_with(kError)) {
      out = ErrorDocument{.message = std::string(line.substr(kError.size()))};
    } else if (!out || !out->code.empty()) {
      continue;
    } else if (line.starts_with(kHint)) {
      out->hint = line.substr(kHint.size());
    } else if (line.starts_with(kCode) && line.ends_with(']')) {
      out->code = line.substr(kIndent.size() + 1, line.size() - kIndent.size() - 2);
    } else if (line.starts_with(kIndent)) {
      out->evidence = line.substr(kIndent.size());
    }
  }
  if (out && out->code.empty()) return std::nullopt;
  return out;
}

}  // namespace ridge::lab::serve
