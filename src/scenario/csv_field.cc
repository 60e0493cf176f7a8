// SPDX-License-Identifier: Apache-2.0
#include "scenario/csv_field.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/csv.h"
#include "base/number.h"

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

constexpr std::int64_t kLatest = 1'000'000'000'000'000'000;  // 10^9 s
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

std::optional<std::int64_t> scaled_time(std::string_view text, int decimals) {
  const std::size_t e = text.find_first_of("eE");
  if (e != std::string_view::npos) {
    std::string_view exponent = text.substr(e + 1);
    if (exponent.starts_with('+')) exponent.remove_prefix(1);
    int value = 0;
    const auto [end, fault] =
        std::from_chars(exponent.data(), exponent.data() + exponent.size(), value);
    if (fault != std::errc() || end != exponent.data() + exponent.size()) return {};
    if (value < -40 || value > 40) return {};
    decimals += value;
    text = text.substr(0, e);
  }
  std::int64_t number = 0;
  bool point = false, any = false;
  const auto append = [&](int digit) {
    if (number > (kLatest - digit) / 10) return false;
    number = number * 10 + digit;
    return true;
  };
  for (const char c : text) {
    if (c == '.' && !point) {
      point = true;
    } else if (!is_digit(c)) {
      return {};
    } else {
      any = true;
      if (point && decimals <= 0) continue;  // below the unit
      if (!append(c - '0')) return {};
      if (point) --decimals;
    }
  }
  for (; any && number > 0 && decimals > 0; --decimals)
    if (!append(0)) return {};
  for (; number > 0 && decimals < 0; ++decimals) number /= 10;
  return any ? std::optional(number) : std::nullopt;
}

}  // namespace ridge::scenario
