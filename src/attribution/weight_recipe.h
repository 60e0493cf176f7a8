// Elements for a weight that a file gives as one repeated value: seeded, and spread as its use
// wants it.
//
// A network whose weights are all alike has activations that are all alike: they blow up or vanish,
// and a runtime merges what is equal. Multiplied weights are scaled by the square root of what is
// summed over (He et al. 2015 for convolutions, Glorot and Bengio 2010 else), so that activations
// keep their size; scales of normalisations lie around 1, variances are positive, biases are small.
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/resolved.h"
#include "base/recipe.h"

namespace ridge::attribution {

/// A recipe for the constant `weight`, or nullopt where what reads it is no weight (a mask, a start
/// of a loop, a target of a scatter).
std::optional<SeededTensor> recipe_for(const analysis::Resolved& resolved, graph::ValueId weight,
                                       std::uint64_t seed);

}  // namespace ridge::attribution
