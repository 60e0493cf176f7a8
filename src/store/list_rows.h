// SPDX-License-Identifier: Apache-2.0
// Rows of the lists of a run database. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/evaluation_record.h"
#include "profile/profile.h"

namespace ridge::store {

using RunId = std::int64_t;
using EvaluationId = std::int64_t;

struct Appended {
  RunId id = 0;
  bool added = false;  ///< false: the store already had it, as `id`
};

/// Data stored with a profile.
struct Stamp {
  std::int64_t recorded_s = 0;  ///< seconds since 1970, UTC
  std::string point;            ///< key of the requested point (session/workbench.h), or ""
  std::string fitness;          ///< state of the host then: JSON of machine/fitness.h, or ""
};

/// Summary of a run, for lists.
struct RunRow {
  RunId id = 0;
  std::int64_t recorded_s = 0;
  std::string kind, path, graph_hash, runtime, runtime_version, ridge_version, point, content;
  std::string machine;  ///< host, processor, number of processors; "" where not recorded
  std::string sizes;    ///< "batch=8, sequence=128"
  std::string threads;  ///< threads of the runtime; "" where not recorded
  std::int64_t batch = 1;
  stats::Estimate latency_ns;  ///< NaN where not recorded, as items_per_s
  double items_per_s = 0;
  std::int64_t layers = 0;
};

/// A point that could not be measured. A later failure of the same model, point and runtime
/// replaces it.
struct Failure {
  std::int64_t recorded_s = 0;
  std::string path, label, runtime;  ///< as requested: "zoo:vgg16", "batch=4, 2 threads", "ort"
  std::string error;
};

/// An evaluation without its document, for lists.
struct EvaluationRow {
  EvaluationId id = 0;
  profile::EvaluationRecord record;
};

/// A generation without its document.
struct GenerationRow : EvaluationRow {};

/// Results of one machine in one runtime.
struct HostRow {
  std::string machine;  ///< host, processor, number of processors; "" where not recorded
  std::string runtime, runtime_version;
  std::int64_t runs = 0, evaluations = 0, models = 0;
  std::int64_t last_s = 0;  ///< when the last result was kept, seconds since 1970 (UTC)
};

/// Place of some rows in a list whose newest is first.
struct Window {
  std::int64_t limit = 100, offset = 0;
};

/// Rows of a window, and how many there are without it.
template <typename Row>
struct Windowed {
  std::int64_t total = 0;
  std::vector<Row> rows;
};

}  // namespace ridge::store
