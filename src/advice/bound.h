// The least time of a measured model under the roofs of the machine.
//
//   const Bound bound = bound_of(graph, profile, all_processors);
//
// A layer that executes nodes but has no bound, since its work or its roof is unknown, counts as 0
// and its nodes are listed. A layer that the runtime inserted has none and needs none: another
// implementation would not have it. Thread rule: pure.
#pragma once

#include "advice/advice.h"
#include "advice/layer_graph.h"
#include "roofline/roofs.h"

namespace ridge::advice {

/// `all`: roofs of all processors of the machine.
Bound bound_of(const LayerGraph& graph, const profile::Profile& profile,
               const roofline::Roofs& all);

}  // namespace ridge::advice
