// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/duration.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace ridge::cli {
namespace {

constexpr double kLongestSeconds = 7 * 86'400;

struct TimeUnit {
  std::string_view name;
  double seconds;
};

/// Units in the order in which they are tried: "ms" before "m".
constexpr std::array kTimeUnits = {TimeUnit{"us", 1e-6}, TimeUnit{"ms", 1e-3}, TimeUnit{"s", 1},
                                   TimeUnit{"m", 60}, TimeUnit{"h", 3600}};

Error invalid_duration(std::string_view flag, std::string_view text) {
  return usage_error("RIDGE-CLI-0034", fmt::format("{}: invalid duration '{}'", flag, text))
      .hint(flag.ends_with('=') ? fmt::format("write {0}15ms, {0}2s or {0}1m", flag)
                                : fmt::format("write {0} 90s, {0} 10m or {0} 1h30m", flag));
}

/// Removes the number at the beginning of `text`; false if there is none or it is negative.
bool take_number(std::string_view& text, double& number) {
  const char* end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (error != std::errc() || text.starts_with('-')) return false;
  text.remove_prefix(static_cast<std::size_t>(next - text.data()));
  return true;
}

bool possible(double seconds) { return seconds > 0 && seconds <= kLongestSeconds; }

}  // namespace

Result<double> parse_duration(std::string_view flag, std::string_view text) {
  double total = 0;
  std::string_view rest = text;
  while (!rest.empty()) {
    double number = 0;
    if (!take_number(rest, number)) return invalid_duration(flag, text);
    const TimeUnit* unit = nullptr;
    for (const TimeUnit& u : kTimeUnits)
      if (unit == nullptr && rest.starts_with(u.name)) unit = &u;
    if (unit == nullptr) return invalid_duration(flag, text);
    rest.remove_prefix(unit->name.size());
    total += number * unit->seconds;
  }
  if (!possible(total)) return invalid_duration(flag, text);
  return total;
}

Result<session::TimeBudget> parse_time_budget(std::string_view text) {
  std::string_view rest = text;
  double number = 0;
  if (take_number(rest, number) && rest.empty() && number <= kLongestSeconds)
    return session::TimeBudget{number, true};
  return session::TimeBudget{TRY(parse_duration("--budget", text)), false};
}

}  // namespace ridge::cli
