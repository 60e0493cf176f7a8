// SPDX-License-Identifier: Apache-2.0
// Memory of a layer's weights and results when its products are padded.
//
//   const std::optional<PaddedBytes> b = padded_bytes(profile, layer, padded);
//
// A tensor that is the K x N or M x N matrix of one of the products, or of all `count` of them, is
// stored at the padded size; so is a weight that is added to the M x N matrix. In a layer with one
// product, any other weight that is no vector (elements that share bytes, scales and zero points of
// blocks of elements) grows in proportion to the K x N matrix. All other tensors (a bias, the slope
// of an activation, an input with its padding) keep their size.
// Thread rule: pure function.
#pragma once

#include <cstdint>
#include <optional>

#include "accelerator/lowering.h"
#include "accelerator/nests/layer_profile.h"

namespace ridge::accelerator {

struct PaddedBytes {
  std::int64_t parameters = 0, allocated = 0;
};

/// Memory after padding. `before` and `after`: the same layer without and with padding. nullopt:
/// the layer's memory is unknown.
std::optional<PaddedBytes> padded_bytes(const LayerProfile* memory, const Layer& before,
                                        const Layer& after);

}  // namespace ridge::accelerator
