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

namespace ridge::workbench {

inline constexpr std::uint64_t kOutputRuns = 10;
/// Outputs farther apart than this part of their largest element are not the same up to rounding.
inline constexpr double kMostDifference = 1e-4;

/// Difference of the float32 outputs that both have, matched by name, over kOutputRuns seeded
/// inputs. Errors: RIDGE-WB-0090 (input class) if there are none.
Result<advice::OutputDifference> compare_outputs(const measure::Column& before,
                                                 const measure::Column& after);

/// Measures both in turns, without profiling.
Result<advice::Check> check_change(const measure::Column& before, const measure::Column& after,
                                   const std::optional<profile::Estimate>& predicted);

/// Compares outputs and then measures. A lossless change whose outputs differ is not measured; one
/// that the runtime refuses is not judged.
advice::Check check_finding(const measure::Column& before, const measure::Column& after,
                            const std::optional<profile::Estimate>& predicted, bool lossless);

}  // namespace ridge::workbench
