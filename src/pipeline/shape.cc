// SPDX-License-Identifier: Apache-2.0
#include "pipeline/shape.h"

#include <fmt/format.h>

#include "pipeline/opencv_float.h"
#include "pipeline/step_text.h"

namespace ridge::pipeline {
namespace {

/// Shape after each kind of step.
class Inference {
 public:
  explicit Inference(Shape shape) : shape_(shape) {}

  const Shape& shape() const { return shape_; }

  Result<void> operator()(const Decode&) {
    return misplaced("the file is decoded by the first step, and by no other");
  }
  Result<void> operator()(const ReverseChannels&) { return {}; }
  Result<void> operator()(const Resize& step) {
    const bool in_float = std::holds_alternative<FloatResize>(step.by);
    const bool from_float = shape_.type == ElementType::kFloat32;
    if (const auto* opencv = std::get_if<OpencvResize>(&step.by); opencv != nullptr && from_float)
      TRY(check_float_filter(opencv->filter));
    else if (!in_float && from_float)
      return input_error("RIDGE-PIPE-0014",
                         "Pillow's resizers take 8-bit images, the values are float32 here")
          .hint("resize before the values are computed with, or use 'half_pixel'");
    if (in_float) shape_.type = ElementType::kFloat32;
    if (shape_.size || step.target.fit == Fit::kExact)
      shape_.size = TRY(resized(shape_.size.value_or(Size{1, 1}), step.target));
    return {};
  }
  Result<void> operator()(const Crop& step) {
    TRY(check_crop(shape_.size.value_or(step.size), step));
    shape_.size = step.size;
    return {};
  }
  Result<void> operator()(const Pad& step) {
    TRY(check_pad(shape_.size.value_or(step.size), step));
    shape_.size = step.size;
    return {};
  }
  Result<void> operator()(const Cast& step) {
    shape_.type = step.type;
    return {};
  }
  Result<void> operator()(const Compute& step) {
    shape_.type = ElementType::kFloat32;
    return check_compute(step, shape_.channels);
  }
  Result<void> operator()(const Normalize& step) {
    shape_.type = ElementType::kFloat32;
    return check_normalize(step, shape_.channels);
  }
  Result<void> operator()(const Arrange& step) {
    shape_.layout = step.layout;
    return {};
  }
  Result<void> operator()(const ByteWindow&) { return of_texts(); }
  Result<void> operator()(const Tokens&) { return of_texts(); }

  static Error of_texts() {
    return misplaced("the step is for texts, and stands alone")
        .hint("a model of texts has one step: bytes(...) or tokens(...)");
  }
  static Error misplaced(std::string message) {
    return input_error("RIDGE-PIPE-0013", std::move(message));
  }

 private:
  Shape shape_;
};

Result<Shape> infer(Shape from, std::span<const Step> steps, std::size_t first) {
  Inference inference(from);
  for (std::size_t i = first; i < steps.size(); ++i) {
    const std::string place = fmt::format("step {} {}", i + 1, print_step(steps[i]));
    if (std::holds_alternative<Arrange>(steps[i]) && i + 1 < steps.size())
      return Inference::misplaced("no step can follow the layout")
          .in(place)
          .hint("put it at the end");
    TRY_IN(place, std::visit(inference, steps[i]));
  }
  return inference.shape();
}

}  // namespace

std::vector<std::int64_t> Shape::dims() const {
  const Size known = size.value_or(Size{-1, -1});
  return arranged_dims(known.width, known.height, channels, layout);
}

Result<Shape> infer_shape(std::span<const Step> steps, std::optional<Size> file) {
  const Decode* decode = steps.empty() ? nullptr : std::get_if<Decode>(&steps.front());
  if (decode == nullptr)
    return Inference::misplaced("a pipeline begins with 'decode'").hint("add decode(rgb)");
  return infer({file, decode->color == Color::kGray ? 1 : 3, ElementType::kUint8, Layout::kHwc},
               steps, 1);
}

Result<Shape> infer_shape_from(Shape from, std::span<const Step> steps) {
  return infer(from, steps, 0);
}

}  // namespace ridge::pipeline
