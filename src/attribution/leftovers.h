// Classification of the nodes that placement left without a kernel. Private to attribution.cc.
#pragma once

#include <vector>

#include "attribution/placement.h"

namespace ridge::attribution {

struct Leftovers {
  std::vector<profile::WithoutLayer> without;
  std::vector<NodeId> unplaced;
};

/// Lists nodes that were computed at load time, have no effect, are dead, equal a placed node or
/// lie in a branch that is never taken. Nodes inside control flow whose body the runtime does not
/// show are placed in its kernel; all others are placed with a neighbor, as a guess. Both kinds are
/// added to `placement`.
Leftovers settle_leftovers(const Original& original, const ValueNumbers& numbers,
                           Placement& placement);

}  // namespace ridge::attribution
