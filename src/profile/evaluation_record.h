// SPDX-License-Identifier: Apache-2.0
// An evaluation of a model in one runtime, as the store keeps it: its document, and the facts by
// which it is listed and found again. A generation of tokens is kept likewise, as another kind.
// Plain data; evaluation/run/recorder.h and generation/recorder.h write and read the documents.
//
//   EvaluationRecord record{.point = key, .model = "net.onnx", .scenario = "server"};
//   record.document = text;                            // ridge.evaluation/1 of this point alone
//   if (TRY(store.append(record))) ...
//
// An unknown figure is NaN, never 0. Thread rule: value types.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "base/words.h"
#include "stats/estimate.h"

namespace ridge {
namespace profile {

enum class EvaluationKind : std::uint8_t {
  kEvaluation,  ///< queries to a model, its answers judged
  kGeneration,  ///< requests for tokens to a decoder
};

struct EvaluationRecord {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  EvaluationKind kind = EvaluationKind::kEvaluation;
  std::int64_t recorded_s = 0;  ///< seconds since 1970, UTC
  /// Hash of everything that the evaluation depends on; "" for one that is to be evaluated again:
  /// it was interrupted, or its runtime ended.
  std::string point;
  std::string key;           ///< key of its point in a request (session/point_choice.h)
  std::string model;         ///< as given
  std::string model_sha256;  ///< hash of the file, or of the structure of a zoo network
  std::string data;          ///< as given; "" for seeded samples
  std::string scenario;      ///< "server", "accuracy"; "prompt 128, tokens 64" of a generation
  std::string runtime, runtime_version, ridge_version;
  std::uint32_t threads = 1;
  std::string host;
  /// Queries (requests of a generation) that were recorded, and those of them that failed; none for
  /// accuracy alone.
  std::optional<std::int64_t> queries, failed_queries;
  stats::Estimate queries_per_s{.value = kNone};  ///< completed
  stats::Estimate median_ns{.value = kNone};      ///< latency of a query
  double p99_ns = kNone;
  stats::Estimate top1{.value = kNone};  ///< share of samples that are right
  /// Figures of a generation: tokens of all requests, medians of the time to the first token and
  /// of the time per token after it.
  stats::Estimate tokens_per_s{.value = kNone}, first_token_ns{.value = kNone},
      per_token_ns{.value = kNone};
  std::string validity;  ///< "valid", "invalid", "undecided"
  std::string document;
};

inline constexpr std::array kEvaluationKinds = {EvaluationKind::kEvaluation,
                                                EvaluationKind::kGeneration};

}  // namespace profile

template <>
struct Words<profile::EvaluationKind> {
  using Kind = profile::EvaluationKind;
  static constexpr std::array list{Word{Kind::kEvaluation, "evaluation"},
                                   Word{Kind::kGeneration, "generation"}};
};

}  // namespace ridge
