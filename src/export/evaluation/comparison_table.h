// SPDX-License-Identifier: Apache-2.0
// A comparison of evaluations for human readers, and as CSV: a row for each run against the
// baseline, and the changed samples by name.
#pragma once

#include <cstddef>

#include "base/sink.h"
#include "compare/evaluation_comparison.h"

namespace ridge::exports {

struct EvaluationComparisonPage {
  std::size_t top = 20;  ///< changed samples of each run; 0: all
};

void write_evaluation_comparison_text(const compare::EvaluationComparison& comparison,
                                      const EvaluationComparisonPage& page, Sink& sink);
void write_evaluation_comparison_markdown(const compare::EvaluationComparison& comparison,
                                          const EvaluationComparisonPage& page, Sink& sink);
/// A row for each changed sample of each run.
void write_evaluation_comparison_csv(const compare::EvaluationComparison& comparison, Sink& sink);

}  // namespace ridge::exports
