// SPDX-License-Identifier: Apache-2.0
// Cost of normalization, for operators that combine it with other work.
#pragma once

#include "ops/rule.h"

namespace ridge::ops {

/// Work to normalize `n` elements in `m` groups by the function body of LayerNormalization (opset
/// 17): two means, square, variance, epsilon and square root, subtract and divide, then scale and
/// optionally bias.
Work normalized(Context& c, Dim n, Dim m, bool bias);
/// Work to normalize by the function body of RMSNormalization (opset 23): square, mean, epsilon,
/// square root, divide, scale.
Work rms_normalized(Context& c, Dim n, Dim m);

}  // namespace ridge::ops
