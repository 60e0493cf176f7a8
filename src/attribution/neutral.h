// SPDX-License-Identifier: Apache-2.0
// Nodes without effect: the output equals one of the inputs, element by element, for every input of
// that type and shape.
#pragma once

#include <cstddef>
#include <optional>

#include "analysis/resolved.h"

namespace ridge::attribution {

/// Returns the input that the node passes through: of Identity; Cast to the same type; Reshape,
/// Squeeze, Slice, Pad, Expand, Tile and similar to the same shape; Concat, Sum, Max, Min and Mean
/// of one input; Einsum that keeps all axes; Transpose that moves only dimensions of 1; adding or
/// subtracting 0, multiplying or dividing by 1. nullopt for any other node, and if a shape or
/// constant is unknown.
std::optional<std::size_t> neutral_input(const analysis::Resolved& resolved, graph::NodeId node);

}  // namespace ridge::attribution
