// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/figure_text.h"

#include <fmt/format.h>

#include "base/numeral.h"
#include "base/text.h"

namespace ridge::cli {

std::string time_text(std::int64_t ns, bool exact) {
  return exact ? fmt::format("{}", ns) : duration(ns);
}

std::string interval_text(const scenario::Percentile& p, bool exact, std::string_view counted) {
  if (p.interval)
    return fmt::format("{} to {}", time_text(static_cast<std::int64_t>(p.interval->lo), exact),
                       time_text(static_cast<std::int64_t>(p.interval->hi), exact));
  return exact ? "" : fmt::format("needs {} {}", p.needed, counted);
}

std::string rate_text(const scenario::Rate& rate, std::string_view unit) {
  std::string out = fmt::format("{} {}", significant(rate.per_s, 4), unit);
  if (rate.interval)
    out += fmt::format(" ({} to {})", significant(rate.interval->lo, 4),
                       significant(rate.interval->hi, 4));
  return out;
}

}  // namespace ridge::cli
