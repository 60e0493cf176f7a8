// What activations cost per element, for the operators that have one fused.
#pragma once

#include <optional>
#include <string_view>

#include "ops/rule.h"

namespace ridge::ops {

/// x * (1 + erf(x / sqrt 2)) / 2, as the function body of Gelu (opset 20) computes it.
inline constexpr Cost kGeluErf{.flops = 3, .special = 2};
/// The tanh approximation of the same body: a pow, a tanh.
inline constexpr Cost kGeluTanh{.flops = 6, .special = 2};
/// x * sigmoid(x).
inline constexpr Cost kSilu{.flops = 1, .special = 1};

/// Of an activation by its name in an attribute, "" and "none" among them; nullopt for one that is
/// not known.
std::optional<Cost> activation_cost(std::string_view name);

}  // namespace ridge::ops
