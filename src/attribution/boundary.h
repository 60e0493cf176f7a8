// Bytes that cross the boundary of a layer.
//
//   std::vector<LayerTraffic> t = boundary_traffic(resolved, graph, attribution);   // by layer
//
// A layer that is one kernel and executes one whole node moves what the definition of the node says
// (analysis): each distinct input once, each output once, nothing where it is a view. Any other
// layer moves the tensors of the runtime's graph that enter or leave it, each once, in the size
// that they have in the original; weights in the size of the original where the layer's product
// reads them. What stays inside a fused layer counts nothing, nor do parameters that were folded
// away. Totals over the executions of enclosing bodies. A tensor that the original does not have
// takes its size from the runtime's events (size_tensors); without these it is not known and the
// figure is null.
//
// What a layer must move at least, for its bound, is told beside it: of each such tensor the bytes
// that its readers cannot leave out (analysis/least_work.h), in the size of the runtime where that
// is the smaller one.
#pragma once

#include <string_view>
#include <vector>

#include "attribution/attribution.h"

namespace ridge::attribution {

struct LayerTraffic {
  profile::Count read, written;
  std::string_view reason;  ///< why one is null
  profile::Least least;

  profile::Count bytes() const {
    return read && written ? profile::Count(*read + *written) : std::nullopt;
  }
};

/// The layer is one kernel that executes one node, from the node's own inputs to its own outputs.
bool is_whole_node(const analysis::Resolved& resolved, const OptimisedGraph& graph,
                   const Attribution& attribution, const Layer& layer);

std::vector<LayerTraffic> boundary_traffic(const analysis::Resolved& resolved,
                                           const OptimisedGraph& graph,
                                           const Attribution& attribution);

}  // namespace ridge::attribution
