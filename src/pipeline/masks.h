// SPDX-License-Identifier: Apache-2.0
// Masks of a segmentation model: the class of every pixel.
//
//   const auto classes = argmax(scores, {.outer = 1, .count = 21, .inner = 513 * 513});   // NCHW
//   const auto classes = argmax(scores, {.outer = 513 * 513, .count = 21, .inner = 1});   // NHWC
//
// Of equal scores the lower class counts, as in numpy.argmax. NaN is below every number (numpy
// takes the first NaN). Pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/softmax.h"

namespace ridge::pipeline {

/// Index of the highest value of each of the outer x inner lines along the axis; -1 without values.
std::vector<std::int32_t> argmax(std::span<const float> scores, const Axis& axis);

/// 1 where the value is above `limit`, else 0; NaN is 0.
std::vector<std::uint8_t> above(std::span<const float> values, float limit);

}  // namespace ridge::pipeline
