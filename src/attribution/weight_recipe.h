// SPDX-License-Identifier: Apache-2.0
// Seeded random elements for a weight that a file stores as one repeated value. The distribution
// depends on how the model uses the weight.
//
// In a network with equal weights all activations are equal: they explode or vanish, and a runtime
// merges equal nodes. Weights of products are scaled by the inverse square root of the number of
// summed terms (He et al. 2015 for convolutions, Glorot and Bengio 2010 otherwise), so that
// activations keep their magnitude; scales of normalizations lie around 1, variances are positive,
// biases are small.
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/resolved.h"
#include "base/recipe.h"

namespace ridge::attribution {

/// Returns a recipe for the constant `weight`, or nullopt if its readers show that it is not a
/// weight (a mask, the initial value of a loop, the target of a scatter).
std::optional<SeededTensor> recipe_for(const analysis::Resolved& resolved, graph::ValueId weight,
                                       std::uint64_t seed);

}  // namespace ridge::attribution
