// SPDX-License-Identifier: Apache-2.0
// Places of the layers of a run that have no node of the model: reorders, casts and copies that the
// runtime inserted. They stand between the layer that produces their input and those that read
// their output.
//
//   const std::vector<LayerEdge> edges = placed_layers(run, executed);
//   const LayerGraph graph(model, run, edges);
//
// `executed` is the graph that the runtime executes, of another load of the same model. Layers with
// nodes are the same in both if they have the same nodes. Names of inserted kernels change from
// load to load, so these are the same if operator and bytes are, in the order of execution. Edges
// then follow the tensors of the graph, also through kernels that took no time.
//
//   Conv(x) -> a, ReorderOutput(a) -> b, Softmax(b) -> c      Conv -> ReorderOutput -> Softmax
//
// A layer without a counterpart waits for the layer executed before it, and the next one waits for
// it: a chain, in which it never runs beside another. So a wrong guess promises too little.
//
// Thread rule: pure. Cost: O(layers log layers + edges).
#pragma once

#include <vector>

#include "advice/layer_graph.h"
#include "analysis/resolved.h"
#include "attribution/attribution.h"
#include "attribution/optimized.h"

namespace ridge::advice {

struct ExecutedGraph {
  const analysis::Resolved* model = nullptr;
  const attribution::OptimizedGraph* kernels = nullptr;
  const attribution::Attribution* layers = nullptr;
};

/// Edges to and from the layers without nodes.
std::vector<LayerEdge> placed_layers(const profile::Profile& run, const ExecutedGraph& executed);

}  // namespace ridge::advice
