// Kernels and their members to layers. Private to attribution.cc.
#pragma once

#include "attribution/attribution.h"
#include "attribution/placement.h"

namespace ridge::attribution {

/// Fills kernels, layers and layer_of. A kernel with members makes a layer; one without joins the
/// layer of its first reader in its region, else of a maker there, else of its first reader at all,
/// unless the runtime inserted it: then it stays a layer of its own.
void build_layers(const Original& original, const OptimisedGraph& graph, const Anchors& anchors,
                  const Regions& regions, const Placement& placement, Attribution& out);

}  // namespace ridge::attribution
