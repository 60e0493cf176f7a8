// SPDX-License-Identifier: Apache-2.0
// Cost of activations per element, for operators with a fused activation.
#pragma once

#include <optional>
#include <string_view>

#include "ops/rule.h"

namespace ridge::ops {

/// x * (1 + erf(x / sqrt 2)) / 2, as the function body of Gelu (opset 20) computes it.
inline constexpr Cost kGeluErf{.flops = 3, .special = 2};
/// Tanh approximation of Gelu in the same function body: a pow, a tanh.
inline constexpr Cost kGeluTanh{.flops = 6, .special = 2};
/// x * sigmoid(x).
inline constexpr Cost kSilu{.flops = 1, .special = 1};

/// Returns the cost of an activation by its attribute name, including "" and "none"; nullopt for an
/// unknown name.
std::optional<Cost> activation_cost(std::string_view name);

}  // namespace ridge::ops
