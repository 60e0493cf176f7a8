// SPDX-License-Identifier: Apache-2.0
// Accuracy of a loaded model on data: every sample runs once, and its answer is compared with what
// is true, or its outputs with the first runtime's, or both.
//
//   const Judged judged = TRY(judge({{runtime, session, data}, asked, &record}));
//   judged.accuracy->top1->value, judged.divergence[0].figures.agreement
//
// Errors: as answers (pipeline/answer.h) and metrics (evaluation/answers/metrics.h), with the
// sample's name.
#pragma once

#include <optional>
#include <vector>

#include "evaluation/answers/output_divergence.h"
#include "evaluation/answers/output_files.h"
#include "evaluation/answers/outputs.h"
#include "evaluation/record/accuracy.h"

namespace ridge::evaluation {

struct Judging {
  LoadedModel loaded;
  const EvaluationData& asked;
  /// Outputs of the first runtime: filled if it has none, else compared with; nullptr: neither.
  OutputRecord* record = nullptr;
  OutputFilesWriter* files = nullptr;  ///< where the outputs are written; nullptr: nowhere
  std::size_t shown = 0;               ///< samples whose answer is kept as text
};

struct Judged {
  std::optional<Accuracy> accuracy;  ///< none for seeded samples
  std::vector<accuracy::OutputDivergence> divergence;
};

Result<Judged> judge(const Judging& of);

}  // namespace ridge::evaluation
