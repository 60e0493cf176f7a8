// SPDX-License-Identifier: Apache-2.0
// Resizing of float images by interpolation between neighbors, as ONNX Resize, TensorFlow and
// PyTorch define it. Not antialiased.
//
//   FloatImage small = TRY(resize_float(image, {224, 224}, {FloatFilter::kCubic}));
//
// The position in the input of output x, with scale = outputs / inputs along that axis in float
// (operator Resize of ONNX opset 19, attribute coordinate_transformation_mode):
//
//   half_pixel           (x + 0.5) / scale - 0.5; OpenCV, PyTorch, TensorFlow 2
//   pytorch_half_pixel   the same, but 0 where the output has length 1
//   align_corners        x (inputs - 1) / (outputs - 1), 0 where the output has length 1
//   asymmetric           x / scale; tf.image.resize of TensorFlow 1 and before half_pixel_centers
//
// At this position p: linear between floor(p) and floor(p) + 1, p clamped to the image first; cubic
// over four neighbors (Keys, a = -0.75), neighbors outside the image repeating its border; nearest
// the input at p rounded as `rounding` says (ONNX nearest_mode; half_down = round_prefer_floor is
// ONNX's default, floor TensorFlow 1's, half_up = round_prefer_ceil TensorFlow 1's with
// align_corners).
// A position within 1e-6 of a half is one. Positions and weights in float, rows first. Against ONNX
// Runtime (resize_float_test.cc): nearest equal, others within 1e-6 of the value range.
//
// Errors: RIDGE-PIPE-0001 for the target, or the image between both passes, out of bounds. Pure.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "pipeline/image.h"

namespace ridge::pipeline {

enum class Coordinates : std::uint8_t { kHalfPixel, kPytorchHalfPixel, kAlignCorners, kAsymmetric };
enum class FloatFilter : std::uint8_t { kLinear, kNearest, kCubic };
enum class NearestRounding : std::uint8_t { kHalfDown, kHalfUp, kFloor, kCeil };

struct FloatResize {
  FloatFilter filter = FloatFilter::kLinear;
  Coordinates coordinates = Coordinates::kHalfPixel;
  NearestRounding rounding = NearestRounding::kHalfDown;  ///< used by kNearest alone

  bool operator==(const FloatResize&) const = default;
};

Result<FloatImage> resize_float(const FloatImage& image, Size target, const FloatResize& how);

}  // namespace ridge::pipeline
