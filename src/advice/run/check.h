// SPDX-License-Identifier: Apache-2.0
// Measures a model before and after a change of it or of its options, in turns, and compares
// outputs.
//
//   const measure::Column before{&resolved, request}, after{&better, request};
//   const OutputDifference d = TRY(compare_outputs(before, after));
//   const Check check = TRY(check_change(before, after, predicted));
//
// Errors: the runtime's. Thread rule: one thread.
#pragma once

#include <optional>

#include "advice/outputs/comparison.h"
#include "advice/record/advice.h"
#include "base/result.h"
#include "measure/request.h"

namespace ridge::advice {

/// Measures both in turns, without profiling.
Result<Check> check_change(const measure::Column& before, const measure::Column& after,
                           const std::optional<stats::Estimate>& predicted);

/// Compares outputs and then measures. A change whose outputs differ though they are expected to
/// stay is not measured; one that the runtime refuses is not judged.
Check check_finding(const measure::Column& before, const measure::Column& after,
                    const std::optional<stats::Estimate>& predicted, Expected expected);

}  // namespace ridge::advice
