// SPDX-License-Identifier: Apache-2.0
#include "measure/process_median.h"

#include <limits>
#include <optional>

#include "stats/block_median.h"

namespace ridge::measure {

stats::Estimate estimate_of(const std::vector<std::vector<double>>& processes) {
  const stats::BlockMedian median(processes);
  return {median.value(), median.interval(0.95)};
}

stats::Estimate estimate_of_times(const std::vector<std::vector<double>>& processes) {
  stats::Estimate out = estimate_of(processes);
  if (out.low() < 0) out.interval->lo = 0;
  return out;
}

}  // namespace ridge::measure
