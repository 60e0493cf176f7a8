// SPDX-License-Identifier: Apache-2.0
// Nodes replaced by their body: function calls, and an If whose branch the runtime selected at load
// time.
//
//   Expansion calls = Expansion::of_calls(model);
//   ValueId v = calls.origin(call_output);          // the value inside the body
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
  /// Expands every function call of the model.
  static Expansion of_calls(const graph::Model& model);

  /// Expands `node`: its outputs become the body's outputs, and the body's nodes belong to the
  /// surrounding graph.
  void look_through(NodeId node, GraphId body);

  bool expanded(NodeId node) const { return body_[node] != kNone; }
  /// Returns the body that replaces an expanded node; kNone for other nodes.
  GraphId body(NodeId node) const { return body_[node]; }
  /// Returns the value that defines `value`, following expanded nodes; kNone for a parameter
  /// without an argument in the call.
  ValueId origin(ValueId value) const;
  /// Returns the graph that contains a graph's nodes after expansion.
  GraphId scope(GraphId graph) const;
  /// Returns every node once: each graph in topological order, the bodies of a node before the
  /// node.
  std::vector<NodeId> order() const;

 private:
  explicit Expansion(const graph::Model& model);
  void append(GraphId graph, std::vector<NodeId>& order) const;

  const graph::Model* model_;
  std::vector<GraphId> body_;  // by node
  // by value: one step toward its origin; the value itself at the origin
  std::vector<ValueId> alias_;
};

}  // namespace ridge::attribution
