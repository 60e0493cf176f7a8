// SPDX-License-Identifier: Apache-2.0
// Evaluations from documents, compared with the first of them.
//
//   const compare::EvaluationComparison c =
//       TRY(compare_documents({{"", "base.json"}, {"bgr", "bgr.json"}}));
//
// A document with several runtimes counts as several evaluations, in its order. Errors: those of
// reading the files (with their path), of evaluation_run.h and of evaluation_comparison.h. Thread
// rule: one thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compare/evaluation_comparison.h"

namespace ridge::evaluation {

struct EvaluationSource {
  std::string label;  ///< "": the name of the file without its ending
  std::string path;
};

Result<compare::EvaluationComparison> compare_documents(
    const std::vector<EvaluationSource>& sources);

}  // namespace ridge::evaluation
