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

/// Data of the page; borrows the loads, figures and validities of the evaluation.
EvaluationView report_view(const evaluation::Evaluation& evaluation);
std::string evaluation_report(const evaluation::Evaluation& evaluation);

}  // namespace ridge::report
