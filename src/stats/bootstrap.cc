// SPDX-License-Identifier: Apache-2.0
#include "stats/bootstrap.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "stats/random.h"

namespace ridge::stats {

Estimate percentile_bootstrap(std::span<const double> values, Statistic statistic,
                              const BootstrapOptions& options) {
  if (values.empty()) return {.value = std::numeric_limits<double>::quiet_NaN()};
  const double point = statistic(values);
  Random random(options.seed);
  std::vector<double> replicates(static_cast<std::size_t>(std::max(options.resamples, 1)));
  std::vector<double> drawn(values.size());
  for (double& replicate : replicates) {
    for (double& d : drawn) d = values[random.below(values.size())];
    replicate = statistic(drawn);
  }
  std::sort(replicates.begin(), replicates.end());
  const double tail = (1 - options.confidence) / 2;
  return {point,
          Interval{std::min(quantile_of_sorted(replicates, tail), point),
                   std::max(quantile_of_sorted(replicates, 1 - tail), point)},
          static_cast<std::int64_t>(values.size())};
}

}  // namespace ridge::stats
