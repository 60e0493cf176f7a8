// SPDX-License-Identifier: Apache-2.0
// Grouping of kernels and their members into layers. Private to attributor.cc.
#pragma once

#include "attribution/anchors.h"
#include "attribution/attribution.h"
#include "attribution/optimized.h"
#include "attribution/original.h"
#include "attribution/placement.h"
#include "attribution/regions.h"

namespace ridge::attribution {

/// Fills kernels, layers and layer_of. A kernel with members starts a layer. A kernel without
/// members joins the layer of its first reader in its region, else of a producer there, else of its
/// first reader anywhere, else of a producer; a kernel that the runtime inserted, or without such a
/// neighbor, is a layer of its own. `joined`: the regions in which kernels join, as names give
/// them.
void build_layers(const Original& original, const OptimizedGraph& graph, const Anchors& anchors,
                  const Regions& regions, const Regions& joined, const Placement& placement,
                  Attribution& out);

}  // namespace ridge::attribution
