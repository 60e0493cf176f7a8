// SPDX-License-Identifier: Apache-2.0
#include "base/date_text.h"

#include <fmt/format.h>

#include <chrono>

namespace ridge {

std::string date_text(std::int64_t seconds) {
  namespace chrono = std::chrono;
  // End of the year 9999; a store may contain any number.
  constexpr std::int64_t kLast = 253'402'300'799;
  if (seconds < 0 || seconds > kLast) return "?";
  const chrono::sys_seconds at{chrono::seconds(seconds)};
  const auto day = chrono::floor<chrono::days>(at);
  const chrono::year_month_day date(day);
  const chrono::hh_mm_ss time(at - day);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count());
}

}  // namespace ridge
