// SPDX-License-Identifier: Apache-2.0
// Images as tensors: order of the axes.
//
//   Tensor input = arranged(values, Layout::kNchw);      // dims 1, 3, 224, 224
//
// Images become float32 or uint8 tensors, as their values are. Pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "pipeline/image.h"

namespace ridge::pipeline {

enum class Layout : std::uint8_t { kHwc, kChw, kNhwc, kNchw };

Tensor arranged(const Image& image, Layout layout);
Tensor arranged(const FloatImage& image, Layout layout);

/// Dims of an arranged image.
std::vector<std::int64_t> arranged_dims(std::int64_t width, std::int64_t height,
                                        std::int64_t channels, Layout layout);

}  // namespace ridge::pipeline
