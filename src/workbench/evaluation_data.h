// Real data for evaluations: files or arrays, made into samples of a model by the steps of a
// pipeline, with what is true of each.
//
//   EvaluationData data{.source = "images.npy", .labels = "labels.txt"};
//   data.steps = TRY(pipeline::parse_steps("normalize(divide=255) layout(nchw)"));
//   const DataSamples samples = TRY(load_data(data, resolved, copy));
//   samples.sets.sets.size(), samples.labels[3]
//
// Sources: a folder, of which each .jpg, .jpeg and .png is a sample, in the order of their names;
// or a .npy, of which each element along the first axis is one. A .npy of bytes with 2 or 3 further
// axes is images (height, width, channels); without steps its type must be that of the input.
// Labels: a line for each sample with the number of its class, or lines `NAME,CLASS` that name
// files.
//
// Errors: input class, RIDGE-WB-0111 (a model with several inputs, a source without samples,
// another shape than the input's), 0112 (labels); those of the files and of the steps, with the
// sample's name. Bounded: kMostSampleBytes. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "attribution/canonical.h"
#include "onnx/data_type.h"
#include "pipeline/step.h"
#include "runtime/load.h"

namespace ridge::workbench {

/// Memory that the samples of a data set may take.
inline constexpr std::int64_t kMostSampleBytes = std::int64_t{4} << 30;

struct EvaluationData {
  std::string source;  ///< folder or .npy; "": none
  std::string labels;  ///< text file; "": none
  std::vector<pipeline::Step> steps;
  std::uint32_t limit = 0;  ///< samples at most; 0: all
};

/// The input that samples are for.
struct DataTarget {
  std::string name;  ///< in the copy
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

struct DataSamples {
  DataTarget target;
  runtime::Samples samples;
  std::vector<std::string> names;    ///< file names, or numbers
  std::vector<std::int64_t> labels;  ///< classes, one for each sample; empty without labels
  std::vector<StepSpan> steps;       ///< by sample, in the order of the steps
};

Result<DataSamples> load_data(const EvaluationData& data, const analysis::Resolved& resolved,
                              const attribution::Canonical& copy);

/// Data for one runtime after the other: read and made into samples once for inputs of the same
/// name and type.
class DataCache {
 public:
  explicit DataCache(EvaluationData data) : data_(std::move(data)) {}
  /// As load_data(); valid until the next call.
  Result<const DataSamples*> load(const analysis::Resolved& resolved,
                                  const attribution::Canonical& copy);

 private:
  EvaluationData data_;
  std::optional<DataSamples> made_;
};

}  // namespace ridge::workbench
