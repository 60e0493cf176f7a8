// Origins of samples for evaluations: images in a folder, elements of an array
// (evaluation/data/data.h states which), each made into an input of a model.
//
//   const std::unique_ptr<DataSource> source = TRY(open_source(data));
//   TRY(source->read(3, target, memory_of_sample, spans));
//
// Errors as in evaluation/data/data.h. Thread rule: one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/words.h"
#include "onnx/data_type.h"
#include "pipeline/output_step.h"
#include "pipeline/step.h"

namespace ridge::evaluation {

enum class Metric : std::uint8_t { kTopK, kCoco, kVoc, kMeanIou, kPsnr, kSsim, kExact, kF1, kCer };

struct EvaluationData {
  std::string source;  ///< folder or .npy; "": none
  std::string labels;  ///< file or folder of what is true (ground_truth.h); "": none
  std::vector<pipeline::Step> steps;
  std::uint32_t limit = 0;  ///< samples at most; 0: all
  Metric metric = Metric::kTopK;
  std::vector<pipeline::OutputStep> post = {};  ///< steps after the run
};

/// The input that samples are for.
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

/// Error for data that the model or the steps cannot take (RIDGE-WB-0111).
Error unfit_data(std::string message);

class DataSource {
 public:
  virtual ~DataSource() = default;
  virtual std::size_t size() const = 0;
  virtual std::string name(std::size_t sample) const = 0;
  /// Writes the sample, of target.sample_bytes, and appends the times of its steps, whose `sample`
  /// the caller sets.
  virtual Result<void> read(std::size_t sample, const DataTarget& target, std::span<std::byte> out,
                            std::vector<StepSpan>& spans) = 0;
  /// Upright size of the image that was read last; 0 x 0 without an image.
  pipeline::Size image_size() const { return image_size_; }
  /// The decoder's warning about the image that was read last; "" without one.
  const std::string& image_warning() const { return image_warning_; }

 protected:
  std::string image_warning_;
  pipeline::Size image_size_;
};

/// Reads the files of labels(FILE) among the steps after the run, once.
Result<void> read_class_labels(EvaluationData& data);
/// Names of the model's classes, from labels(FILE) among the steps after the run; empty without.
std::vector<std::string> class_labels(const EvaluationData& data);

Result<std::unique_ptr<DataSource>> open_source(const EvaluationData& data);

}  // namespace ridge::evaluation

namespace ridge {

template <>
struct Words<evaluation::Metric> {
  using Metric = evaluation::Metric;
  static constexpr std::array list{
      Word{Metric::kTopK, "top-k"},   Word{Metric::kCoco, "coco"}, Word{Metric::kVoc, "voc"},
      Word{Metric::kMeanIou, "miou"}, Word{Metric::kPsnr, "psnr"}, Word{Metric::kSsim, "ssim"},
      Word{Metric::kExact, "exact"},  Word{Metric::kF1, "f1"},     Word{Metric::kCer, "cer"}};
};

}  // namespace ridge
