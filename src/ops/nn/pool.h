// SPDX-License-Identifier: Apache-2.0
// Shapes and number of combining operations of poolings, shared by all pooling operators.
#pragma once

#include "ops/layout.h"
#include "ops/rule.h"

namespace ridge::ops {

/// Sets output 0 (and output 1 if used) to the pooled shape of input 0.
Result<void> infer_pool(Context& c, Layout layout);
/// Sets output 0 to input 0 with a single position.
Result<void> infer_global_pool(Context& c, Layout layout);

/// Number of combining operations: k - 1 per output of a window with k values.
Dim pooled(Context& c);
/// Number of combining operations of a global pooling: inputs - outputs.
Dim pooled_globally(Context& c);

}  // namespace ridge::ops
