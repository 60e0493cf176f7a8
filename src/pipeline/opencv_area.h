// SPDX-License-Identifier: Apache-2.0
// OpenCV's INTER_AREA where both axes shrink: means of the covered pixels (see resize_opencv.h).
// Pure functions.
#pragma once

#include "pipeline/image.h"

namespace ridge::pipeline {

/// Fills `out`, whose sides divide the sides of `image`.
void mean_of_blocks(const Image& image, Image& out);

/// Fills `out`, whose sides are not longer than `image`'s. Each pixel counts with the share of it
/// that the output pixel covers.
void mean_of_areas(const Image& image, Image& out);

}  // namespace ridge::pipeline
