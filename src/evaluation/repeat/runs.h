// SPDX-License-Identifier: Apache-2.0
// The runs of an evaluation, one for each of its runtimes, as comparisons take them.
//
//   for (compare::EvaluationRun& run : TRY(runs_of(TRY(read_evaluation(text)), "base"))) ...
//
// Errors: input class, RIDGE-CMP-0020, for a document whose lists by sample do not fit each other,
// or without a runtime. Thread rule: pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compare/evaluation_run.h"
#include "evaluation/record/evaluation.h"

namespace ridge::evaluation {

/// Hint for files that are no such document.
inline constexpr std::string_view kHowToWrite =
    "write it with: ridge eval MODEL --format json --output FILE";

/// `name` labels the runs; those of an evaluation with several runtimes have that of their runtime
/// too.
Result<std::vector<compare::EvaluationRun>> runs_of(Evaluation evaluation, const std::string& name);

}  // namespace ridge::evaluation
