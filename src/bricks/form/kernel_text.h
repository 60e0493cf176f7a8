// SPDX-License-Identifier: Apache-2.0
// Texts of kernels, for keys and for comparing a brick with its piece.
//
//   kernels_text(network, layer) == "com.microsoft.nchwc.Conv, Relu; com.microsoft.ReorderInput"
//
// Thread rule: pure.
#pragma once

#include <string>

#include "bricks/network.h"

namespace ridge::bricks {

/// Domain and operator.
std::string operator_text(const graph::Node& kernel);

/// Fused activation, and precision and layout where the runtime lists them; each after a comma.
std::string details_text(const attribution::OptimizedGraph& graph, graph::NodeId kernel);

/// Kernels of a layer for the key of a piece: sorted, without the numbers of inputs, in which
/// versions of one operator differ.
std::string kernels_text(const Network& network, std::uint32_t layer);

}  // namespace ridge::bricks
