// SPDX-License-Identifier: Apache-2.0
// LoadGen's accuracy log: of each sample what MLPerf's accuracy scripts read
// (evaluation/mlperf/predictions.h), or, where they have no form for the answer, the bytes of the
// sample's row of the first output.
//
//   OutputLog log(&request.data);
//   TRY(log.add(sequence, sample, {outputs, batch, row}));
//   log.difference(other);                 // how many outputs are not those of `other`
//   TRY(log.write("out/mlperf_log_accuracy.json"));
//
// Errors: input class, RIDGE-WB-0133: the first output has no row for each sample of a batch, or
// the log is larger than kMaxLogBytes; errors of the file. Thread rule: one thread. Memory: two
// bytes for each byte of output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>

#include "base/sink.h"
#include "evaluation/data/sample_source.h"
#include "evaluation/mlperf/audit.h"
#include "runtime/types.h"
#include "scenario/loadgen_logs.h"

namespace ridge::evaluation {

inline constexpr std::size_t kMaxLogBytes = std::size_t{2} << 30;

/// The place of a sample's output in those of a run.
struct OutputRow {
  const runtime::Outputs& outputs;
  std::uint64_t batch = 1, row = 0;
};

class OutputLog {
 public:
  /// `data`: what the samples are of; nullptr: outputs are logged, not predictions.
  explicit OutputLog(const EvaluationData* data = nullptr) : data_(data), log_(text_) {}
  OutputLog(const OutputLog&) = delete;
  OutputLog& operator=(const OutputLog&) = delete;

  Result<void> add(std::uint64_t sequence, std::uint64_t sample, const OutputRow& row);
  /// Compares outputs, not what is logged of them, with those of the same samples; a sample that is
  /// not in `other` differs.
  LoggedOutputs difference(const OutputLog& other) const;
  Result<void> write(const std::string& path);

 private:
  const EvaluationData* data_;
  StringSink text_;
  scenario::AccuracyLog log_;
  std::size_t bytes_ = 0;
  std::unordered_multimap<std::uint64_t, std::size_t> hashes_;  // by sample
};

}  // namespace ridge::evaluation
