// SPDX-License-Identifier: Apache-2.0
// Regions: kernels connected by tensors without a known counterpart in the original. The members of
// a region are known only as a whole; its boundary consists of anchored tensors. A kernel whose
// tensors are all anchored is a region by itself. Cost: O(kernels + edges).
#pragma once

#include <vector>

#include "attribution/anchors.h"

namespace ridge::attribution {

struct Regions {
  std::vector<std::uint32_t> of;             ///< by kernel
  std::vector<std::vector<NodeId>> kernels;  ///< by region, in order of execution
  /// By region: kSameTensor if every tensor at its boundary kept its name; kRenamed if one follows
  /// a naming rule; else kValue.
  std::vector<profile::Evidence> boundary;
};

Regions find_regions(const OptimizedGraph& graph, const Anchors& anchors);

}  // namespace ridge::attribution
