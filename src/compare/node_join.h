// Which node of one run is which of another, by the node tables of profiles alone.
//
//   const NodeJoin join = TRY(join_nodes(runs));
//   join.common[1][17]      // the common number of node 17 of the second run
//
// Runs of one model (the same operators and names in the same places) join by index. Another model
// (another export, an edited one) is aligned with the first run's in two ways, and the one with
// more nodes whose work agrees is taken: names first (operator and name, where they stand once in
// each), and structure first (names are left out, because exporters number them through). Both fill
// their gaps in order, from exact to loose: operator, output and work; operator, parameters and
// MACs. What has no partner keeps a common number of its own.
// Errors: input class where a run has no nodes, or no node with MACs (without any: no node) has a
// partner. Cost: compare/common_subsequence.h.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compare/run.h"

namespace ridge::compare {

enum class JoinedBy : std::uint8_t { kIndex, kName, kStructure };
/// "index", "name", "structure".
std::string_view name(JoinedBy by);

struct JoinRate {
  JoinedBy by = JoinedBy::kIndex;
  std::size_t matched = 0, nodes = 0;  ///< of the run's nodes, with the first run's
};

struct NodeJoin {
  struct Place {
    std::uint32_t run = 0, node = 0;
  };
  std::vector<Place> nodes;                        ///< by common number: the first run that has it
  std::vector<std::vector<std::uint32_t>> common;  ///< [run][node]: its common number
  std::vector<JoinRate> rates;                     ///< by run
};

Result<NodeJoin> join_nodes(std::span<const Run> runs);

}  // namespace ridge::compare
