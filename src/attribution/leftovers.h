// Why a node has no kernel: decided for each node that placement left over. Private to
// attribution.cc.
#pragma once

#include <vector>

#include "attribution/placement.h"

namespace ridge::attribution {

struct Leftovers {
  std::vector<profile::WithoutLayer> without;
  std::vector<NodeId> unplaced;
};

/// Nodes that were computed at load, have no effect, are dead, equal a placed node or stand in a
/// branch that is never taken are listed. What is inside a control-flow node whose body the runtime
/// does not show runs in that node's kernel; anything else is placed with a neighbour, as a guess.
/// Both are added to `placement`.
Leftovers settle_leftovers(const Original& original, const ValueNumbers& numbers,
                           Placement& placement);

}  // namespace ridge::attribution
