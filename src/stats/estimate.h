// SPDX-License-Identifier: Apache-2.0
// A value with its interval: what a statistic of a sample says, and how far it can be trusted.
//
//   const stats::Estimate best = stats::percentile_bootstrap(rates, largest);
//   if (best.interval) fmt::print("{} [{}, {}]\n", best.value, best.low(), best.high());
//
// Plain data. Thread rule: a value.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "stats/samples.h"

namespace ridge::stats {

/// nullopt if an end is not finite.
inline std::optional<Interval> finite_interval(double lo, double hi) {
  if (!std::isfinite(lo) || !std::isfinite(hi)) return std::nullopt;
  return Interval{lo, hi};
}

struct Estimate {
  double value = 0;                  ///< NaN: unknown
  std::optional<Interval> interval;  ///< 95 % where nothing else is said; none for too few samples
  std::int64_t samples = 0;          ///< number of samples behind it; 0: not known

  double low() const { return interval ? interval->lo : kUnknown; }
  double high() const { return interval ? interval->hi : kUnknown; }
  bool operator==(const Estimate&) const = default;

 private:
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace ridge::stats
