// What normalising costs, for the operators that also do something else.
#pragma once

#include "ops/rule.h"

namespace ridge::ops {

/// `n` elements in `m` groups that are normalised together, by the function body of
/// LayerNormalization (opset 17): two means, square, variance, epsilon and square root, subtract
/// and divide, then scale and, where given, bias.
Work normalised(Context& c, Dim n, Dim m, bool bias);
/// The same by the body of RMSNormalization (opset 23): square, mean, epsilon, square root, divide,
/// scale.
Work rms_normalised(Context& c, Dim n, Dim m);

}  // namespace ridge::ops
