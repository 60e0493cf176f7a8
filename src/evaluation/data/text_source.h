// SPDX-License-Identifier: Apache-2.0
// Texts as samples of models: files of a folder, or the lines of a file, made into integers by a
// step bytes(...) or tokens(...).
//
//   const std::unique_ptr<DataSource> source =
//       TRY(open_texts(data, TRY(find_files(data)), HashFiles::kNo));
//
// A model of one input gets the bytes or the ids of the tokens. One of several gets what the step
// names for them (text/token_step.h). Elements are int32, int64 or float32.
//
// Errors (input class): RIDGE-WB-0111 an input of another type or length, or that the step does not
// name; those of text/tokenizer.h. Thread rule: one thread.
#pragma once

#include <memory>

#include "base/result.h"
#include "evaluation/data/data_files.h"
#include "evaluation/data/data_source.h"

namespace ridge::evaluation {

/// Bytes that a sample may have.
inline constexpr std::int64_t kMostTextBytes = std::int64_t{16} << 20;

/// True for data of which the steps take texts.
bool is_text(const EvaluationData& data);

/// Reads the file that the step names, and returns its hash.
Result<std::string> read_tokenizer(pipeline::Tokens& step);

/// `data` is of texts. A step tokens(...) whose file was not read yet reads it.
Result<std::unique_ptr<DataSource>> open_texts(const EvaluationData& data, DataFiles files,
                                               HashFiles hash);

}  // namespace ridge::evaluation
