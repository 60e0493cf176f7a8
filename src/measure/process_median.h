// SPDX-License-Identifier: Apache-2.0
// Medians over the runs of several processes, with intervals.
//
//   const stats::Estimate e = estimate_of({{3.1, 3.0}, {3.4, 3.2}});   // [process][run]
//
// Thread rule: pure functions.
#pragma once

#include <vector>

#include "profile/profile.h"

namespace ridge::measure {

/// Median over the runs of all processes with its 95 % interval, which accounts for differences
/// between processes (stats/block_median.h); no interval (NaN) for fewer than six runs.
stats::Estimate estimate_of(const std::vector<std::vector<double>>& processes);
/// For quantities that cannot be negative: cuts the interval at 0.
stats::Estimate estimate_of_times(const std::vector<std::vector<double>>& processes);

}  // namespace ridge::measure
