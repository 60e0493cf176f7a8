// SPDX-License-Identifier: Apache-2.0
// Description of the differences between a node and its partner.
#pragma once

#include <string>
#include <vector>

#include "analysis/resolved.h"

namespace ridge::compare {

/// Lists differences of attributes, small constants, and types of inputs and outputs: "kernel_shape
/// [3, 3] -> [5, 5]". Empty if none of them differ.
std::vector<std::string> changes(const analysis::Resolved& a, graph::NodeId in_a,
                                 const analysis::Resolved& b, graph::NodeId in_b);

}  // namespace ridge::compare
