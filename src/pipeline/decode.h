// SPDX-License-Identifier: Apache-2.0
// A JPEG or PNG file as an image, the first step of a pipeline. The format is recognized by the
// first bytes, never by a name.
//
//   Image image = TRY(decode(bytes, {.color = Color::kBgr}));
//
// With the defaults the result equals Pillow's Image.open(file).convert("RGB"); with kBgr and
// Turn::kExif it equals OpenCV's imread(file) (CMYK files excepted, which OpenCV converts by other
// arithmetic). Pillow ignores the orientation in a file's Exif data unless ImageOps.exif_transpose
// is called, OpenCV follows it: a photograph taken upright may be judged lying on its side.
// Arithmetic: jpeg.h, png.h, color.h, exif.h, in this order: decoded, turned, recolored.
//
// Gray is Pillow's convert("L") of RGB (color.h), or with GrayBy::kOpencv the gray of OpenCV's
// imread(file, IMREAD_GRAYSCALE), which differs by format: the luma as a JPEG file stores it, and
// libpng's (9797 r + 19234 g + 3737 b) >> 15 of PNG. Neither is cvtColor(image, COLOR_BGR2GRAY),
// for which OpenCV rounds (9798 r + 19235 g + 3735 b) / 2^15. Equal in versions 4.5.5 to 5.0.
//
// Errors (input class): another format RIDGE-PIPE-0002; errors of jpeg.h and png.h. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "pipeline/color.h"
#include "pipeline/image.h"
#include "pipeline/jpeg.h"

namespace ridge::pipeline {

enum class FileFormat : std::uint8_t { kJpeg, kPng };
enum class Turn : std::uint8_t { kNever, kExif };
enum class GrayBy : std::uint8_t { kPillow, kOpencv };

struct Decode {
  Color color = Color::kRgb;
  Turn turn = Turn::kNever;
  JpegOptions jpeg;
  GrayBy gray = GrayBy::kPillow;  ///< used by Color::kGray alone

  bool operator==(const Decode&) const = default;
};

/// nullopt for a format that is not read.
std::optional<FileFormat> recognize(std::span<const std::byte> file);

/// Called with the decoder's warning about a file whose data are damaged.
using Warned = std::function<void(const std::string& warning)>;

Result<Image> decode(std::span<const std::byte> file, const Decode& step,
                     const Warned& warned = {});

}  // namespace ridge::pipeline
