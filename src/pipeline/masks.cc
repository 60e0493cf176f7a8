// SPDX-License-Identifier: Apache-2.0
#include "pipeline/masks.h"

#include <algorithm>
#include <cmath>

namespace ridge::pipeline {

std::vector<std::int32_t> argmax(std::span<const float> scores, const Axis& axis) {
  std::vector<std::int32_t> best(axis.outer * axis.inner, axis.count == 0 ? -1 : 0);
  std::vector<float> most(axis.inner);
  for (std::size_t outer = 0; outer < axis.outer; ++outer)
    for (std::size_t i = 0; i < axis.count; ++i) {
      const float* line = scores.data() + (outer * axis.count + i) * axis.inner;
      std::int32_t* found = best.data() + outer * axis.inner;
      for (std::size_t n = 0; n < axis.inner; ++n) {
        const bool better =
            i == 0 || line[n] > most[n] || (std::isnan(most[n]) && !std::isnan(line[n]));
        if (!better) continue;
        most[n] = line[n];
        found[n] = static_cast<std::int32_t>(i);
      }
    }
  return best;
}

std::vector<std::uint8_t> above(std::span<const float> values, float limit) {
  std::vector<std::uint8_t> mask(values.size());
  std::transform(values.begin(), values.end(), mask.begin(),
                 [limit](float value) { return static_cast<std::uint8_t>(value > limit); });
  return mask;
}

}  // namespace ridge::pipeline
