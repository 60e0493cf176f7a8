// SPDX-License-Identifier: Apache-2.0
// Classification of the nodes that placement left without a kernel. Private to attributor.cc.
#pragma once

#include <vector>

#include "attribution/optimized.h"
#include "attribution/original.h"
#include "attribution/placement.h"
#include "attribution/value_numbers.h"
#include "profile/profile.h"

namespace ridge::attribution {

struct Leftovers {
  std::vector<profile::WithoutLayer> without;
  std::vector<NodeId> unplaced;
};

/// Lists nodes that were computed at load time, have no effect, are dead, equal a placed node or
/// lie in a branch that is never taken. A node that the runtime lists for a kernel is placed there,
/// even if no walk reached it. Nodes inside control flow whose body the runtime does not show are
/// placed in its kernel; all others are placed with a neighbor, as a guess. All three kinds are
/// added to `placement`.
Leftovers settle_leftovers(const Original& original, const ValueNumbers& numbers,
                           const OptimizedGraph& graph, Placement& placement);

}  // namespace ridge::attribution
