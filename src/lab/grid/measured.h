// SPDX-License-Identifier: Apache-2.0
// The measured runs and the evaluations of a store, with the facts by which a grid places them.
//
//   const Measured measured = TRY(read_measured(store, only));
//   for (const MeasuredRun& run : measured.runs) ... fact(run.facts, Key::kHost) ...
//
// Errors: the store's. Ownership: values. Thread rule: as the store. Cost: as read_grid().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/grid/keys.h"
#include "store/run_filter.h"
#include "store/store.h"

namespace ridge::lab {

struct MeasuredRun {
  store::RunId id = 0;
  std::int64_t recorded_s = 0, batch = 1;
  KeyFacts facts;
  std::string setting_key;  ///< equal for runs that differ in their batch alone
  std::vector<std::vector<double>> processes_ns;
  std::optional<std::int64_t> params;
};

struct MeasuredEvaluation {
  store::EvaluationId id = 0;
  std::int64_t recorded_s = 0;
  KeyFacts facts;
};

struct Measured {
  std::vector<MeasuredRun> runs;                ///< oldest first
  std::vector<MeasuredEvaluation> evaluations;  ///< complete ones, oldest first
  std::int64_t stored = 0;                      ///< runs and evaluations of any kind in the store
};

Result<Measured> read_measured(const store::Store& store, const store::RunFilter& only);

/// Facts but those of `keys`, as people tell settings apart: "ONNX Runtime 1.20.1, 2 threads".
std::string setting_text(const KeyFacts& facts, const std::vector<Key>& keys);

}  // namespace ridge::lab
