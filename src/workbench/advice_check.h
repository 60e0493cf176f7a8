// Measures a model before and after a change of it or of its options, in turns, and compares
// outputs.
//
//   const measure::Column before{&resolved, request}, after{&better, request};
//   const advice::OutputDifference d = TRY(compare_outputs(before, after));
//   const advice::Check check = TRY(check_change(before, after, predicted));
//
// Errors: those of the runtime. Thread rule: one thread.
#pragma once

#include <optional>

#include "advice/advice.h"
#include "base/result.h"
#include "measure/request.h"
#include "workbench/compare_outputs.h"

namespace ridge::workbench {

/// Measures both in turns, without profiling.
Result<advice::Check> check_change(const measure::Column& before, const measure::Column& after,
                                   const std::optional<profile::Estimate>& predicted);

/// Compares outputs and then measures. A change whose outputs differ though they are expected to
/// stay is not measured; one that the runtime refuses is not judged.
advice::Check check_finding(const measure::Column& before, const measure::Column& after,
                            const std::optional<profile::Estimate>& predicted, Expected expected);

}  // namespace ridge::workbench
