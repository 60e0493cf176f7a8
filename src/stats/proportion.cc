// SPDX-License-Identifier: Apache-2.0
#include "stats/proportion.h"

#include <cmath>

#include "stats/normal.h"

namespace ridge::stats {

std::optional<Interval> wilson_interval(std::int64_t successes, std::int64_t trials,
                                        double confidence) {
  if (trials <= 0) return std::nullopt;
  const double n = static_cast<double>(trials);
  const double p = static_cast<double>(successes) / n;
  const double z = normal_quantile(1 - (1 - confidence) / 2);
  const double scale = 1 + z * z / n;
  const double middle = (p + z * z / (2 * n)) / scale;
  const double half = z / scale * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  // At these ends middle -+ half is 0 and 1 up to rounding.
  return Interval{successes == 0 ? 0 : middle - half, successes == trials ? 1 : middle + half};
}

}  // namespace ridge::stats
