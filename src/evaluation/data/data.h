// Real data for evaluations: files or arrays, made into samples of a model by the steps of a
// pipeline, with what is true of each.
//
//   EvaluationData data{.source = "images.npy", .labels = "labels.txt"};
//   data.steps = TRY(pipeline::parse_steps("normalize(divide=255) layout(nchw)"));
//   DataCache cache(std::move(data));
//   const DataSamples* samples = TRY(cache.load(resolved, copy));
//   samples->samples.sets.size(), samples->labels[3]
//
// Sources: a folder, of which each .jpg (.jpeg, .jpe, .jfif) and .png is a sample, in the order of
// their names (images in other formats are refused);
// or a .npy, of which each element along the first axis is one. A .npy of bytes with 2 or 3 further
// axes is images (height, width, channels); without steps its type must be that of the input.
// Labels: sample_labels.h.
//
// Errors: input class, RIDGE-WB-0111 (a model with several inputs, a source without samples,
// another shape than the input's), 0112 (labels); those of the files and of the steps, with the
// sample's name. Bounded: kMaxSampleBytes. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "attribution/canonical.h"
#include "evaluation/data/sample_source.h"
#include "runtime/load.h"

namespace ridge::evaluation {

/// Memory that the samples of a data set may take.
inline constexpr std::int64_t kMaxSampleBytes = std::int64_t{4} << 30;

struct DataSamples {
  DataTarget target;
  std::size_t batch = 1;  ///< samples of each set
  runtime::Samples samples;
  std::vector<std::string> names;     ///< file names, or numbers
  std::vector<std::int64_t> labels;   ///< classes, one for each sample, for Metric::kTopK
  std::vector<pipeline::Size> sizes;  ///< upright sizes of the images in their files, or 0 x 0
  std::vector<std::string> notes;     ///< labels that were passed over
  std::vector<std::string> damaged;   ///< images that a decoder warned about
  std::vector<StepSpan> steps;        ///< by sample, in the order of the steps
};

/// Names of the images of a folder that are samples, in their order.
Result<std::vector<std::string>> image_names(const EvaluationData& data);

/// Data for one runtime after the other: read and made into samples once for inputs of the same
/// name and type.
class DataCache {
 public:
  explicit DataCache(EvaluationData data) : data_(std::move(data)) {}
  /// Valid until the next call.
  Result<const DataSamples*> load(const analysis::Resolved& resolved,
                                  const attribution::Canonical& copy);
  /// Samples of the last call; nullptr before it.
  const DataSamples* made() const { return made_ ? &*made_ : nullptr; }

 private:
  EvaluationData data_;
  std::optional<DataSamples> made_;
};

}  // namespace ridge::evaluation
