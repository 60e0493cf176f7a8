// SPDX-License-Identifier: Apache-2.0
// Matching of the nodes of several runs, from the node tables of their profiles alone.
//
//   const NodeJoin join = TRY(join_nodes(runs));
//   join.common[1][17]      // common number of node 17 of the second run
//
// Runs of one model (equal operators and names at equal indices) are joined by index. Another model
// (another export, an edited one) is aligned with the first run's in two ways, and the one with
// more pairs whose work agrees is used: names first (operator and name, if they occur once in
// each), and structure first (without names, because exporters number them consecutively). Both
// fill their gaps in order, from exact to loose: operator, output and work; operator, parameters
// and MACs; output and MACs of products. A product in another type (MatMulNBits, QLinearConv)
// counts as the operator that it stands for, under the name without the endings of tools that
// quantize (_Q4).
// A node without a partner gets its own common number. Errors: input class if a run has
// no nodes, or no node with MACs (without any: no node) has a partner. Cost:
// compare/common_subsequence.h.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/words.h"
#include "compare/run.h"

namespace ridge::compare {

enum class JoinedBy : std::uint8_t { kIndex, kName, kStructure };

}  // namespace ridge::compare

namespace ridge {

template <>
struct Words<compare::JoinedBy> {
  using JoinedBy = compare::JoinedBy;
  static constexpr std::array list{Word{JoinedBy::kIndex, "index"}, Word{JoinedBy::kName, "name"},
                                   Word{JoinedBy::kStructure, "structure"}};
};

}  // namespace ridge

namespace ridge::compare {

constexpr std::string_view name(JoinedBy by) { return word(by); }

struct JoinRate {
  JoinedBy by = JoinedBy::kIndex;
  /// number of the run's nodes, and how many have a partner in the first run
  std::size_t matched = 0, nodes = 0;
};

struct NodeJoin {
  struct Place {
    std::uint32_t run = 0, node = 0;
  };
  std::vector<Place> nodes;  ///< by common number: the first run that has the node
  std::vector<std::vector<std::uint32_t>> common;  ///< [run][node]: common number
  std::vector<JoinRate> rates;                     ///< by run
};

Result<NodeJoin> join_nodes(std::span<const Run> runs);

}  // namespace ridge::compare
