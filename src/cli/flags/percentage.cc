// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/percentage.h"

#include <fmt/format.h>

#include <charconv>

namespace ridge::cli {

Result<double> parse_percentage(std::string_view flag, std::string_view text) {
  double percent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (error != std::errc() || (rest != "%" && !rest.empty()) || !(percent >= 0 && percent < 100))
    return usage_error("RIDGE-CLI-0056", fmt::format("{}: invalid percentage '{}'", flag, text))
        .hint(fmt::format("write {} 1%", flag));
  return percent / 100;
}

}  // namespace ridge::cli
