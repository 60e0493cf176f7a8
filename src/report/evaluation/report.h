// SPDX-License-Identifier: Apache-2.0
// The page of an evaluation (report/evaluation/page.h).
//
//   const std::string html = evaluation_report(evaluation);
//
// Thread rule: pure. Cost: O(n log n) in the queries.
#pragma once

#include <string>

#include "evaluation/record/evaluation.h"
#include "report/evaluation/view.h"

namespace ridge::report {

/// The evaluation with what is computed of it for the page.
EvaluationView report_view(const evaluation::Evaluation& evaluation);
std::string evaluation_report(const evaluation::Evaluation& evaluation);

}  // namespace ridge::report
