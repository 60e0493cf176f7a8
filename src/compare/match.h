// SPDX-License-Identifier: Apache-2.0
// Matching of the nodes of two models.
//
//   const Matching m = match_nodes(a, b);
//   m.to_b[n] == graph::kNone     // node n exists only in A
//
// Three alignments are computed and the one with the smallest difference is returned:
// - names first: pairs nodes whose name and operator occur once in each model;
// - structure first: names only where structure leaves a choice, because exporters number names
//   consecutively, so that one additional node shifts them all;
// - nodes with MACs first, because exporters emit the nodes between them in different orders.
//
// The number of nodes per operator yields a lower bound on the difference. If names first reaches
// it, the other two alignments are skipped. After its first pairs, each alignment adds pairs in
// four steps:
// 1. For each key of analysis/signature.h, from exact to loose: in the gaps between pairs, the
//    longest common subsequence of the keys in topological order.
// 2. Nodes whose name is unique among the unpaired nodes of each model.
// 3. Nodes that moved: those with equal surroundings, then equal nodes with MACs, at any position.
// 4. Neighbors of paired nodes along the edges, if their keys are equal.
//
// The difference counts nodes without a partner (a node with MACs counts eightfold), pairs with a
// change, and edges of A whose ends have partners that are not connected in B. The nodes of a pair
// always have the same operator and the same enclosing control flow. Cost: near O(nodes + edges),
// see compare/common_subsequence.h. Deterministic.
#pragma once

#include <vector>

#include "analysis/resolved.h"

namespace ridge::compare {

struct Matching {
  std::vector<graph::NodeId> to_b;  ///< by node of A; kNone without a partner
  std::vector<graph::NodeId> to_a;  ///< by node of B
  /// Nodes in the order of the alignments: each graph's own order, bodies last.
  std::vector<graph::NodeId> order_a, order_b;
};

Matching match_nodes(const analysis::Resolved& a, const analysis::Resolved& b);

}  // namespace ridge::compare
