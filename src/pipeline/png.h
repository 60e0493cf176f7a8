// SPDX-License-Identifier: Apache-2.0
// PNG files as 8-bit images, by libpng.
//
//   Photo photo = TRY(decode_png(bytes));
//
// What becomes of what 8-bit RGB cannot hold, as Pillow's convert("RGB") and OpenCV's IMREAD_COLOR
// do it: 16 bits keep the upper byte, not a rounded one; gray of 1, 2 and 4 bits is multiplied by
// 255, 85 and 17; palettes become RGB; alpha, of pixels or palette, is dropped, not blended; gamma,
// color profile and animation are ignored. Gray files have one channel, all others three (RGB).
// Interlaced files are read whole. One exception: of gray files with 16 bits, Pillow makes all
// values above 255 white, which leaves no picture; here they keep the upper byte, as in OpenCV.
// Channels::kLuma makes gray of RGB as libpng does it for OpenCV: (9797 r + 19234 g + 3737 b) >>
// 15, of 16 bits before the upper byte is taken, and through the file's gamma if it states one.
//
// Errors: a file that ends early, and one too short for its size by deflate's bound of 1032:1
// (zlib's technical details), are RIDGE-PIPE-0003; files that libpng rejects, broken checksums of
// critical chunks among them, RIDGE-PIPE-0006 with its message. Text and profiles are skipped, so
// they cost nothing. Bound: kMaxPixels. Pure function.
#pragma once

#include <cstddef>
#include <span>

#include "base/result.h"
#include "pipeline/photo.h"

namespace ridge::pipeline {

Result<Photo> decode_png(std::span<const std::byte> file, Channels channels = Channels::kOfFile);

}  // namespace ridge::pipeline
