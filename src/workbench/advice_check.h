// Measures a model and its edited copy in turns, and compares their outputs.
//
//   const advice::Check check = TRY(check_edit(bench, point, resolved, better, predicted));
//
// Outputs: of both in one process, over kOutputRuns seeded inputs. Errors: those of the runtime.
// Thread rule: one thread.
#pragma once

#include <optional>

#include "advice/advice.h"
#include "analysis/resolved.h"
#include "workbench/workbench.h"

namespace ridge::workbench {

inline constexpr std::uint64_t kOutputRuns = 10;
/// Outputs farther apart than this part of their largest element are not the same up to rounding.
inline constexpr double kMostDifference = 1e-4;

/// Outputs that both models have, matched by name. Errors: RIDGE-WB-0090 (input class) if an output
/// of the model is not a number.
Result<advice::OutputDifference> compare_outputs(const Workbench& bench, const Point& point,
                                                 const analysis::Resolved& before,
                                                 const analysis::Resolved& after);

Result<advice::Check> check_edit(const Workbench& bench, const Point& point,
                                 const analysis::Resolved& before, const analysis::Resolved& after,
                                 const std::optional<profile::Estimate>& predicted);

}  // namespace ridge::workbench
