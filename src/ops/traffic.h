// SPDX-License-Identifier: Apache-2.0
// Helper for traffic rules.
#pragma once

#include <cstddef>

#include "ops/operator.h"

namespace ridge::ops {

/// Total bytes of the inputs from `first` on, each value once; unknown if one is unknown. Linear
/// time, even for a hundred thousand inputs.
Dim distinct_bytes(Context& c, std::size_t first);

}  // namespace ridge::ops
