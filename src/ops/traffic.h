// What traffic rules share.
#pragma once

#include <cstddef>

#include "ops/operator.h"

namespace ridge::ops {

/// Bytes of the inputs from `first` on, each value once; unknown where one is. Linear, also in a
/// hundred thousand inputs.
Dim distinct_bytes(Context& c, std::size_t first);

}  // namespace ridge::ops
