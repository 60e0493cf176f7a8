// SPDX-License-Identifier: Apache-2.0
#include "evaluation/data/sample_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "base/clock.h"
#include "base/hash/sha256.h"
#include "evaluation/data/text_source.h"
#include "onnx/half.h"
#include "pipeline/labels.h"
#include "pipeline/pipeline.h"
#include "runtime/inputs/npy.h"

namespace ridge::evaluation {
namespace {

using pipeline::Image;
using pipeline::Tensor;

constexpr std::int64_t kMaxFileBytes = std::int64_t{256} << 20;

/// True if both have as many axes of other lengths, or in another order: (224, 224, 3) for an input
/// of (3, 224, 224). Axes of length 1 have no place; fewer axes are a flattened image.
bool other_axes(std::vector<std::int64_t> sample, std::vector<std::int64_t> input) {
  input.erase(input.begin());  // the batch
  std::erase(sample, 1);
  std::erase(input, 1);
  return sample != input && sample.size() >= input.size();
}

template <typename Narrow>
std::vector<std::uint16_t> narrowed(const std::vector<float>& values, Narrow narrow) {
  std::vector<std::uint16_t> out;
  out.reserve(values.size());
  for (const float value : values) out.push_back(narrow(value));
  return out;
}

/// Writes a sample where it belongs; its number of elements, the order of its axes and its type
/// must be those of the input. Inputs of 16-bit floats take values that are rounded to them.
Result<void> put(const Tensor& tensor, const DataTarget& target, std::span<std::byte> out) {
  const auto give = [&](const auto& elements, onnx::DataType type) -> Result<void> {
    const std::size_t bytes = elements.size() * sizeof(elements[0]);
    if (type != target.type || bytes != out.size() || other_axes(tensor.dims, target.dims))
      return unfit_data(fmt::format("the sample is {} {}, the input takes {} {}",
                                    fmt::join(tensor.dims, "x"), onnx::name(type),
                                    target.shape_text(), onnx::name(target.type)))
          .hint("add steps: resize(...), normalize(...), layout(nchw)");
    std::memcpy(out.data(), elements.data(), bytes);
    return {};
  };
  if (tensor.is_float() && target.type == onnx::DataType::kFloat16)
    return give(narrowed(tensor.floats(), onnx::float16_of), target.type);
  if (tensor.is_float() && target.type == onnx::DataType::kBfloat16)
    return give(narrowed(tensor.floats(), onnx::bfloat16_of), target.type);
  if (tensor.is_float()) return give(tensor.floats(), onnx::DataType::kFloat);
  return give(std::get<std::vector<std::uint8_t>>(tensor.elements), onnx::DataType::kUint8);
}

/// Times of the parts of a sample: each begins where the one before it ends.
class Timer {
 public:
  Timer(std::vector<StepSpan>& spans, pipeline::Size& decoded)
      : spans_(spans), decoded_(decoded), at_(now()) {}
  void end(std::int32_t step) {
    const std::int64_t end = now();
    spans_.push_back({.sample = 0, .step = step, .begin_ns = at_, .end_ns = end});
    at_ = end;
  }
  pipeline::StepDone steps() {
    return [this](std::size_t step, pipeline::Size size) {
      if (step == 0 && decoded_.width == 0) decoded_ = size;
      end(static_cast<std::int32_t>(step));
    };
  }

 private:
  static std::int64_t now() { return steady_clock().now().count; }

  std::vector<StepSpan>& spans_;
  pipeline::Size& decoded_;
  std::int64_t at_;
};

class Folder final : public DataSource {
 public:
  Folder(std::vector<std::string> paths, std::vector<pipeline::Step> steps, HashFiles hash)
      : paths_(std::move(paths)), steps_(std::move(steps)), hash_(hash) {}
  std::size_t size() const override { return paths_.size(); }
  std::string name(std::size_t sample) const override {
    return std::filesystem::path(paths_[sample]).filename().string();
  }
  Result<void> read(std::size_t sample, std::span<const DataTarget> targets,
                    const SampleInputs& out, std::vector<StepSpan>& spans) override {
    image_size_ = {};
    image_warning_.clear();
    Timer timer(spans, image_size_);
    const std::string bytes = TRY(read_file(paths_[sample], kMaxFileBytes));
    timer.end(StepSpan::kRead);
    const Tensor made =
        TRY(pipeline::preprocess(std::as_bytes(std::span(bytes)), steps_, timer.steps(),
                                 [&](const std::string& warning) { image_warning_ = warning; }));
    // After the steps: the time of hashing is none of the application's.
    if (hash_ == HashFiles::kYes) file_sha256_ = sha256_of(bytes);
    return put(made, targets[0], out[0]);
  }

 private:
  std::vector<std::string> paths_;
  std::vector<pipeline::Step> steps_;
  HashFiles hash_;
};

class Array final : public DataSource {
 public:
  explicit Array(runtime::Npy npy, std::vector<pipeline::Step> steps)
      : npy_(std::move(npy)), steps_(std::move(steps)) {}
  static Result<std::unique_ptr<DataSource>> open(File file, const EvaluationData& data) {
    runtime::Npy npy = TRY(runtime::Npy::of(std::move(file)));
    if (npy.header.dims.empty() || npy.header.dims[0] <= 0)
      return unfit_data("the array has no first axis of samples").in_file(data.source);
    return std::unique_ptr<DataSource>(std::make_unique<Array>(std::move(npy), data.steps));
  }
  std::size_t size() const override { return static_cast<std::size_t>(npy_.header.dims[0]); }
  std::string name(std::size_t sample) const override { return fmt::format("{}", sample); }
  Result<void> read(std::size_t sample, std::span<const DataTarget> targets,
                    const SampleInputs& inputs, std::vector<StepSpan>& spans) override {
    const DataTarget& target = targets[0];
    const std::span<std::byte> out = inputs[0];
    Timer timer(spans, image_size_);
    const std::int64_t bytes = npy_.bytes / npy_.header.dims[0];
    const std::int64_t offset = npy_.offset + bytes * static_cast<std::int64_t>(sample);
    if (steps_.empty()) {
      const std::vector<std::int64_t> dims(npy_.header.dims.begin() + 1, npy_.header.dims.end());
      if (npy_.header.type != target.type || bytes != std::ssize(out) ||
          other_axes(dims, target.dims))
        return unfit_data(fmt::format("the samples are {} {}, the input takes {} {}",
                                      fmt::join(dims, "x"), onnx::name(npy_.header.type),
                                      target.shape_text(), onnx::name(target.type)))
            .hint(npy_.header.type == onnx::DataType::kUint8
                      ? "add steps: --steps \"normalize(divide=255) layout(nchw)\""
                      : "save them as the input takes them; steps are for arrays of bytes");
      TRY(npy_.file.read_at(offset, out));
      timer.end(StepSpan::kRead);
      return {};
    }
    Image image = TRY(blank());
    TRY(npy_.file.read_at(offset, std::as_writable_bytes(std::span(image.data))));
    image_size_ = image.size();
    timer.end(StepSpan::kRead);
    return put(TRY(pipeline::preprocess(std::move(image), steps_, timer.steps())), target, out);
  }

 private:
  /// An image of the shape of a sample.
  Result<Image> blank() const {
    const std::vector<std::int64_t>& d = npy_.header.dims;
    const std::int64_t channels = d.size() == 4 ? d[3] : 1;
    if (npy_.header.type != onnx::DataType::kUint8 || (d.size() != 3 && d.size() != 4) ||
        channels < 1 || channels > 4)
      return unfit_data(
          "steps are for images: an array of bytes, samples x height x width x channels");
    TRY(pipeline::check_size(d[2], d[1]));
    return pipeline::make_raster<std::uint8_t>({static_cast<int>(d[2]), static_cast<int>(d[1])},
                                               static_cast<int>(channels));
  }

  runtime::Npy npy_;
  std::vector<pipeline::Step> steps_;
};

}  // namespace

Result<FileHashes> read_step_files(EvaluationData& data) {
  FileHashes hashes;
  for (pipeline::Step& step : data.steps)
    if (auto* tokens = std::get_if<pipeline::Tokens>(&step))
      hashes[tokens->file] = TRY(read_tokenizer(*tokens));
  for (pipeline::OutputStep& step : data.post)
    if (auto* labels = std::get_if<pipeline::Labels>(&step)) {
      HashedText read = TRY(read_hashed_text(labels->path, kMaxFileBytes));
      labels->names = TRY_IN(labels->path, pipeline::parse_labels(read.text));
      hashes[labels->path] = std::move(read.sha256);
    }
  return hashes;
}

std::vector<std::string> class_labels(const EvaluationData& data) {
  for (const pipeline::OutputStep& step : data.post)
    if (const auto* labels = std::get_if<pipeline::Labels>(&step)) return labels->names;
  return {};
}

Result<std::unique_ptr<DataSource>> open_source(const EvaluationData& data, DataFiles files,
                                                HashFiles hash) {
  if (is_text(data)) return open_texts(data, std::move(files), hash);
  if (files.file) return Array::open(*std::move(files.file), data);
  return std::unique_ptr<DataSource>(
      std::make_unique<Folder>(std::move(files.samples), data.steps, hash));
}

}  // namespace ridge::evaluation
