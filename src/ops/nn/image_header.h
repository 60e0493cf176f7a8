// SPDX-License-Identifier: Apache-2.0
// Reads the size of an encoded image from its header: BMP, JPEG, JPEG 2000, PNG, PNM, TIFF, WebP.
#pragma once

#include <span>

#include "ops/dim.h"

namespace ridge::ops {

struct ImageSize {
  Dim height, width;  ///< unknown if the format is not recognized or the header truncated
};

/// `bytes`: the file contents, one byte per element.
ImageSize image_size(std::span<const Dim> bytes);

}  // namespace ridge::ops
