// SPDX-License-Identifier: Apache-2.0
// Outputs of a loaded model for every sample, kept in files, so that another evaluation is compared
// with them later.
//
//   OutputFilesWriter files({"out", "ort", 2000, output_names(model), probability_outputs(model)});
//   TRY(files.add(outputs));                                   // once per sample, in their order
//   const std::vector<accuracy::OutputFile> written = TRY(files.commit());
//
//   OutputRows rows = TRY(OutputRows::open(written[0]));
//   const std::vector<float> scores = TRY(rows.read(3));
//
// Files are .npy of float32 with the samples along the first axis; ort.0.logits.npy: the runtime,
// the output's position and name. Values: as evaluation/answers/outputs.h. An output whose samples
// differ in size or have no values has no file. Errors: environment class, errors of files and
// RIDGE-WB-0203 (no folder); input class, RIDGE-WB-0204 (a file that is not the one that was
// written). Thread rule: one thread. Memory: one sample.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "accuracy/output_file.h"
#include "base/file_writer.h"
#include "base/hash/sha256.h"
#include "evaluation/answers/outputs.h"
#include "runtime/inputs/npy.h"

namespace ridge::evaluation {

struct OutputFilesRequest {
  std::string folder;  ///< made if it does not exist
  std::string runtime;
  std::size_t samples = 0;
  /// By output: its name in the model, and whether it is probabilities (output_divergence.h).
  std::vector<std::string> names = {};
  std::vector<bool> probabilities = {};
};

class OutputFilesWriter {
 public:
  explicit OutputFilesWriter(OutputFilesRequest request) : request_(std::move(request)) {}

  Result<void> add(const SampleOutputs& outputs);
  Result<std::vector<accuracy::OutputFile>> commit();

 private:
  struct Open {
    accuracy::OutputFile file;
    std::size_t values = 0;            ///< values of each sample
    std::optional<FileWriter> writer;  ///< none: no file
    Sha256 hash;

    Result<void> write(std::string_view bytes);
  };

  Result<void> begin(const SampleOutputs& first);
  Result<Open> opened(std::size_t position, const pipeline::OutputValues& first) const;

  OutputFilesRequest request_;
  std::vector<Open> files_;
};

class OutputRows {
 public:
  static Result<OutputRows> open(const accuracy::OutputFile& file);

  Result<std::vector<float>> read(std::size_t sample) const;

 private:
  OutputRows(runtime::Npy array, std::string path)
      : array_(std::move(array)), path_(std::move(path)) {}

  runtime::Npy array_;
  std::string path_;
};

}  // namespace ridge::evaluation
