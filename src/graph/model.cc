// SPDX-License-Identifier: Apache-2.0
#include "graph/model.h"

#include <fmt/format.h>

namespace ridge::graph {

std::span<const NodeId> Model::consumers(ValueId id) const {
  return std::span(consumer_).subspan(consumer_start_[id],
                                      consumer_start_[id + 1] - consumer_start_[id]);
}

std::string Model::describe(NodeId id) const {
  const onnx::Node& n = *nodes_[id].source;  // also used for nodes whose kind is not set yet
  return n.name.empty() ? fmt::format("node #{} ({})", id, n.op_type.view())
                        : fmt::format("node #{} '{}'", id, n.name.view());
}

const onnx::Attribute* attribute(const Node& node, std::string_view name) {
  for (const onnx::Attribute& a : node.attributes)
    if (a.name == name) return &a;
  return nullptr;
}

}  // namespace ridge::graph
