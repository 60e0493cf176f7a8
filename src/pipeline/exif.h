// SPDX-License-Identifier: Apache-2.0
// Orientation of a photograph, from its Exif data, and the image turned accordingly.
//
//   const int orientation = exif_orientation(app1_after_its_name);   // 1 to 8
//   Image upright = turned(std::move(image), orientation);
//
// The tag is 0x0112 of the first image file directory (Exif 2.32, 4.6.4). Orientation 1 is upright;
// 2 mirrored; 3 upside down; 4 = 3 mirrored; 5 transposed; 6 to be turned clockwise; 7 = 5 turned
// upside down; 8 to be turned counterclockwise. Pure functions.
#pragma once

#include <cstddef>
#include <span>

#include "pipeline/image.h"

namespace ridge::pipeline {

/// Reads the orientation from `tiff`, the bytes that begin with "II" or "MM". Returns 1 if the tag
/// is missing, or anything before it is invalid: such files are shown unturned.
int exif_orientation(std::span<const std::byte> tiff);

/// Returns the upright image, as Pillow's ImageOps.exif_transpose does. Orientations 5 to 8 swap
/// width and height. Others than 2 to 8 leave the image as it is.
Image turned(Image image, int orientation);

}  // namespace ridge::pipeline
