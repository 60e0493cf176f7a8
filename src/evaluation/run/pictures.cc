// SPDX-License-Identifier: Apache-2.0
#include "evaluation/run/pictures.h"

#include <cstring>

#include "accuracy/listed_samples.h"
#include "pipeline/thumbnail.h"

namespace ridge::evaluation {
namespace {

constexpr int kSide = 96;  ///< pixels

template <typename T>
std::optional<pipeline::Image> picture(std::span<const std::byte> bytes,
                                       const std::vector<std::int64_t>& dims) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return pipeline::thumbnail(values, dims, kSide);
}

std::optional<pipeline::Image> picture_of(const DataSamples& samples, std::size_t sample) {
  if (samples.targets.size() != 1) return std::nullopt;  // texts
  const DataTarget& target = samples.targets[0];
  if (samples.batch == 0 || sample / samples.batch >= samples.samples.sets.size())
    return std::nullopt;
  const runtime::InputTensor& set = samples.samples.sets[sample / samples.batch].at(0);
  const std::span<const std::byte> bytes = samples.samples.memory.bytes().subspan(
      static_cast<std::size_t>(set.offset) + sample % samples.batch * target.sample_bytes,
      target.sample_bytes);
  std::vector<std::int64_t> dims = target.dims;
  if (!dims.empty() && dims[0] == target.batch) dims[0] = 1;
  if (target.type == onnx::DataType::kFloat) return picture<float>(bytes, dims);
  if (target.type == onnx::DataType::kUint8) return picture<std::uint8_t>(bytes, dims);
  return std::nullopt;
}

}  // namespace

void add_pictures(const DataSamples& samples, Evaluation& evaluation) {
  std::vector<const std::vector<std::int64_t>*> predicted;
  for (const EvaluatedPoint& p : evaluation.points)
    if (p.accuracy) predicted.push_back(&p.accuracy->predicted);
  const accuracy::ListedSamples listed =
      accuracy::listed_samples(predicted, evaluation.data->labels);
  for (const auto* list : {&listed.differing, &listed.mistaken})
    for (const std::size_t sample : *list) {
      const std::optional<pipeline::Image> image = picture_of(samples, sample);
      if (!image) continue;
      Result<std::string> file = pipeline::encode_png(*image);
      if (file.ok()) evaluation.data->pictures.emplace(sample, *std::move(file));
    }
}

}  // namespace ridge::evaluation
