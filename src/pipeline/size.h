// SPDX-License-Identifier: Apache-2.0
// Size that an image is resized to, and the part of it that is cut out or padded.
//
//   Size target = TRY(resized({640, 480}, {.fit = Fit::kShort, .size = {256, 256}}));  // 341 x 256
//   Offset at = centered({341, 256}, {224, 224}, CropRounding::kHalfEven);             // (58, 16)
//
// Fit::kExact: `size` itself. Fit::kShort: the short side becomes size.width, the long one keeps
// the ratio: size.width * long / short. Fit::kInside: the larger of the sizes within `size` that
// keep the ratio: the side that limits is met, the other one follows. The quotient is rounded as
// `rounding` says: down as torchvision and most code in Python does (int()), half up as Keras does,
// up. No side is below 1.
//
// The left (top) edge of a centered part is (length - part) / 2; a half is rounded to the even
// number (torchvision's CenterCrop, Python's round()) or down (// and int() in Python,
// TensorFlow). It only matters where length - part is odd. Integer arithmetic throughout.
//
// Errors: RIDGE-PIPE-0001 for a result out of bounds. Pure functions.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "pipeline/image.h"

namespace ridge::pipeline {

enum class Fit : std::uint8_t { kExact, kShort, kInside };
enum class SideRounding : std::uint8_t { kDown, kHalfUp, kUp };
enum class CropRounding : std::uint8_t { kHalfEven, kDown };

struct Target {
  Fit fit = Fit::kExact;
  Size size;  ///< kShort: both sides are the length of the short one
  SideRounding rounding = SideRounding::kDown;

  bool operator==(const Target&) const = default;
};

struct Offset {
  int x = 0, y = 0;

  bool operator==(const Offset&) const = default;
};

Result<Size> resized(Size from, const Target& target);

/// Top left corner of the centered part. Negative where `part` is larger than `whole`.
Offset centered(Size whole, Size part, CropRounding rounding);

}  // namespace ridge::pipeline
