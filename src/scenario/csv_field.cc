// SPDX-License-Identifier: Apache-2.0
#include "scenario/csv_field.h"

#include <algorithm>
#include <array>

#include "base/csv.h"

namespace ridge::scenario {

std::string csv_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == '_' || c == ' ') continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

namespace {

constexpr std::array<std::string_view, 9> kDueTimes = {"time",    "timestamp",   "arrival",
                                                       "arrived", "arrivaltime", "sent",
                                                       "start",   "scheduled",   "moment"};

bool is_due_time(std::string_view name) {
  return std::ranges::find(kDueTimes, name) != kDueTimes.end();
}

}  // namespace

std::optional<int> time_decimals(std::string_view name) {
  if (is_due_time(csv_name(name))) return 9;
  const std::string unit = csv_name(name.substr(name.find_last_of('_') + 1));  // npos + 1 is 0
  if (unit == "s") return 9;
  if (unit == "ms") return 6;
  if (unit == "us") return 3;
  if (unit == "ns") return 0;
  return std::nullopt;
}

std::optional<TimeColumn> time_column(std::string_view header) {
  const auto count = static_cast<std::size_t>(std::ranges::count(header, ',')) + 1;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view name = csv_text(header, i);
    const std::string_view kind = name.substr(0, name.find_last_of('_'));
    if (const auto decimals = time_decimals(name);
        decimals && (is_due_time(csv_name(name)) || is_due_time(csv_name(kind))))
      return TimeColumn{i, *decimals};
  }
  if (const auto decimals = time_decimals(csv_text(header, 0))) return TimeColumn{0, *decimals};
  return std::nullopt;
}

}  // namespace ridge::scenario
