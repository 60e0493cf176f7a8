// SPDX-License-Identifier: Apache-2.0
// Loop nest of one node, with its parameters. Plain data, made by layer_nest (registry.h).
//
// Buffers are the node's tensors with their own shapes and element types. An operator that
// accumulates in another type, or in a form that is summed later, has an additional buffer for
// that. Every block belongs to the node, so that the nest reports the same figures as a compiler's.
#pragma once

#include <cstdint>
#include <vector>

#include "accelerator/nests/loop_nest.h"
#include "accelerator/nests/profile.h"

namespace ridge::accelerator {

/// Implementation of a convolution's padding.
enum class PaddingForm : std::uint8_t {
  kBlock,      ///< a block copies the input into a padded buffer, as compilers do
  kCondition,  ///< the load is conditional, nothing is copied
};

struct LayerNest {
  Nest nest;
  std::vector<NestParameter> parameters;
  std::int64_t repeat = 1;  ///< executions of the body that contains the node
};

}  // namespace ridge::accelerator
