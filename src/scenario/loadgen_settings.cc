// SPDX-License-Identifier: Apache-2.0
#include "scenario/loadgen_settings.h"

#include <algorithm>

namespace ridge::scenario {
namespace {

void take_scenario(const LoadgenSettings& asked, LoadgenEffective& out) {
  constexpr double kNanos = 1e9;
  out.max_async_queries = 1;
  switch (asked.scenario) {
    case LoadgenScenario::kSingleStream:
      out.target_qps = kNanos / asked.single_stream_expected_latency_ns;
      out.target_latency_percentile = asked.single_stream_target_latency_percentile;
      break;
    case LoadgenScenario::kMultiStream:
      out.target_qps = kNanos / asked.multi_stream_expected_latency_ns;
      out.target_latency_percentile = asked.multi_stream_target_latency_percentile;
      out.samples_per_query = asked.multi_stream_samples_per_query;
      break;
    case LoadgenScenario::kServer:
      if (asked.server_target_qps >= 0) out.target_qps = asked.server_target_qps;
      out.target_latency_ns = asked.server_target_latency_ns;
      out.target_latency_percentile = asked.server_target_latency_percentile;
      out.max_async_queries = asked.server_max_async_queries;
      break;
    case LoadgenScenario::kOffline:
      if (asked.offline_expected_qps >= 0) out.target_qps = asked.offline_expected_qps;
      out.target_latency_percentile = 0.99;
      break;
  }
}

/// The number that a product of a duration and a rate becomes; huge ones are limited.
std::uint64_t whole_queries(double queries) {
  return static_cast<std::uint64_t>(std::clamp(queries, 0.0, 1e18));
}

}  // namespace

std::string_view name(LoadgenScenario scenario) {
  switch (scenario) {
    case LoadgenScenario::kSingleStream:
      return "SingleStream";
    case LoadgenScenario::kMultiStream:
      return "MultiStream";
    case LoadgenScenario::kServer:
      return "Server";
    case LoadgenScenario::kOffline:
      return "Offline";
  }
  return "";
}

std::string_view name(LoadgenMode mode) {
  switch (mode) {
    case LoadgenMode::kSubmission:
      return "SubmissionRun";
    case LoadgenMode::kAccuracy:
      return "AccuracyOnly";
    case LoadgenMode::kPerformance:
      return "PerformanceOnly";
    case LoadgenMode::kFindPeak:
      return "FindPeakPerformance";
  }
  return "";
}

LoadgenEffective effective(const LoadgenSettings& asked, const SampleCounts& counts) {
  LoadgenEffective out;
  out.scenario = asked.scenario;
  out.mode = asked.mode;
  out.target_duration_ms = out.min_duration_ms = asked.min_duration_ms;
  out.max_duration_ms = asked.max_duration_ms;
  out.min_query_count = asked.min_query_count;
  out.max_query_count = asked.max_query_count;
  take_scenario(asked, out);
  const auto otherwise = [](std::uint64_t set, std::uint64_t usual) {
    return set > 0 ? set : usual;
  };
  out.performance_sample_count =
      otherwise(asked.performance_sample_count_override, counts.performance);
  out.accuracy_sample_count = otherwise(asked.accuracy_sample_count_override, counts.total);
  const double expected = static_cast<double>(out.target_duration_ms) / 1000 * out.target_qps;
  if (asked.scenario == LoadgenScenario::kOffline) {
    // One query of all samples, a tenth more than the rate asks for.
    const std::uint64_t samples =
        whole_queries(1.1 * (static_cast<double>(out.target_duration_ms) / 1000) * out.target_qps);
    out.samples_per_query = asked.performance_issue_unique ? out.performance_sample_count
                                                           : std::max(out.min_query_count, samples);
    out.min_query_count = 1;
    out.target_duration_ms = 0;
  }
  if (asked.sample_concatenate_permutation && counts.performance > 0 &&
      asked.scenario == LoadgenScenario::kSingleStream) {
    // Twice what the latency asks for, then up to the next multiple of the data set (a whole one
    // more if it is a multiple already).
    out.min_query_count = std::max(out.min_query_count, whole_queries(2 * expected));
    out.min_query_count += counts.performance - out.min_query_count % counts.performance;
  }
  out.min_sample_count = out.min_query_count * out.samples_per_query;
  return out;
}

}  // namespace ridge::scenario
