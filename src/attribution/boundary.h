// Bytes that cross the boundary of a layer: what it must read from outside and leave for others, each tensor once.
//
// Tensors between a layer's own members do not count: they need not leave the processor. Views (Reshape and the like) are transparent: what is
// read through one is its source. Constants that only absorbed members read do not count (they live on in other weights). Operators that
// touch a part of a tensor (Gather, Slice) are charged that part. Source: design "bytes_read"; Wu et al., PRoof, ICPP 2024, for the
// idea of a fused layer's memory.
#pragma once

#include "analysis/resolved.h"
#include "attribution/attribution.h"
#include "attribution/optimised.h"
#include "profile/profile.h"

namespace ridge::attribution {

/// nullopt: the size of a tensor is not known.
struct Boundary {
  profile::Count read = 0, written = 0;

  profile::Count bytes() const {
    return read && written ? profile::Count(*read + *written) : std::nullopt;
  }
};

/// Of a layer with members, in the element types and shapes of the original model; over all executions of the layer.
Boundary boundary_of(const analysis::Resolved& resolved, const Layer& layer);

/// Of a layer that the runtime inserted: of its kernels' tensors as they lie in memory, where the graph knows their sizes.
Boundary boundary_of_kernels(const OptimisedGraph& graph, const Layer& layer);

}  // namespace ridge::attribution
