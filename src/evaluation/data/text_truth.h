// SPDX-License-Identifier: Apache-2.0
// Texts that are true of samples: lines NAME,TEXT, or a line for each sample in their order.
//
//   const TextTruth truth = TRY(read_text_truth({path, names, labels, Whole::kYes}));
//   truth.texts[3]                                       // all that are accepted, at least one
//
// Which of both a file is, all of its lines say. NAME is as in sample_names.h, the separator a
// comma, a tab or a blank, the same in all lines. Lines with names are a file's if they name every
// sample and every line has a separator; lines of other names are noted. A file without any name
// has a line for each sample. A file in between is refused: some lines name samples and others do
// not, the names are those of no sample, or there are more lines than samples (with --limit, fewer
// are taken). Errors: input class, RIDGE-WB-0118, with file and line.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "evaluation/data/ground_truth.h"

namespace ridge::evaluation {

struct TextTruth {
  std::vector<std::vector<std::string>> texts;  ///< accepted ones of each sample
  std::vector<std::string> notes;
};

Result<TextTruth> read_text_truth(const TruthSource& source);

/// Refuses two texts of one sample, of which a metric would take the first alone.
Result<void> check_single(const TextTruth& truth, const TruthSource& source);

}  // namespace ridge::evaluation
