// SPDX-License-Identifier: Apache-2.0
// Position of a model's input within the image that it was made from: what resizing, cropping and
// padding did, and how to undo it for boxes.
//
//   const Placement p = TRY(placement_of(steps, {640, 480}));
//   const Box in_image = p.undone(box_in_input);
//
// A pixel at x of the image is at x * scale_x + offset_x of the input, edges of pixels counted from
// 0. Errors: as the steps' sizes. Pure functions.
#pragma once

#include <span>

#include "base/result.h"
#include "pipeline/boxes.h"
#include "pipeline/step.h"

namespace ridge::pipeline {

struct Placement {
  double scale_x = 1, scale_y = 1, offset_x = 0, offset_y = 0;
  Size input;  ///< size of the model's input

  Box undone(const Box& box) const;
};

/// `image`: upright size of the image in the file.
Result<Placement> placement_of(std::span<const Step> steps, Size image);

}  // namespace ridge::pipeline
