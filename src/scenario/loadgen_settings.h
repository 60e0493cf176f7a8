// SPDX-License-Identifier: Apache-2.0
// Settings of a test as MLPerf's LoadGen 6.0.17 has them, and what follows from them, as in
// test_settings.h and test_settings_internal.cc of github:mlcommons/inference. Names and defaults
// are LoadGen's.
//
//   LoadgenSettings asked = TRY(read_user_conf(text, "resnet50", scenario));   // loadgen_config.h
//   const LoadgenEffective used = effective(asked, {total, performance});
//
// Plain data, no thread rule.
#pragma once

#include <cstdint>
#include <string_view>

namespace ridge::scenario {

enum class LoadgenScenario : std::uint8_t { kSingleStream, kMultiStream, kServer, kOffline };
enum class LoadgenMode : std::uint8_t { kSubmission, kAccuracy, kPerformance, kFindPeak };

/// "SingleStream", "PerformanceOnly", as in configuration files and logs.
std::string_view name(LoadgenScenario scenario);
std::string_view name(LoadgenMode mode);

struct LoadgenSettings {
  LoadgenScenario scenario = LoadgenScenario::kSingleStream;
  LoadgenMode mode = LoadgenMode::kPerformance;

  double single_stream_expected_latency_ns = 1e6, single_stream_target_latency_percentile = 0.90;
  double multi_stream_expected_latency_ns = 8e6, multi_stream_target_latency_percentile = 0.99;
  std::uint64_t multi_stream_samples_per_query = 8;
  double server_target_qps = 1;
  std::uint64_t server_target_latency_ns = 100'000'000;
  double server_target_latency_percentile = 0.99;
  bool server_coalesce_queries = false;
  std::uint64_t server_max_async_queries = 0;  ///< 0: no limit
  double offline_expected_qps = 1;
  bool sample_concatenate_permutation = false;  ///< "equal issue"

  std::uint64_t min_duration_ms = 10'000, max_duration_ms = 0;  ///< 0: no limit
  std::uint64_t min_query_count = 100, max_query_count = 0;     ///< 0: no limit
  std::uint64_t qsl_rng_seed = 0, sample_index_rng_seed = 0, schedule_rng_seed = 0;
  std::uint64_t accuracy_log_rng_seed = 0;
  double accuracy_log_probability = 0;
  std::uint64_t accuracy_log_sampling_target = 0;
  bool print_timestamps = false;
  bool performance_issue_unique = false, performance_issue_same = false;
  std::uint64_t performance_issue_same_index = 0;
  std::uint64_t performance_sample_count_override = 0, accuracy_sample_count_override = 0;
  bool use_token_latencies = false;
  std::uint64_t server_ttft_latency = 100'000'000, server_tpot_latency = 100'000'000;

  bool operator==(const LoadgenSettings&) const = default;
};

/// Numbers of samples of the data set, and of those that are loaded at the same time.
struct SampleCounts {
  std::uint64_t total = 0, performance = 0;
};

/// Settings in use, once the scenario's settings are chosen.
struct LoadgenEffective {
  LoadgenScenario scenario = LoadgenScenario::kSingleStream;
  LoadgenMode mode = LoadgenMode::kPerformance;
  std::uint64_t samples_per_query = 1;
  double target_qps = 1;
  std::uint64_t target_latency_ns = 0;
  double target_latency_percentile = 0;
  std::uint64_t max_async_queries = 0;
  std::uint64_t target_duration_ms = 0, min_duration_ms = 0, max_duration_ms = 0;
  std::uint64_t min_query_count = 0, max_query_count = 0, min_sample_count = 0;
  std::uint64_t performance_sample_count = 0, accuracy_sample_count = 0;
};

LoadgenEffective effective(const LoadgenSettings& asked, const SampleCounts& counts);

}  // namespace ridge::scenario
