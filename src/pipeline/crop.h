// SPDX-License-Identifier: Apache-2.0
// Parts of images, and images with a border.
//
//   Image part = TRY(cropped(image, {.size = {224, 224}}));
//   Image square = TRY(padded(image, {.size = {640, 640}, .value = 114}));    // letterbox
//
// A crop at the center begins at (length - part) / 2 (pipeline/size.h); torchvision fills what lies
// outside a smaller image with zeros, and so does padded() before the crop, here it is an error.
// Padding at the center begins at (length - image) / 2, rounded down: the larger half of an odd
// border is right and below, as in torchvision's CenterCrop.
//
// Errors (input class): a part larger than the image RIDGE-PIPE-0007; a border with a negative
// length RIDGE-PIPE-0008; RIDGE-PIPE-0001. Pure functions.
#pragma once

#include "base/result.h"
#include "pipeline/image.h"
#include "pipeline/size.h"

namespace ridge::pipeline {

enum class Anchor : std::uint8_t { kCenter, kTopLeft };

struct Crop {
  Size size;
  Anchor anchor = Anchor::kCenter;
  CropRounding rounding = CropRounding::kHalfEven;

  bool operator==(const Crop&) const = default;
};

struct Pad {
  Size size;
  Anchor anchor = Anchor::kCenter;
  int value = 0;  ///< every channel outside the image, 0 to 255

  bool operator==(const Pad&) const = default;
};

Result<void> check_crop(Size image, const Crop& crop);
Result<void> check_pad(Size image, const Pad& pad);

Result<Image> cropped(const Image& image, const Crop& crop);
Result<FloatImage> cropped(const FloatImage& image, const Crop& crop);
Result<Image> padded(const Image& image, const Pad& pad);
Result<FloatImage> padded(const FloatImage& image, const Pad& pad);

}  // namespace ridge::pipeline
