// Whether a member's arithmetic is performed at run time or lives on in constants.
#pragma once

#include <string_view>
#include <vector>

#include "attribution/original.h"

namespace ridge::attribution {

/// Of the nodes that one kernel computes (ascending): those whose arithmetic went into the
/// constants of a product before them, by node. A BatchNormalization after a convolution scales its
/// weights and shifts its bias; so does multiplying by a constant, and adding one where there is a
/// bias to add it to. A sum or activation after these is still computed, and executes.
std::vector<NodeId> absorbed_nodes(const Original& original, const std::vector<NodeId>& members,
                                   std::string_view kernel_op);

}  // namespace ridge::attribution
