// What a layer's weights and results take in memory when its products are padded.
//
//   const std::optional<PaddedBytes> b = padded_bytes(profile, layer, padded);
//
// A tensor that is the K x N or the M x N matrix of one of the products, or those of all `count`,
// is stored at the padded size; so is the only weight of a layer with one product where its
// elements share bytes. What is no such matrix (a bias, the slope of an activation, an input with
// its padding) stays as it is. Thread rule: pure function.
#pragma once

#include <cstdint>
#include <optional>

#include "accelerator/lowering.h"
#include "accelerator/nests/layer_profile.h"

namespace ridge::accelerator {

struct PaddedBytes {
  std::int64_t parameters = 0, allocated = 0;
};

/// `before` and `after` padding: the same layer. nullopt: nothing is known of its memory.
std::optional<PaddedBytes> padded_bytes(const LayerProfile* memory, const Layer& before,
                                        const Layer& after);

}  // namespace ridge::accelerator
