// SPDX-License-Identifier: Apache-2.0
// Questions about nodes that edits ask before they replace any.
//
//   const NodeId sub = producer(model, x, "Sub");   // kNone if something else produces x
//
// Only nodes of the main graph and operators of ai.onnx count. Thread rule: pure.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "graph/model.h"

namespace ridge::rewrite {

inline bool is(const graph::Model& model, graph::NodeId n, std::string_view op_type) {
  const graph::NodeKind& kind = model.kind(n);
  return kind.op_type == op_type && kind.domain.empty() && model.graph_of(n) == 0;
}

/// An input of a node; kNone if it has fewer.
graph::ValueId input(const graph::Model& model, graph::NodeId n, std::size_t i);

/// The only output of a node; kNone if it has none or several.
graph::ValueId only_output(const graph::Model& model, graph::NodeId n);

/// The node that produces `v` as its only output, if it is this operator; else kNone.
graph::NodeId producer(const graph::Model& model, graph::ValueId v, std::string_view op_type);

/// The one node that reads `v`, once; kNone if there are none or several, if it stands in a body,
/// or if `v` is an output of the model.
graph::NodeId only_reader(const graph::Model& model, graph::ValueId v);

/// Sorts nodes and removes repetitions.
void make_ascending(std::vector<graph::NodeId>& nodes);

/// True if the rest of the model reads nothing that `nodes` (ascending) produce but the results of
/// `root`.
bool closed(const graph::Model& model, std::span<const graph::NodeId> nodes, graph::NodeId root);

/// The integer of an attribute; `fallback` if the node lacks it.
std::int64_t integer(const graph::Node& node, std::string_view attribute, std::int64_t fallback);

}  // namespace ridge::rewrite
