#include "cli/verbs/time_cell.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"

namespace ridge::cli {

std::string time_cell(double ns, bool exact) {
  if (std::isnan(ns)) return {};
  return exact ? fmt::format("{:.0f}", ns) : duration(ns);
}

}  // namespace ridge::cli
