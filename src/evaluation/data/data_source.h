// SPDX-License-Identifier: Apache-2.0
// Inputs that samples are for, and what makes samples of them (sample_source.h opens one).
//
//   TRY(source->read(3, targets, memory_of_each, spans));
//
// Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "onnx/data_type.h"
#include "pipeline/size.h"

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

/// Whether files of a folder are hashed as they are read.
enum class HashFiles : bool { kNo, kYes };

}  // namespace ridge::evaluation
