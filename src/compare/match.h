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
// If names already reach the lower bound on the difference (from the number of nodes per operator),
// the other two are skipped. Each alignment fills gaps with keys from exact to loose
// (analysis/signature.h) by common subsequences in topological order, then pairs unique names, then
// nodes that moved (equal surroundings, or equal nodes with MACs), and finally follows the edges of
// pairs. The difference counts nodes without a partner (eightfold with MACs), pairs with a change,
// and edges of A whose ends have partners that are not connected in B. The nodes of a pair always
// have the same operator and the same enclosing control flow. Cost: near O(nodes + edges), see
// compare/common_subsequence.h. Deterministic.
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
