// The size of an encoded image, as its header says: BMP, JPEG, JPEG 2000, PNG, PNM, TIFF, WebP.
#pragma once

#include <span>

#include "ops/dim.h"

namespace ridge::ops {

struct ImageSize {
  Dim height, width;  ///< unknown where the header is of no known format, or cut off
};

/// `bytes`: the file, one byte per element.
ImageSize image_size(std::span<const Dim> bytes);

}  // namespace ridge::ops
