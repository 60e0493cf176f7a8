// SPDX-License-Identifier: Apache-2.0
#include "scenario/loadgen_audit.h"

#include <algorithm>

namespace ridge::scenario {
namespace {

/// Samples that the settings lead to expect.
double expected(const LoadgenSettings& settings, const LoadgenEffective& used) {
  const bool offline = settings.scenario == LoadgenScenario::kOffline;
  const auto per_query = static_cast<double>(used.samples_per_query);
  const auto by_rate = static_cast<double>(static_cast<std::uint64_t>(
      std::min(used.target_qps * static_cast<double>(used.min_duration_ms) / 1000, 1e18)));
  const double least = offline ? static_cast<double>(used.min_sample_count)
                               : static_cast<double>(used.min_query_count) * per_query;
  return std::max(offline ? by_rate : by_rate * per_query, least);
}

}  // namespace

LoggedSamples::LoggedSamples(const LoadgenSettings& settings, const SampleCounts& counts)
    : probability_(settings.accuracy_log_probability) {
  std::mt19937 random(static_cast<std::mt19937::result_type>(settings.accuracy_log_rng_seed));
  offset_ = std::uniform_real_distribution<double>(0, 1)(random);
  if (settings.accuracy_log_sampling_target > 0)
    probability_ = static_cast<double>(settings.accuracy_log_sampling_target) /
                   expected(settings, effective(settings, counts));
  if (settings.mode == LoadgenMode::kAccuracy) probability_ = 1;
}

bool LoggedSamples::next() {
  const double sum = std::uniform_real_distribution<double>(0, 1)(random_) + offset_;
  return (sum < 1 ? sum : sum - 1) <= probability_;
}

}  // namespace ridge::scenario
