// Nodes whose body stands in their place: function calls, and an If whose branch the runtime chose
// when it loaded the model.
//
//   Expansion calls = Expansion::of_calls(model);
//   ValueId v = calls.origin(call_output);          // the value inside the body that it is
//   for (NodeId n : calls.order()) …                // the whole model, bodies before their owners
//
// Ownership: keeps a pointer to the model. Thread rule: immutable after the last look_through.
// Cost: O(nodes).
#pragma once

#include <vector>

#include "graph/model.h"

namespace ridge::attribution {

using graph::GraphId;
using graph::kNone;
using graph::NodeId;
using graph::ValueId;

class Expansion {
 public:
  /// Looks through every function call of the model.
  static Expansion of_calls(const graph::Model& model);

  /// From here on the outputs of `node` are those of its body, and the body's nodes belong to the
  /// graph around it.
  void look_through(NodeId node, GraphId body);

  bool expanded(NodeId node) const { return body_[node] != kNone; }
  /// The body that stands for an expanded node; kNone otherwise.
  GraphId body(NodeId node) const { return body_[node]; }
  /// What a value is once expanded nodes are looked through; kNone for an argument that a call does
  /// not give.
  ValueId origin(ValueId value) const;
  /// The graph that a graph's nodes belong to once expanded nodes are looked through.
  GraphId scope(GraphId graph) const;
  /// Every node once: each graph in topological order, the bodies of a node before the node.
  std::vector<NodeId> order() const;

 private:
  explicit Expansion(const graph::Model& model);
  void append(GraphId graph, std::vector<NodeId>& order) const;

  const graph::Model* model_;
  std::vector<GraphId> body_;   // by node
  std::vector<ValueId> alias_;  // by value: one step towards its origin; itself where it is one
};

}  // namespace ridge::attribution
