// In which words a node differs from its partner.
#pragma once

#include <string>
#include <vector>

#include "analysis/resolved.h"

namespace ridge::compare {

/// Attributes, constants that steer, types of inputs and outputs: "kernel_shape [3, 3] -> [5, 5]".
/// Empty where nothing of it differs.
std::vector<std::string> changes(const analysis::Resolved& a, graph::NodeId in_a,
                                 const analysis::Resolved& b, graph::NodeId in_b);

}  // namespace ridge::compare
