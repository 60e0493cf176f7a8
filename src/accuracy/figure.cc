// SPDX-License-Identifier: Apache-2.0
#include "accuracy/figure.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/proportion.h"
#include "stats/random.h"

namespace ridge::accuracy {
namespace {

/// Values of the statistic for resamples, those that are finite.
std::vector<double> replicates(std::size_t samples, const Statistic& statistic,
                               const stats::BootstrapOptions& options, int resamples) {
  stats::Random random(options.seed);
  std::vector<double> found;
  std::vector<std::uint32_t> drawn(samples);
  for (int i = 0; i < resamples; ++i) {
    std::fill(drawn.begin(), drawn.end(), 0);
    for (std::size_t n = 0; n < samples; ++n) ++drawn[random.below(samples)];
    const double value = statistic(drawn);
    if (std::isfinite(value)) found.push_back(value);
  }
  return found;
}

}  // namespace

Figure resampled(std::size_t samples, const Statistic& statistic,
                 const stats::BootstrapOptions& options) {
  Figure figure;
  figure.samples = static_cast<std::int64_t>(samples);
  if (samples == 0) return figure;
  figure.value = statistic({});
  if (!std::isfinite(figure.value)) return figure;
  const int resamples = std::max(options.resamples, 1);
  std::vector<double> values = replicates(samples, statistic, options, resamples);
  if (static_cast<double>(values.size()) < 0.95 * resamples) return figure;
  std::sort(values.begin(), values.end());
  const double tail = (1 - options.confidence) / 2;
  figure.interval = {std::min(stats::quantile_of_sorted(values, tail), figure.value),
                     std::max(stats::quantile_of_sorted(values, 1 - tail), figure.value)};
  return figure;
}

Figure mean_figure(std::span<const double> values, const stats::BootstrapOptions& options) {
  const auto mean = [values](Weights weights) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint32_t weight = weight_of(weights, i);
      if (weight > 0) sum += weight * values[i];
    }
    return sum / static_cast<double>(values.size());
  };
  return resampled(values.size(), mean, options);
}

Figure proportion(std::int64_t successes, std::int64_t trials, double confidence) {
  if (trials <= 0) return {};
  return {static_cast<double>(successes) / static_cast<double>(trials),
          stats::wilson_interval(successes, trials, confidence), trials};
}

}  // namespace ridge::accuracy
