// SPDX-License-Identifier: Apache-2.0
// The results of an evaluation of one sample, for people: outputs, and the answer by its steps.
//
//   TriedPair pair;
//   TRY(add_results(evaluation, pair));
//
// Reads the files of --save-outputs that the evaluation names, and of labels. Errors: of these
// files and of the steps. Thread rule: pure but for files.
#pragma once

#include "base/result.h"
#include "evaluation/record/evaluation.h"
#include "lab/serve/trial/records.h"

namespace ridge::lab::serve {

/// The evaluation has a point, whose figures and outputs are taken.
Result<void> add_results(const evaluation::Evaluation& evaluation, TriedPair& pair);

}  // namespace ridge::lab::serve
