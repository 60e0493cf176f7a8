// SPDX-License-Identifier: Apache-2.0
// Figures and validity of a performance run by the rules of LoadGen 6.0.17 (results.cc).
//
//   const LoadgenResult r = loadgen_result(settings, counts, run);
//   r.valid; r.text.early_stopping; r.percentiles[4].ns
//
// Percentiles are ascending[floor(n x p)], means are cut to whole nanoseconds, as there. Results by
// token are not computed. Thread rule: pure. Cost: O(n log n).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "scenario/loadgen_settings.h"

namespace ridge::scenario {

/// Measurements of a run.
struct LoadgenRun {
  std::vector<std::int64_t> sample_latencies_ns;  ///< from the scheduled time, in order of issue
  std::vector<std::int64_t> query_latencies_ns;   ///< MultiStream: of whole queries; else empty
  std::uint64_t queries = 0;                      ///< issued
  /// Times of the last query, from the start: scheduled, issued, all samples done.
  double last_scheduled_s = 0, last_issued_s = 0, last_done_s = 0;
};

struct LatencyFigures {
  std::int64_t min_ns = 0, max_ns = 0, mean_ns = 0;
  std::int64_t target_ns = 0;                 ///< at the target percentile
  std::array<std::int64_t, 6> percentiles{};  ///< at kLoadgenPercentiles
};

inline constexpr std::array<double, 6> kLoadgenPercentiles = {0.50, 0.90, 0.95, 0.97, 0.99, 0.999};

struct LoadgenResult {
  bool valid = false;
  bool bound_met = false, duration_met = false, queries_met = false, early_stopping_met = false;
  LatencyFigures samples, queries;    ///< queries: MultiStream alone
  std::uint64_t late = 0;             ///< Server: queries over the bound
  std::int64_t single_stream_ns = 0;  ///< early stopping's estimate; 0 if there is none
  std::int64_t multi_stream_ns = 0;   ///< estimate of the 99th percentile in SingleStream
  double rate = 0;                    ///< samples per second: with LoadGen's own time, as completed
  double rate_without_overhead = 0;   ///< SingleStream
  double scheduled_rate = 0;          ///< Server
  /// Sentences as LoadGen writes them, lines separated by LF; empty if there is nothing to say.
  std::string early_stopping_text, bound_advice, duration_advice;
};

LoadgenResult loadgen_result(const LoadgenSettings& settings, const SampleCounts& counts,
                             const LoadgenRun& run);

}  // namespace ridge::scenario
