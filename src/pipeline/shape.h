// SPDX-License-Identifier: Apache-2.0
// Shape of a pipeline's result, from its steps alone: what does not fit is found before any file is
// read.
//
//   Shape shape = TRY(infer_shape(steps));            // shape.width == 224 whatever the file
//   Shape shape = TRY(infer_shape(steps, {640, 480}));
//
// Errors (input class) name the step: RIDGE-PIPE-0013 for one at a place where it cannot stand,
// RIDGE-PIPE-0014 for a resize of Pillow or OpenCV after the values have become float; errors of
// the steps themselves as far as sizes are known. Pure function.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "pipeline/step.h"

namespace ridge::pipeline {

struct Shape {
  std::optional<Size> size;  ///< nullopt if it follows from the file
  int channels = 0;
  ElementType type = ElementType::kUint8;
  Layout layout = Layout::kHwc;

  /// Dims of the tensor, -1 where unknown.
  std::vector<std::int64_t> dims() const;
  bool operator==(const Shape&) const = default;
};

/// Shape after `steps` of a file. `file` is the size of its image, upright if the first step turns
/// it.
Result<Shape> infer_shape(std::span<const Step> steps, std::optional<Size> file = {});

/// Shape after `steps`, which have no Decode, of an image of shape `from`.
Result<Shape> infer_shape_from(Shape from, std::span<const Step> steps);

}  // namespace ridge::pipeline
