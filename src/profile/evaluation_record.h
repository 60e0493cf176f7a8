// SPDX-License-Identifier: Apache-2.0
// An evaluation of a model in one runtime, as the store keeps it: its document, and the facts by
// which it is listed and found again. Plain data; evaluation/run/recorder.h writes and reads
// the document.
//
//   EvaluationRecord record{.point = key, .model = "net.onnx", .scenario = "server"};
//   record.document = text;                            // ridge.evaluation/1 of this point alone
//   if (TRY(store.append(record))) ...
//
// An unknown figure is NaN, never 0. Thread rule: value types.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "stats/estimate.h"

namespace ridge::profile {

struct EvaluationRecord {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  std::int64_t recorded_s = 0;  ///< seconds since 1970, UTC
  /// Hash of everything that the evaluation depends on; "" for one that is to be evaluated again:
  /// it was interrupted, or its runtime ended.
  std::string point;
  std::string model;         ///< as given
  std::string model_sha256;  ///< hash of the file, or of the structure of a zoo network
  std::string data;          ///< as given; "" for seeded samples
  std::string scenario;      ///< "server", "accuracy"
  std::string runtime, runtime_version, ridge_version;
  std::uint32_t threads = 1;
  std::string host;
  /// Queries that were recorded, and those of them that the runtime rejected; none for accuracy
  /// alone.
  std::optional<std::int64_t> queries, failed_queries;
  stats::Estimate queries_per_s{.value = kNone};  ///< completed
  stats::Estimate median_ns{.value = kNone};      ///< latency of a query
  double p99_ns = kNone;
  stats::Estimate top1{.value = kNone};  ///< share of samples that are right
  std::string validity;                  ///< "valid", "invalid", "undecided"
  std::string document;
};

}  // namespace ridge::profile
