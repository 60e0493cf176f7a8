// Columns of a comparison: runs that were measured before, a model that is measured now in several
// ways, or such a model beside runs of it; and the comparison of them.
//
//   const Compared compared = TRY(compare_sources(
//       {.runs = {"model.onnx"}, .spec = {.runtimes = {"ort", "openvino"}}}, {}, environment));
//
// Thread rule: one thread.
#pragma once

#include "base/result.h"
#include "compare/comparison.h"
#include "workbench/compare_sources.h"
#include "workbench/environment.h"

namespace ridge::workbench {

/// Measures and loads. A model beside runs is measured as the first of them was where the spec does
/// not say otherwise: in its runtime, at its sizes, with its threads; the notices report that.
Result<Columns> columns_of(const CompareSources& sources, const Environment& environment);

struct Compared {
  compare::Comparison comparison;
  bool whole = true;  ///< false: a column could not be measured (reported to the notices)
};

/// The comparison of those columns, each with its label. Errors: those of columns_of and
/// compare::compare_runs; usage class: a label of no run.
Result<Compared> compare_sources(const CompareSources& sources, double threshold,
                                 const Environment& environment);

}  // namespace ridge::workbench
