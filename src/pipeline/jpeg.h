// SPDX-License-Identifier: Apache-2.0
// JPEG files as 8-bit images, by libjpeg-turbo.
//
//   Photo photo = TRY(decode_jpeg(bytes, {}));        // Pillow's and OpenCV's settings
//
// Which of two exact transforms and of two chroma filters a decoder uses changes pixels, and with
// them predictions:
//   Dct::kIslow   integer transform of 13 bits (Loeffler et al. 1989); Pillow, OpenCV, torchvision
//   Dct::kIfast   integer transform of 8 bits (Arai et al. 1988); TensorFlow's default
//   Upsampling::kFancy   chroma at half resolution by a triangle filter, weights 3/4 and 1/4
//   Upsampling::kBox     chroma repeated; TensorFlow with fancy_upscaling=False
//
// Gray files have one channel, all others three in the order red, green, blue. CMYK and YCCK files
// are taken to be inverted, as Adobe writes them, and become RGB by Pillow's arithmetic:
// r = k - (255 - c) * k / 255, the quotient rounded, with c and k as stored in the file.
// Channels::kLuma gives the luma as the file stores it, in one channel; of CMYK files OpenCV's
// (4899 r + 9617 g + 1868 b) / 2^14, rounded, with r = k - (((255 - c) * k) >> 8).
//
// Errors: a truncated file (RIDGE-PIPE-0003) is never completed with gray; files that libjpeg-turbo
// rejects are RIDGE-PIPE-0004, with its message; numbers of components other than 1, 3, 4
// RIDGE-PIPE-0005. Corrupt data that libjpeg-turbo warns about and decodes is accepted, as Pillow
// and OpenCV accept it; its warning is in Photo. Bounds: kMaxPixels; 100 scans; a file of Huffman
// codes has at least one bit for each block of 8 x 8, a shorter one is truncated. Pure function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "pipeline/photo.h"

namespace ridge::pipeline {

enum class Dct : std::uint8_t { kIslow, kIfast };
enum class Upsampling : std::uint8_t { kFancy, kBox };

struct JpegOptions {
  Dct dct = Dct::kIslow;
  Upsampling upsampling = Upsampling::kFancy;

  bool operator==(const JpegOptions&) const = default;
};

Result<Photo> decode_jpeg(std::span<const std::byte> file, const JpegOptions& options,
                          Channels channels = Channels::kOfFile);

}  // namespace ridge::pipeline
