// SPDX-License-Identifier: Apache-2.0
// Pixels of an image as the metrics of images take them: borrowed, rows from top to bottom,
// channels interleaved. Plain data, no thread rule.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/result.h"

namespace ridge::accuracy {

struct ImageView {
  std::span<const float> values;  ///< [(y x width + x) x channels + channel]
  std::size_t width = 0, height = 0, channels = 1;
};

/// Input errors: an image whose values are not width x height x channels, two images of different
/// sizes.
Result<void> check_images(std::string_view metric, const ImageView& reference,
                          const ImageView& found);

}  // namespace ridge::accuracy
