// SPDX-License-Identifier: Apache-2.0
// The log files of LoadGen 6.0.17, so that what reads them reads ours: mlperf_log_summary.txt,
// mlperf_log_detail.txt (":::MLLOG" and a JSON object a line) and mlperf_log_accuracy.json.
//
//   write_loadgen_summary(test, result, sink);
//   write_loadgen_detail(test, result, sink);
//   AccuracyLog log(sink);
//   log.add(sequence, sample, bytes); ... log.end();
//
// The keys are LoadGen's, except for token latencies. What only LoadGen itself has (its build,
// counters of its logger) is empty or 0, and the version says who wrote the file: this is never an
// MLPerf result. Ownership: the sink is borrowed. Thread rule: one thread. Cost: 10^6 samples take
// below a second.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/sink.h"
#include "scenario/loadgen_result.h"
#include "scenario/loadgen_settings.h"

namespace ridge::scenario {

struct LoadgenTest {
  LoadgenSettings settings;
  SampleCounts counts;
  LoadgenRun run;                     ///< measurements; not read in accuracy mode
  std::string writer;                 ///< "ridge 1.2"
  std::string sut_name, qsl_name;     ///< system under test, data set
  std::string date_time;              ///< "2026-11-26T13:27:29Z"
  std::string began, ended;           ///< "11-26-2026 13:27:29.292", as for power meters
  std::string end_reason;             ///< why it ended, if not by its length; may be empty
  std::vector<std::uint32_t> loaded;  ///< samples
  std::uint64_t generated_queries = 0, generated_samples_per_query = 1;
  std::int64_t generated_ns = 0;  ///< scheduled time after the last query
  std::uint64_t errors = 0, warnings = 0;
};

/// `result`: loadgen_result() of the test; not read in accuracy mode.
void write_loadgen_summary(const LoadgenTest& test, const LoadgenResult& result, Sink& sink);
void write_loadgen_detail(const LoadgenTest& test, const LoadgenResult& result, Sink& sink);

/// Outputs of samples as hexadecimal digits, in a JSON array.
class AccuracyLog {
 public:
  explicit AccuracyLog(Sink& sink);
  void add(std::uint64_t sequence, std::uint64_t sample, std::span<const std::byte> output);
  void end();

 private:
  Sink& sink_;
  std::string buffer_;
  bool any_ = false;
};

}  // namespace ridge::scenario
