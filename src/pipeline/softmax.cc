// SPDX-License-Identifier: Apache-2.0
#include "pipeline/softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ridge::pipeline {
namespace {

void softmax_line(float* values, std::size_t count, std::size_t stride) {
  double most = -std::numeric_limits<double>::infinity(), sum = 0;
  for (std::size_t i = 0; i < count; ++i) most = std::max(most, double{values[i * stride]});
  for (std::size_t i = 0; i < count; ++i) sum += std::exp(values[i * stride] - most);
  for (std::size_t i = 0; i < count; ++i)
    values[i * stride] = static_cast<float>(std::exp(values[i * stride] - most) / sum);
}

}  // namespace

void softmax(std::span<float> values, const Axis& axis) {
  for (std::size_t outer = 0; outer < axis.outer; ++outer)
    for (std::size_t inner = 0; inner < axis.inner; ++inner)
      softmax_line(values.data() + outer * axis.count * axis.inner + inner, axis.count, axis.inner);
}

}  // namespace ridge::pipeline
