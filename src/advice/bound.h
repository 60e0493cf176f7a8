// SPDX-License-Identifier: Apache-2.0
// The least time of a measured model under the roofs of the machine.
//
//   const KernelBound bound = bound_of(graph, profile, all_processors);
//
// In parallel, layers share the processors, whatever their order. So no run is shorter than the
// longest path, nor than the time that all layers need of any one roof of the whole machine (its
// arithmetic, the bandwidth of one cache or of the memory):
//
//   critical path = max( longest path, max over roofs r of sum of the bounds that r determines )
//
//   Two independent layers, 3 ms each at the memory's bandwidth: the longest path is 3 ms, but the
//   bytes of both pass through one memory: 6 ms.
//
// Neither is it shorter than what a level needs for the weights and inputs that the run reads and
// the caches before it cannot keep (roofline/bound.h), which count once whoever reads them.
//
// Caches and memory that processors share count, beside that, only layers whose inputs no other
// layer reads: one transfer could serve two layers at once.
//
// A layer that executes nodes but has no bound, since its work or its roof is unknown, counts as 0
// and its nodes are listed. A layer that the runtime inserted has none and needs none: another
// implementation would not have it. Thread rule: pure.
#pragma once

#include "advice/layer_graph.h"
#include "advice/record/advice.h"
#include "roofline/roofs.h"

namespace ridge::advice {

/// `all`: roofs of all processors of the machine.
KernelBound bound_of(const LayerGraph& graph, const profile::Profile& profile,
                     const roofline::Roofs& all);

/// Latency with the threads of `all`, if every layer that several threads make faster keeps its
/// share of its roof: time outside layers + sum of (time * bound under `all` / bound under the
/// run's roofs). Other layers stay as they are: those without a bound, those that run on one
/// thread, and those too brief to be divided. Not above the latency. nullopt: no layer has a bound.
std::optional<double> scaled_to(const profile::Profile& profile, const roofline::Roofs& all);

}  // namespace ridge::advice
