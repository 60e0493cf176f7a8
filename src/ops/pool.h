// The shapes and the combining of pools, for every operator that is one.
#pragma once

#include "ops/layout.h"
#include "ops/rule.h"

namespace ridge::ops {

/// Sets output 0, and output 1 where it is wanted, to what the window leaves of input 0.
Result<void> infer_pool(Context& c, Layout layout);
/// Sets output 0 to input 0 with one position.
Result<void> infer_global_pool(Context& c, Layout layout);

/// How often two values are combined: k - 1 times per output of a window of k values.
Dim pooled(Context& c);
/// Inputs less outputs.
Dim pooled_globally(Context& c);

}  // namespace ridge::ops
