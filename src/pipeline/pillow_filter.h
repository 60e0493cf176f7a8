// SPDX-License-Identifier: Apache-2.0
// Filters of Pillow's resize (see resize_pillow.h), stated apart from it for those who name them.
#pragma once

#include <cstdint>

namespace ridge::pipeline {

enum class PillowFilter : std::uint8_t { kNearest, kBox, kBilinear, kHamming, kBicubic, kLanczos };

}  // namespace ridge::pipeline
