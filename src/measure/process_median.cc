#include "measure/process_median.h"

#include <limits>
#include <optional>

#include "stats/block_median.h"

namespace ridge::measure {

profile::Estimate estimate_of(const std::vector<std::vector<double>>& processes) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const stats::BlockMedian median(processes);
  const std::optional<stats::Interval> ci = median.interval(0.95);
  return {median.value(), ci ? ci->lo : kUnknown, ci ? ci->hi : kUnknown};
}

profile::Estimate estimate_of_times(const std::vector<std::vector<double>>& processes) {
  profile::Estimate out = estimate_of(processes);
  if (out.low < 0) out.low = 0;
  return out;
}

}  // namespace ridge::measure
