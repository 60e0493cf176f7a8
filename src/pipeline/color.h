// SPDX-License-Identifier: Apache-2.0
// Order of channels, and gray.
//
//   Image gray = recolored(std::move(image), Color::kGray);
//
// Gray from RGB is Pillow's convert("L") (ITU-R BT.601 luma in 16 bits):
// (19595 r + 38470 g + 7471 b + 32768) >> 16. Gray as RGB repeats the value. Pure functions.
#pragma once

#include <cstdint>

#include "pipeline/image.h"

namespace ridge::pipeline {

enum class Color : std::uint8_t { kRgb, kBgr, kGray };

/// Converts gray (one channel) or RGB (three) into `color`.
Image recolored(Image image, Color color);

/// Reverses the channels of each pixel: RGB becomes BGR and back.
void reverse_channels(Image& image);
void reverse_channels(FloatImage& image);

}  // namespace ridge::pipeline
