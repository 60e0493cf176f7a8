// SPDX-License-Identifier: Apache-2.0
// Real data for evaluations: files or arrays, made into samples of a model by the steps of a
// pipeline, with what is true of each.
//
//   EvaluationData data{.source = "images.npy", .labels = "labels.txt"};
//   data.steps = TRY(pipeline::parse_steps("normalize(divide=255) layout(nchw)"));
//   DataCache cache = TRY(DataCache::open(std::move(data), HashData::kWithSamples));
//   const DataSamples* samples = TRY(cache.load(resolved, copy));
//   samples->samples.sets.size(), samples->labels[3], cache.sha256()
//
// Sources: a folder, of which each .jpg (.jpeg, .jpe, .jfif) and .png is a sample, in the order of
// their names (images in other formats are refused);
// or a .npy, of which each element along the first axis is one. A .npy of bytes with 2 or 3 further
// axes is images (height, width, channels); without steps its type must be that of the input;
// or, for a model of texts, a folder of texts, or a .txt of which each line is one (text_source.h).
// Labels: sample_labels.h.
//
// Errors: input class, RIDGE-WB-0111 (inputs that the data do not feed, a source without samples,
// another shape than the input's), 0112 (labels); those of the files and of the steps, with the
// sample's name. Bounded: kMaxSampleBytes. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "attribution/canonical.h"
#include "evaluation/data/data_files.h"
#include "evaluation/data/sample_source.h"
#include "runtime/load.h"

namespace ridge::evaluation {

/// Memory that the samples of a data set may take.
inline constexpr std::int64_t kMaxSampleBytes = std::int64_t{4} << 30;

struct DataSamples {
  std::vector<DataTarget> targets;  ///< at least one, all of one batch
  std::size_t batch = 1;            ///< samples of each set
  runtime::Samples samples;
  std::vector<std::string> names;     ///< file names, or numbers
  std::vector<std::int64_t> labels;   ///< classes, one for each sample, for Metric::kTopK
  std::vector<pipeline::Size> sizes;  ///< upright sizes of the images in their files, or 0 x 0
  std::vector<std::string> notes;     ///< labels that were passed over
  std::vector<std::string> damaged;   ///< images that a decoder warned about
  std::vector<StepSpan> steps;        ///< by sample, in the order of the steps
  std::shared_ptr<const std::string> truth;  ///< bytes of the labels' file (LabelsFile::bytes)
  std::string sha256;                        ///< hash of the files, if the reading made it
};

/// When the files of a folder are hashed.
enum class HashData : std::uint8_t {
  kWithSamples,  ///< in the reading that makes the samples
  kBefore,       ///< in a reading of their own: the hash is known although no sample is made
};

/// Data for one runtime after the other: found once, its labels read once, and made into samples
/// once for inputs of the same name and type.
class DataCache {
 public:
  /// An array is hashed here as well: it may be larger than memory, and samples are a part of it
  /// that is read by position.
  static Result<DataCache> open(EvaluationData data, HashData when, const HashWatch& watch = {});
  /// Valid until the next call.
  Result<const DataSamples*> load(const analysis::Resolved& resolved,
                                  const attribution::Canonical& copy);
  /// Samples of the last call; nullptr before it.
  const DataSamples* made() const { return made_ ? &*made_ : nullptr; }
  /// Hash of the data; "" without data, and before the samples with HashData::kWithSamples.
  const std::string& sha256() const { return made_ && sha256_.empty() ? made_->sha256 : sha256_; }
  /// Hash of the labels; "" without.
  const std::string& labels_sha256() const { return labels_.sha256; }

 private:
  explicit DataCache(EvaluationData data) : data_(std::move(data)) {}

  EvaluationData data_;
  std::optional<DataFiles> files_;      // until the source has them
  std::unique_ptr<DataSource> source_;  // from the first samples on
  LabelsFile labels_;
  std::string sha256_;
  std::optional<DataSamples> made_;
};

}  // namespace ridge::evaluation
