// SPDX-License-Identifier: Apache-2.0
// GraphProto, NodeProto, ValueInfoProto.
#include <fmt/format.h>

#include "onnx/parse/parse.h"

namespace ridge::onnx {

Graph Parser::graph() {
  namespace f = proto::graph;
  Graph graph;
  const Depth depth(*this, "graphs");
  const WireReader::Counts counts = in_->count();
  List<Node> nodes(*this, counts, f::kNode, graph.nodes);
  List<Tensor> initializers(*this, counts, f::kInitializer, graph.initializers);
  List<SparseTensor> sparse(*this, counts, f::kSparseInitializer, graph.sparse_initializers);
  List<ValueInfo> inputs(*this, counts, f::kInput, graph.inputs);
  List<ValueInfo> outputs(*this, counts, f::kOutput, graph.outputs);
  List<ValueInfo> infos(*this, counts, f::kValueInfo, graph.value_info);
  Field field;
  while (in_->next(field)) {
    switch (field.tag) {
      case f::kName:
        graph.name = name(field);
        break;
      case f::kNode:
        node_item(nodes, field);
        break;
      case f::kInitializer:
        item(initializers, field, "TensorProto", "initializer", proto::tensor::kName,
             [&] { return tensor(); });
        break;
      case f::kSparseInitializer:
        item(sparse, field, "SparseTensorProto", "sparse_initializer", 0,
             [&] { return sparse_tensor(); });
        break;
      case f::kInput:
        value_item(inputs, field, "input");
        break;
      case f::kOutput:
        value_item(outputs, field, "output");
        break;
      case f::kValueInfo:
        value_item(infos, field, "value_info");
        break;
      default:
        break;
    }
  }
  return graph;
}

Node Parser::node() {
  namespace f = proto::node;
  Node node;
  NodeExtra extra;
  Gathered<Text> inputs(*this, input_stack_);
  Gathered<Text> outputs(*this, output_stack_);
  Gathered<Attribute> attributes(*this, attribute_stack_);
  Gathered<Property> metadata(*this, property_stack_);
  Field field;
  while (in_->next(field)) {
    switch (field.tag) {
      case f::kInput:
        inputs.add(name(field));
        break;
      case f::kOutput:
        outputs.add(name(field));
        break;
      case f::kName:
        node.name = name(field);
        break;
      case f::kOpType:
        node.op_type = name(field);
        break;
      case f::kDomain:
        node.domain = domain(field);
        break;
      case f::kOverload:
        extra.overload = name(field);
        break;
      case f::kAttribute:
        attribute_item(attributes, field);
        break;
      case f::kMetadata:
        property_item(metadata, field);
        break;
      default:
        break;
    }
  }
  node.inputs = inputs.items();
  node.outputs = outputs.items();
  node.attributes = attributes.items();
  extra.metadata = metadata.items();
  if (!extra.overload.empty() || !extra.metadata.empty()) node.extra = keep(extra);
  if (node.op_type.empty() && !in_->failed()) {
    fail(input_error("RIDGE-ONNX-0207", "the node has no op_type")
             .evidence(in_->evidence(in_->message_start(), "NodeProto"))
             .hint("the file is damaged; export it again"));
  }
  return node;
}

ValueInfo Parser::value_info() {
  namespace f = proto::value_info;
  ValueInfo info;
  WireReader::Counts counts = in_->count();
  Field field;
  while (in_->next(field)) {
    switch (field.tag) {
      case f::kName:
        info.name = name(field);
        break;
      case f::kType:
        singular(counts, field, "TypeProto", [&] { info.type = type(); });
        break;
      default:
        break;
    }
  }
  if (info.name.empty() && !in_->failed()) {
    fail(input_error("RIDGE-ONNX-0208", "the value has no name")
             .evidence(in_->evidence(in_->message_start(), "ValueInfoProto"))
             .hint("the file is damaged; export it again"));
  }
  return info;
}

}  // namespace ridge::onnx
