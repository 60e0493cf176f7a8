// Nodes without effect: the output is one of the inputs, element by element, for every input of its
// type and shape.
#pragma once

#include <cstddef>
#include <optional>

#include "analysis/resolved.h"

namespace ridge::attribution {

/// The input that a node hands on: of Identity; Cast to the same type; Reshape, Squeeze, Slice,
/// Pad, Expand, Tile and the like to the same shape; Concat of one; Transpose that moves only
/// dimensions of 1; adding 0, multiplying or dividing by 1. nullopt for any other node, also where
/// a shape or constant is not known.
std::optional<std::size_t> neutral_input(const analysis::Resolved& resolved, graph::NodeId node);

}  // namespace ridge::attribution
