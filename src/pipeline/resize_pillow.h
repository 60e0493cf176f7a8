// SPDX-License-Identifier: Apache-2.0
// Resizing of 8-bit images by the arithmetic of Pillow's Image.resize, byte for byte.
//
//   Image small = TRY(resize_pillow(image, {224, 224}, PillowFilter::kBilinear));
//
// Antialiased: the filter is stretched by the scale when an image shrinks, so every input pixel
// counts. For output position x of n out of m inputs, with scale = m / n, stretch = max(scale, 1),
// center = (x + 0.5) * scale and s = support * stretch, the taps are the inputs from int(center - s
// + 0.5) to int(center + s + 0.5), cut to the image, with weights f((i - center + 0.5) / stretch)
// normalized to a sum of 1 (libImaging/Resample.c, precompute_coeffs). In fixed point: weights are
// rounded to 22 fractional bits; a pixel is the sum of weight x value + 2^21, shifted right by 22
// and clamped to 0..255. One axis is resized first, and rounded to 8 bits, then the other; an axis
// that keeps its length is skipped.
//
// Which axis is first changes pixels (by up to 39 of 255 on noise with lanczos):
//   kSince13   Pillow 13.0: columns first if the height shrinks, and by more than twice as many
//              pixels as the width does; else rows first
//   kUntil12   Pillow 12 and before: columns first if the height shrinks and is more than 100 times
//              the width; else rows first
//
//   filter     support  f(t), 0 outside the support
//   box        0.5      1 for -0.5 < t <= 0.5
//   bilinear   1        1 - |t|
//   hamming    1        sinc(t) (0.54 + 0.46 cos(pi t)), both constants rounded to float
//   bicubic    2        Keys' cubic with a = -0.5
//   lanczos    3        sinc(t) sinc(t / 3)
//   nearest             the input at int(x * scale + scale / 2), a running sum in double
//
// Errors: RIDGE-PIPE-0001 for a target, or the image between both passes, out of bounds. Cost:
// pixels of the image between and of the target, times their taps. Pure function.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "pipeline/image.h"
#include "pipeline/pillow_filter.h"

namespace ridge::pipeline {

enum class PillowRelease : std::uint8_t { kSince13, kUntil12 };

Result<Image> resize_pillow(const Image& image, Size target, PillowFilter filter,
                            PillowRelease release = PillowRelease::kSince13);

}  // namespace ridge::pipeline
