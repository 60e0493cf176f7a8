// SPDX-License-Identifier: Apache-2.0
#include "stats/blocks.h"

#include <algorithm>

#include "stats/normal.h"

namespace ridge::stats {

Interval drawn_interval(double point, std::vector<double> draws, double blocks) {
  if (draws.empty()) return {point, point};
  constexpr double kTail = 0.025, kMinFreedom = 4;
  std::sort(draws.begin(), draws.end());
  const double wider =
      student_quantile(1 - kTail, std::max(kMinFreedom, blocks - 1)) / normal_quantile(1 - kTail);
  return {point - wider * std::max(0.0, point - quantile_of_sorted(draws, kTail)),
          point + wider * std::max(0.0, quantile_of_sorted(draws, 1 - kTail) - point)};
}

}  // namespace ridge::stats
