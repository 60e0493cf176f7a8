// SPDX-License-Identifier: Apache-2.0
#include "runtime/null/behavior.h"

#include <cmath>
#include <optional>
#include <string>

#include "base/number.h"

namespace ridge::null {
namespace {

constexpr double kLongestUs = 1e9;

/// A number of microseconds, in nanoseconds.
std::optional<double> nanoseconds(std::string_view text) {
  const std::optional<double> us = finite_number(text);
  if (!us || !(*us >= 0) || *us > kLongestUs) return std::nullopt;
  return *us * 1000;
}

}  // namespace

Result<void> Behavior::set(std::string_view key, std::string_view value) {
  const auto count = whole_number<std::uint64_t>(value);
  const std::size_t colon = value.find(':'), slash = value.find('/');
  if (key == "ridge.service" && colon != std::string_view::npos) {
    const std::string_view kind = value.substr(0, colon);
    const auto mean = nanoseconds(value.substr(colon + 1));
    if (mean && (kind == "constant" || kind == "exponential")) {
      mean_ns = *mean;
      exponential = kind == "exponential";
      return {};
    }
  } else if (const auto each = nanoseconds(value); each && key == "ridge.service_per_sample") {
    per_sample_ns = *each;
    return {};
  } else if (key == "ridge.stall" && slash != std::string_view::npos) {
    const auto stall = nanoseconds(value.substr(0, slash));
    const auto period = nanoseconds(value.substr(slash + 1));
    if (stall && period && *stall < *period) {
      stall_ns = *stall;
      period_ns = *period;
      return {};
    }
  } else if (key == "ridge.wait" && (value == "spin" || value == "sleep")) {
    wait = value == "spin" ? Wait::kSpin : Wait::kSleep;
    return {};
  } else if (count &&
             (key == "ridge.seed" || key == "ridge.fail_every" || key == "ridge.crash_after")) {
    (key == "ridge.seed" ? seed : key == "ridge.fail_every" ? fail_every : crash_after) = *count;
    return {};
  }
  return usage_error("RIDGE-NULL-0001", "the null runtime has no option '" + std::string(key) +
                                            "=" + std::string(value) + "'")
      .hint(
          "its options are: ridge.service=constant:US|exponential:US, ridge.service_per_sample=US, "
          "ridge.stall=US/PERIOD_US, ridge.seed=N, ridge.fail_every=N, ridge.crash_after=N, "
          "ridge.wait=spin|sleep");
}

Nanos ServiceTime::next(std::int64_t samples) {
  const double fixed = behavior_.exponential ? -behavior_.mean_ns * std::log1p(-random_.uniform())
                                             : behavior_.mean_ns;
  return Nanos{std::llround(fixed + behavior_.per_sample_ns * static_cast<double>(samples))};
}

Nanos ServiceTime::begin(Nanos now, Nanos opened) const {
  if (behavior_.period_ns <= 0) return now;
  const double since = static_cast<double>((now - opened).count);
  const double phase = std::fmod(since, behavior_.period_ns);
  if (phase >= behavior_.stall_ns) return now;
  return now + Nanos{std::llround(behavior_.stall_ns - phase)};
}

}  // namespace ridge::null
