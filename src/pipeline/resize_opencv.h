// SPDX-License-Identifier: Apache-2.0
// Resizing of 8-bit images by the arithmetic of OpenCV's cv2.resize.
//
//   Image small = TRY(resize_opencv(image, {224, 224}, OpencvFilter::kLinear));
//
// Not antialiased, kArea excepted: an image that shrinks by more than two is sampled, not averaged.
// With scale = inputs / outputs along an axis (imgproc/src/resize.cpp of OpenCV 4.14):
//
//   linear   position (x + 0.5) * scale - 0.5 in float, clamped to the image; weights of the two
//            neighbors rounded to 11 fractional bits. Along rows the sum h is exact; along columns
//            ((b0 * (h0 >> 4)) >> 16) + ((b1 * (h1 >> 4)) >> 16), plus 2, shifted right by 2. Where
//            both axes shrink by exactly 2, kArea is used instead.
//   nearest  the input at floor(x * scale)
//   area     shrinking by whole numbers: the mean of the covered pixels, in float, rounded half to
//            even (by 2 x 2: (sum + 2) >> 2). Shrinking otherwise: pixels weighted by their covered
//            share, in float. Growing along an axis: linear, the positions where areas meet.
//   cubic    Keys' cubic with a = -0.75, weights of 11 fractional bits; the sum along columns in
//            float, rounded half to even, but of the last (elements of a row mod 8) in integers
//
// Equal to OpenCV byte for byte (resize_opencv_test.cc). Where OpenCV hands cubic to Intel IPP, as
// its wheels do unless cv2.ipp.setUseIPP(False) is called, results differ by at most 1.
// Errors: RIDGE-PIPE-0001 for a target out of bounds. Cost: linear in target pixels; area in input
// pixels. Pure function.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "pipeline/image.h"

namespace ridge::pipeline {

enum class OpencvFilter : std::uint8_t { kLinear, kNearest, kArea, kCubic };

Result<Image> resize_opencv(const Image& image, Size target, OpencvFilter filter);

}  // namespace ridge::pipeline
