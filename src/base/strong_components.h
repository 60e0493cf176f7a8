// SPDX-License-Identifier: Apache-2.0
// Strongly connected components of a directed graph (Tarjan 1972, SIAM J. Comput. 1:146).
//
//   const std::vector<std::uint32_t> of = strong_components({{1}, {0, 2}, {}});   // 1, 1, 0
//
// Thread rule: pure. Cost: O(vertices + edges), without recursion.
#pragma once

#include <cstdint>
#include <vector>

namespace ridge {

/// `edges`: the vertices that each vertex leads to, perhaps repeated. Returns the component of each
/// vertex. Components are numbered without gaps, and an edge leads to the same component or to one
/// with a lower number.
std::vector<std::uint32_t> strong_components(const std::vector<std::vector<std::uint32_t>>& edges);

}  // namespace ridge
