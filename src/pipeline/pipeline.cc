// SPDX-License-Identifier: Apache-2.0
#include "pipeline/pipeline.h"

#include <fmt/format.h>

#include <utility>

#include "pipeline/opencv_float.h"
#include "pipeline/shape.h"
#include "pipeline/step_text.h"

namespace ridge::pipeline {
namespace {

/// Values between two steps: 8-bit until a step computes with them.
using Values = std::variant<Image, FloatImage>;

FloatImage& to_float(Values& values) {
  if (const Image* image = std::get_if<Image>(&values)) values = as_float(*image);
  return std::get<FloatImage>(values);
}

/// infer_shape() refuses this before any step runs.
Error not_bytes() { return bug("an 8-bit step met float values", "preprocess"); }

Error not_of_images() { return bug("a step of texts met an image", "preprocess"); }

class Runner {
 public:
  explicit Runner(Image image) : values_(std::move(image)) {}

  Result<void> operator()(const Decode&) { return bug("a second decode", "preprocess"); }
  Result<void> operator()(const ReverseChannels&) {
    std::visit([](auto& image) { reverse_channels(image); }, values_);
    return {};
  }
  Result<void> operator()(const Resize& step) {
    const Size from = std::visit([](const auto& image) { return image.size(); }, values_);
    const Size to = TRY(resized(from, step.target));
    if (const auto* by = std::get_if<FloatResize>(&step.by)) {
      values_ = TRY(resize_float(to_float(values_), to, *by));
      return {};
    }
    const Image* image = std::get_if<Image>(&values_);
    if (image == nullptr) {
      const auto* opencv = std::get_if<OpencvResize>(&step.by);
      if (opencv == nullptr) return not_bytes();
      values_ = TRY(resize_opencv(to_float(values_), to, opencv->filter));
      return {};
    }
    if (const auto* by = std::get_if<PillowResize>(&step.by))
      values_ = TRY(resize_pillow(*image, to, by->filter, by->release));
    else
      values_ = TRY(resize_opencv(*image, to, std::get<OpencvResize>(step.by).filter));
    return {};
  }
  Result<void> operator()(const Crop& step) {
    return replace([&](const auto& image) { return cropped(image, step); });
  }
  Result<void> operator()(const Pad& step) {
    return replace([&](const auto& image) { return padded(image, step); });
  }
  Result<void> operator()(const Cast& step) {
    if (step.type == ElementType::kFloat32)
      to_float(values_);
    else if (const FloatImage* image = std::get_if<FloatImage>(&values_))
      values_ = as_bytes(*image);
    return {};
  }
  Result<void> operator()(const Compute& step) { return compute(to_float(values_), step); }
  Result<void> operator()(const Normalize& step) { return normalize(to_float(values_), step); }
  Result<void> operator()(const Arrange& step) {
    layout_ = step.layout;
    return {};
  }

  Result<void> operator()(const ByteWindow&) { return not_of_images(); }
  Result<void> operator()(const Tokens&) { return not_of_images(); }

  Size size() const {
    return std::visit([](const auto& image) { return image.size(); }, values_);
  }
  Tensor tensor() const {
    return std::visit([&](const auto& image) { return arranged(image, layout_); }, values_);
  }

 private:
  template <typename Make>
  Result<void> replace(Make make) {
    return std::visit(
        [&](const auto& image) -> Result<void> {
          values_ = TRY(make(image));
          return {};
        },
        values_);
  }

  Values values_;
  Layout layout_ = Layout::kHwc;
};

Result<Tensor> run(Image image, std::span<const Step> steps, std::size_t first,
                   const StepDone& done) {
  Runner runner(std::move(image));
  for (std::size_t i = first; i < steps.size(); ++i) {
    TRY_IN(fmt::format("step {} {}", i + 1, print_step(steps[i])), std::visit(runner, steps[i]));
    if (done && i + 1 < steps.size()) done(i, runner.size());
  }
  Tensor out = runner.tensor();
  if (done && !steps.empty()) done(steps.size() - 1, runner.size());
  return out;
}

}  // namespace

Result<Tensor> preprocess(std::span<const std::byte> file, const std::vector<Step>& steps,
                          const StepDone& done, const Warned& warned) {
  TRY(infer_shape(steps));
  const Step& first = steps.front();
  Image image = TRY_IN(fmt::format("step 1 {}", print_step(first)),
                       decode(file, std::get<Decode>(first), warned));
  if (done && steps.size() > 1) done(0, image.size());
  return run(std::move(image), steps, 1, done);
}

Result<Tensor> preprocess(Image image, const std::vector<Step>& steps, const StepDone& done) {
  TRY(infer_shape_from({image.size(), image.channels, ElementType::kUint8, Layout::kHwc}, steps));
  return run(std::move(image), steps, 0, done);
}

}  // namespace ridge::pipeline
