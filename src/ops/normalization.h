// What normalising costs, for the operators that also do something else.
#pragma once

#include "ops/rule.h"

namespace ridge::ops {

/// `n` elements in `m` groups that are normalised together, by the function body of
/// LayerNormalization (opset 17): two means, square, variance, epsilon and square root, subtract
/// and divide, then scale and, where given, bias.
Work normalised(Context& c, Dim n, Dim m, bool bias);

}  // namespace ridge::ops
