// SPDX-License-Identifier: Apache-2.0
#include "analysis/sizes/shape_text.h"

#include <fmt/format.h>

#include "base/number.h"

namespace ridge::analysis {

Result<std::vector<std::int64_t>> shape_from(std::string_view text,
                                             const std::function<Error(std::string)>& wrong) {
  std::vector<std::int64_t> out;
  while (!text.empty() || !out.empty()) {
    const std::size_t end = text.find_first_of("xX,");
    const std::string_view part = text.substr(0, end);
    const auto size = whole_number(part);
    if (!size) return wrong(fmt::format("invalid integer '{}'", part));
    if (*size < 0) return wrong(fmt::format("a size must be at least 0, not {}", *size));
    out.push_back(*size);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace ridge::analysis
