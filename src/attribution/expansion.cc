// SPDX-License-Identifier: Apache-2.0
#include "attribution/expansion.h"

#include <numeric>

#include "graph/functions.h"

namespace ridge::attribution {
Expansion::Expansion(const graph::Model& model)
    : model_(&model), body_(model.nodes().size(), kNone), alias_(model.values().size()) {
  std::iota(alias_.begin(), alias_.end(), ValueId{0});
}

Expansion Expansion::of_calls(const graph::Model& model) {
  Expansion calls(model);
  const Result<graph::FunctionTable> functions =
      graph::FunctionTable::make(model.document().model.functions);
  if (!functions.ok() || functions->empty())
    return calls;  // a model that was built has valid functions
  for (NodeId n = 0; n < model.nodes().size(); ++n) {
    const graph::Node& node = model.node(n);
    if (node.bodies.empty() || functions->find(*node.source) == nullptr) continue;
    calls.look_through(n, node.bodies[0]);
    const graph::Graph& body = model.graphs()[node.bodies[0]];
    for (std::size_t i = 0; i < body.inputs.size(); ++i)
      calls.alias_[body.inputs[i]] = i < node.inputs.size() ? node.inputs[i] : kNone;
  }
  return calls;
}

void Expansion::look_through(NodeId node, GraphId body) {
  body_[node] = body;
  const std::span<const ValueId> outputs = model_->node(node).outputs;
  const std::span<const ValueId> inner = model_->graphs()[body].outputs;
  for (std::size_t j = 0; j < outputs.size() && j < inner.size(); ++j)
    if (outputs[j] != kNone) alias_[outputs[j]] = inner[j];
}

ValueId Expansion::origin(ValueId value) const {
  while (value != kNone && alias_[value] != value) value = alias_[value];
  return value;
}

GraphId Expansion::scope(GraphId graph) const {
  for (;;) {
    const NodeId owner = model_->graphs()[graph].owner;
    if (owner == kNone || body_[owner] != graph) return graph;
    graph = model_->node(owner).graph;
  }
}

std::vector<NodeId> Expansion::order() const {
  std::vector<NodeId> order;
  order.reserve(model_->nodes().size());
  append(0, order);
  return order;
}

// The depth limits of the reader and the builder bound the recursion.
void Expansion::append(GraphId graph, std::vector<NodeId>& order) const {
  for (const NodeId n : model_->graphs()[graph].order) {
    for (const GraphId body : model_->node(n).bodies) append(body, order);
    order.push_back(n);
  }
}

}  // namespace ridge::attribution
