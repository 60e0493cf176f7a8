// SPDX-License-Identifier: Apache-2.0
// Columns of a comparison (models to measure in turns, earlier runs, or a model beside them), and
// their comparison.
//
//   const Compared compared = TRY(compare_sources(
//       {.runs = {"model.onnx"}, .spec = {.runtimes = {"ort", "openvino"}}}, {}, environment));
//
// Thread rule: one thread.
#pragma once

#include "base/result.h"
#include "compare/comparison.h"
#include "session/compare_sources.h"
#include "session/environment.h"

namespace ridge::session {

/// Loads the runs and measures the models. A model given together with runs uses the runtime, sizes
/// and threads of the first run where the spec has none; this is reported to the notices.
Result<Columns> columns_of(const CompareSources& sources, const Environment& environment);

struct Compared {
  compare::Comparison comparison;
  bool complete = true;  ///< false: a column could not be measured (reported to the notices)
};

/// Compares the columns of columns_of, labeled by label_columns. Errors: as columns_of,
/// label_columns and compare::compare_runs.
Result<Compared> compare_sources(const CompareSources& sources, double threshold,
                                 const Environment& environment);

}  // namespace ridge::session
