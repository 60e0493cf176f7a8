// Which node of one model is which node of another.
//
//   const Matching m = match_nodes(a, b);
//   m.to_b[n] == graph::kNone     // only in A
//
// Three alignments are tried and the one that leaves least difference is taken: names first (a name
// that stands once in each with the same operator); structure first (names only where structure
// leaves a choice), because exporters number names through, so that one node more shifts them all;
// and what carries MACs first, because exporters write what is between in different orders. Where
// names leave no more difference than the numbers of nodes per operator must, they are it.
// Each fills its gaps from exact to loose keys (analysis/signature.h) by common subsequences in
// topological order, then looks for what was only moved (the same surroundings, or the same node
// with MACs), and last follows the edges of pairs. Difference is counted in nodes without a partner
// (eightfold with MACs), partners that changed, and edges whose ends have partners that are not
// joined.
// A pair always agrees in operator and in the control flow around it.
// Cost: near O(nodes + edges), see compare/common_subsequence.h. Deterministic.
#pragma once

#include <vector>

#include "analysis/resolved.h"

namespace ridge::compare {

struct Matching {
  std::vector<graph::NodeId> to_b;  ///< by node of A; kNone where it has no partner
  std::vector<graph::NodeId> to_a;  ///< by node of B
  /// Nodes in the order in which alignments walk them: each graph's own order, bodies last.
  std::vector<graph::NodeId> order_a, order_b;
};

Matching match_nodes(const analysis::Resolved& a, const analysis::Resolved& b);

}  // namespace ridge::compare
