// SPDX-License-Identifier: Apache-2.0
// Roles of members: executed at run time, or absorbed into constants.
#pragma once

#include <string_view>
#include <vector>

#include "attribution/original.h"

namespace ridge::attribution {

/// Returns the nodes among one kernel's (ascending) whose arithmetic was merged into the constants
/// of a preceding product, ascending. A BatchNormalization after a convolution is merged into its
/// weights and bias; so is multiplication by a constant, and addition of a constant if there is
/// already a bias. A sum or activation after these is still computed, and executes.
std::vector<NodeId> absorbed_nodes(const Original& original, const std::vector<NodeId>& members,
                                   std::string_view kernel_op);

}  // namespace ridge::attribution
