// SPDX-License-Identifier: Apache-2.0
// Origins of samples for evaluations: images and texts in a folder, elements of an array, lines
// (evaluation/data/data.h states which), each made into inputs of a model.
//
//   const std::unique_ptr<DataSource> source =
//       TRY(open_source(data, TRY(find_files(data)), HashFiles::kNo));
//   TRY(source->read(3, targets, memory_of_each, spans));
//
// Errors as in evaluation/data/data.h. Thread rule: one thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/hash/hashed_text.h"
#include "base/result.h"
#include "evaluation/data/data_files.h"
#include "evaluation/data/data_request.h"
#include "evaluation/data/data_source.h"

namespace ridge::evaluation {

/// Reads the files that steps name: of tokens(FILE), and of labels(FILE) after the run. Returns
/// their hashes.
Result<FileHashes> read_step_files(EvaluationData& data);
/// Names of the model's classes, from labels(FILE) among the steps after the run; empty without.
std::vector<std::string> class_labels(const EvaluationData& data);

/// `files`: found by find_files(data).
Result<std::unique_ptr<DataSource>> open_source(const EvaluationData& data, DataFiles files,
                                                HashFiles hash);

}  // namespace ridge::evaluation
