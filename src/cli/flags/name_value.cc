// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/name_value.h"

#include <fmt/format.h>

namespace ridge::cli {

Result<std::pair<std::string, std::string>> name_and_value(const std::string& text,
                                                           std::string_view flag) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    return usage_error("RIDGE-CLI-0020", fmt::format("{} '{}': expected name=value", flag, text))
        .hint(fmt::format("write {} name=value", flag));
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

}  // namespace ridge::cli
