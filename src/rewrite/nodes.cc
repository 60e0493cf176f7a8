// SPDX-License-Identifier: Apache-2.0
#include "rewrite/nodes.h"

namespace ridge::rewrite {

using graph::kNone;
using graph::NodeId;
using graph::ValueId;

ValueId input(const graph::Model& model, NodeId n, std::size_t i) {
  const std::span<const ValueId> inputs = model.inputs(n);
  return i < inputs.size() ? inputs[i] : kNone;
}

ValueId only_output(const graph::Model& model, NodeId n) {
  const std::span<const ValueId> outputs = model.outputs(n);
  return outputs.size() == 1 ? outputs[0] : kNone;
}

NodeId producer(const graph::Model& model, ValueId v, std::string_view op_type) {
  const NodeId n = v == kNone ? kNone : model.value(v).producer;
  return n != kNone && is(model, n, op_type) && only_output(model, n) == v ? n : kNone;
}

NodeId only_reader(const graph::Model& model, ValueId v) {
  const std::span<const NodeId> readers = model.consumers(v);
  if (model.value(v).graph_output || readers.size() != 1 || model.graph_of(readers[0]) != 0)
    return kNone;
  return std::ranges::count(model.inputs(readers[0]), v) == 1 ? readers[0] : kNone;
}

void make_ascending(std::vector<NodeId>& nodes) {
  std::ranges::sort(nodes);
  const auto repeated = std::ranges::unique(nodes);
  nodes.erase(repeated.begin(), repeated.end());
}

bool closed(const graph::Model& model, std::span<const NodeId> nodes, NodeId root) {
  const auto inside = [&](NodeId reader) { return std::ranges::binary_search(nodes, reader); };
  return std::ranges::all_of(nodes, [&](NodeId n) {
    return n == root || std::ranges::all_of(model.outputs(n), [&](ValueId v) {
             return v == kNone || (!model.value(v).graph_output &&
                                   std::ranges::all_of(model.consumers(v), inside));
           });
  });
}

std::int64_t integer(const graph::Node& node, std::string_view attribute, std::int64_t fallback) {
  const onnx::Attribute* a = graph::attribute(node, attribute);
  return a == nullptr ? fallback : a->i;
}

}  // namespace ridge::rewrite
