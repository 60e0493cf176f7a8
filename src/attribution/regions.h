// Kernels that belong together because a tensor between them has no meaning in the original.
//
// Inside a region only the members as a whole are known; its boundary is made of anchored tensors.
// A kernel whose tensors are all anchored is a region by itself. Cost: O(kernels + edges).
#pragma once

#include <vector>

#include "attribution/anchors.h"

namespace ridge::attribution {

struct Regions {
  std::vector<std::uint32_t> of;             ///< by kernel
  std::vector<std::vector<NodeId>> kernels;  ///< by region, in order of execution
  std::vector<profile::Evidence>
      boundary;  ///< by region: kSameTensor where every tensor at its boundary kept its name
};

Regions find_regions(const OptimisedGraph& graph, const Anchors& anchors);

}  // namespace ridge::attribution
