// SPDX-License-Identifier: Apache-2.0
// Image of a file with the orientation that the file states, and the error that both formats share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "pipeline/image.h"

namespace ridge::pipeline {

/// Channels of a decoded image: the file's, or gray alone.
enum class Channels : std::uint8_t { kOfFile, kLuma };

struct Photo {
  Image image;          ///< as stored in the file
  int orientation = 1;  ///< 1 to 8, see pipeline/exif.h
  /// The decoder's first warning: the data are damaged, and pixels may be wrong; "": none.
  std::string warning = {};
};

/// Error for a file of `format` that ends before its image does (RIDGE-PIPE-0003).
Error ended_early(std::string_view format, std::string evidence = {});

/// ended_early() for a file of `bytes` bytes, too short for an image of that size.
Error too_short_for(std::string_view format, std::size_t bytes, std::uint64_t width,
                    std::uint64_t height);

}  // namespace ridge::pipeline
