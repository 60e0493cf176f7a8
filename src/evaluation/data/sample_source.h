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

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/hash/hashed_text.h"
#include "base/result.h"
#include "evaluation/data/data_files.h"
#include "evaluation/data/data_request.h"
#include "onnx/data_type.h"
#include "pipeline/image.h"

namespace ridge::evaluation {

/// An input that samples are for.
struct DataTarget {
  std::string name;      ///< in the copy
  std::string original;  ///< in the model
  onnx::DataType type = onnx::DataType::kUndefined;
  std::vector<std::int64_t> dims;
  std::int64_t batch = 1;
  std::size_t sample_bytes = 0;

  std::string shape_text() const;
  bool operator==(const DataTarget&) const = default;
};

/// Time in which a step made a sample, on the monotonic clock.
struct StepSpan {
  /// Value of `step` for reading the file or the element of the array.
  static constexpr std::int32_t kRead = -1;

  std::uint32_t sample = 0;
  std::int32_t step = kRead;  ///< position in EvaluationData::steps
  std::int64_t begin_ns = 0, end_ns = 0;
};

/// Memory of each input of a sample, in the order of the targets.
using SampleInputs = std::vector<std::span<std::byte>>;

class DataSource {
 public:
  virtual ~DataSource() = default;
  virtual std::size_t size() const = 0;
  virtual std::string name(std::size_t sample) const = 0;
  /// Writes the sample, of sample_bytes for each target, and appends the times of its steps, whose
  /// `sample` the caller sets. Images and arrays are for one input.
  virtual Result<void> read(std::size_t sample, std::span<const DataTarget> targets,
                            const SampleInputs& out, std::vector<StepSpan>& spans) = 0;
  /// Upright size of the image that was read last; 0 x 0 without an image.
  pipeline::Size image_size() const { return image_size_; }
  /// The decoder's warning about the image that was read last; "" without one.
  const std::string& image_warning() const { return image_warning_; }
  /// SHA-256 of the file that was read last, with HashFiles::kYes; "" of an array's element.
  const std::string& file_sha256() const { return file_sha256_; }

 protected:
  std::string file_sha256_;
  std::string image_warning_;
  pipeline::Size image_size_;
};

/// Reads the files that steps name: of tokens(FILE), and of labels(FILE) after the run. Returns
/// their hashes.
Result<FileHashes> read_step_files(EvaluationData& data);
/// Names of the model's classes, from labels(FILE) among the steps after the run; empty without.
std::vector<std::string> class_labels(const EvaluationData& data);

/// Whether files of a folder are hashed as they are read.
enum class HashFiles : bool { kNo, kYes };

/// `files`: found by find_files(data).
Result<std::unique_ptr<DataSource>> open_source(const EvaluationData& data, DataFiles files,
                                                HashFiles hash);

}  // namespace ridge::evaluation
