// SPDX-License-Identifier: Apache-2.0
// Memory traffic across the boundaries of layers.
//
//   std::vector<LayerTraffic> t = boundary_traffic(resolved, graph, attribution);   // by layer
//
// A layer of one kernel that executes one whole node moves the bytes that the analysis defines for
// the node: each distinct input once, each output once, nothing for a view. Any other layer moves
// the tensors of the runtime's graph that enter or leave it, each once, with their size in the
// original; weights have the size of the original if the layer's product reads them. Tensors inside
// a fused layer and parameters that were folded away do not count. Totals over the executions of
// enclosing bodies. A tensor without counterpart in the original takes its size from the runtime's
// events (size_tensors); without these it is unknown and the figure is null.
//
// A constant that the runtime holds in a wider type than the model (float16 that it computes in
// float32) has the runtime's size.
//
// LayerTraffic::least is the minimum for the layer's bound: for each of these tensors the bytes
// that its readers cannot skip (analysis/bounds/min_work.h), at most its size in the runtime.
#pragma once

#include <string_view>
#include <vector>

#include "analysis/bounds/min_work.h"
#include "analysis/resolved.h"
#include "attribution/attribution.h"
#include "attribution/optimized.h"

namespace ridge::attribution {

struct LayerTraffic {
  profile::Count read, written;
  std::string_view reason;  ///< reason why one is null
  profile::Least least;

  profile::Count bytes() const {
    return read && written ? profile::Count(*read + *written) : std::nullopt;
  }
};

/// True if the layer is one kernel that executes one whole node, from its inputs to its outputs.
bool is_whole_node(const analysis::Resolved& resolved, const OptimizedGraph& graph,
                   const Attribution& attribution, const Layer& layer);

std::vector<LayerTraffic> boundary_traffic(
    const analysis::Resolved& resolved, const OptimizedGraph& graph, const Attribution& attribution,
    analysis::TakePart positions = analysis::TakePart::kUnknown);

}  // namespace ridge::attribution
