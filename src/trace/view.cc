// SPDX-License-Identifier: Apache-2.0
#include "trace/view.h"

#include <fmt/format.h>

#include "base/text.h"

namespace ridge::trace {

std::string View::levels_text() const {
  std::string out;
  for (std::size_t level = 0; level < kLevels; ++level)
    if (spans_of[level] > 0)
      out += fmt::format("{}{} ({})", out.empty() ? "" : ", ",
                         name(static_cast<profile::Level>(level)),
                         counted(static_cast<std::int64_t>(spans_of[level]), "span"));
  if (out.empty()) out = "no spans";
  return profile->layers.empty() ? out
                                 : out + fmt::format(" and {} in its table",
                                                     counted(std::ssize(profile->layers), "layer"));
}

}  // namespace ridge::trace
