// SPDX-License-Identifier: Apache-2.0
// Seeded tensors: elements are generated on use instead of stored, identical on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ridge {

/// Parameters that determine the elements of a tensor. Plain data, part of a model's identity.
struct SeededTensor {
  std::uint64_t seed = 0;
  float mean = 0;
  float scale = 0;  ///< uniform in [mean - scale, mean + scale)
};

/// Writes elements [first, first + out.size()) of the tensor as float32; each element depends only
/// on the recipe and its index.
void fill(const SeededTensor& recipe, std::uint64_t first, std::span<float> out);

}  // namespace ridge
