// The page of an evaluation (report/evaluation_page.h).
//
//   const std::string html = evaluation_report(evaluation);
//
// Thread rule: pure. Cost: O(n log n) in the queries.
#pragma once

#include <string>

#include "report/evaluation_view.h"
#include "workbench/evaluated.h"

namespace ridge::workbench {

/// Data of the page; borrows the loads, figures and validities of the evaluation.
report::EvaluationView report_view(const Evaluation& evaluation);
std::string evaluation_report(const Evaluation& evaluation);

}  // namespace ridge::workbench
