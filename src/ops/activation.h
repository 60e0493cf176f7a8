// What the forms of Gelu cost per element.
#pragma once

#include "ops/rule.h"

namespace ridge::ops {

/// x * (1 + erf(x / sqrt 2)) / 2, as the function body of Gelu (opset 20) computes it.
inline constexpr Cost kGeluErf{.flops = 3, .special = 2};
/// The tanh approximation of the same body: a pow, a tanh.
inline constexpr Cost kGeluTanh{.flops = 6, .special = 2};

}  // namespace ridge::ops
