// Nodes resolved lately that later ones are like: a large graph repeats its blocks, and what a rule
// has answered once it need not be asked again.
//
//   Precedents precedents(model, types);
//   if (const graph::NodeId same = precedents.find(n); same != graph::kNone) …  // types and counts
//   else precedents.note(n);
//
// Where no constant is consulted, all that a rule sees of a node is its operator, its attributes,
// the types of its inputs, which of them are one value, and which outputs are wanted. Where these
// agree, so do the answers.
// Ownership: borrows both. Cost: O(inputs + attributes) to find, O(1) memory. A node stands for
// others as long as the types around it stay what they were: forget() when a body is walked again.
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
  /// A noted node that `n` is like, or kNone.
  graph::NodeId find(graph::NodeId n) const;
  /// A node whose answers follow from what find() compares.
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
