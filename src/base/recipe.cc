// SPDX-License-Identifier: Apache-2.0
#include "base/recipe.h"

namespace ridge {
namespace {

/// SplitMix64's finalizer (Steele, Lea, Flood 2014): counter-based, so that elements can be
/// generated in any order.
constexpr std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

void fill(const SeededTensor& recipe, std::uint64_t first, std::span<float> out) {
  constexpr float kUnit = 1.0F / (1U << 23);  // maps 24 random bits to [-1, 1)
  const std::uint64_t base = mix(recipe.seed + 0x9e3779b97f4a7c15ULL);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t bits = mix(base + (first + i) * 0x9e3779b97f4a7c15ULL) >> 40;
    out[i] = recipe.mean + recipe.scale * (static_cast<float>(bits) * kUnit - 1.0F);
  }
}

}  // namespace ridge
