// SPDX-License-Identifier: Apache-2.0
// Cache of recently resolved nodes whose results apply to later nodes of the same form. Large
// graphs repeat their blocks, so most rules need not run again.
//
//   Precedents precedents(model, types);
//   if (const graph::NodeId same = precedents.find(n); same != graph::kNone) …  // types and counts
//   else precedents.note(n);
//
// If no constant is consulted, a rule's result depends only on the operator, its attributes, the
// types of its inputs, which inputs are the same value, and which outputs are used. Nodes that
// agree in these have equal results.
// Ownership: borrows both arguments. Cost: O(inputs + attributes) to find, O(1) memory. Entries are
// valid while the types of their inputs are unchanged: call forget() before resolving a body again.
#pragma once

#include <array>
#include <vector>

#include "graph/model.h"
#include "ops/type.h"

namespace ridge::analysis {

class Precedents {
 public:
  Precedents(const graph::Model& model, const std::vector<ops::Type>& types)
      : model_(model), types_(types) {
    forget();
  }
  /// Returns a recorded node that `n` matches, or kNone.
  graph::NodeId find(graph::NodeId n) const;
  /// Records a node whose results follow from what find() compares.
  void note(graph::NodeId n) { recent_[slot(n)] = n; }
  void forget() { recent_.fill(graph::kNone); }

 private:
  std::size_t slot(graph::NodeId n) const;
  bool alike(graph::NodeId a, graph::NodeId b) const;
  bool declared(graph::NodeId n) const;

  const graph::Model& model_;
  const std::vector<ops::Type>& types_;        // by ValueId
  std::array<graph::NodeId, 64> recent_ = {};  // by hash
};

}  // namespace ridge::analysis
