// Weights of Pillow's antialiased resize along one axis, in fixed point (see resize_pillow.h).
//
//   const PillowTaps taps = pillow_taps(640, 224, PillowFilter::kBilinear);
//   taps.weights(0)[i] is the weight of input taps.first[0] + i for output 0
//
// Pure function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/pillow_filter.h"

namespace ridge::pipeline {

/// Fractional bits of a weight: 32 less 8 for the pixel and 2 for sums beyond 1.
inline constexpr int kPillowBits = 32 - 8 - 2;

struct PillowTaps {
  std::size_t most = 0;  ///< room for the weights of one output
  std::vector<int> first;
  std::vector<int> count;
  std::vector<std::int32_t> all;

  std::span<const std::int32_t> weights(std::size_t output) const {
    return {all.data() + output * most, static_cast<std::size_t>(count[output])};
  }
};

/// `filter` is not kNearest; both lengths are at least 1.
PillowTaps pillow_taps(int inputs, int outputs, PillowFilter filter);

}  // namespace ridge::pipeline
