// SPDX-License-Identifier: Apache-2.0
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

/// Two weights a and b as halves of 16 bits, b above a: w = high * 2^11 + low, high = w >> 11.
struct WeightPair {
  std::uint32_t high = 0, low = 0;
};
inline constexpr int kLowBits = 11;

constexpr WeightPair weight_pair(std::int32_t a, std::int32_t b) {
  constexpr std::int32_t kMask = (1 << kLowBits) - 1;
  const auto both = [](std::int32_t lower, std::int32_t upper) {
    return static_cast<std::uint32_t>(upper) << 16 | (static_cast<std::uint32_t>(lower) & 0xFFFF);
  };
  return {both(a >> kLowBits, b >> kLowBits), both(a & kMask, b & kMask)};
}

struct PillowTaps {
  std::size_t most = 0;  ///< room for the weights of one output, an even number
  std::vector<int> first;
  std::vector<int> count;
  std::vector<std::int32_t> all;
  std::vector<WeightPair> all_pairs;

  std::span<const std::int32_t> weights(std::size_t output) const {
    return {all.data() + output * most, static_cast<std::size_t>(count[output])};
  }
  /// Weights by twos; after an odd number a weight of 0 follows.
  std::span<const WeightPair> pairs(std::size_t output) const {
    return {all_pairs.data() + output * (most / 2),
            (static_cast<std::size_t>(count[output]) + 1) / 2};
  }
};

/// `filter` is not kNearest; both lengths are at least 1.
PillowTaps pillow_taps(int inputs, int outputs, PillowFilter filter);

}  // namespace ridge::pipeline
