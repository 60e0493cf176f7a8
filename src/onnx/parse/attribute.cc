// SPDX-License-Identifier: Apache-2.0
// AttributeProto.
#include <fmt/format.h>

#include <bit>

#include "onnx/parse/parse.h"

namespace ridge::onnx {
namespace {

float to_float(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

/// Attribute type to assume if the writer omitted it. `scalar` is the type of the last scalar
/// field.
AttributeType inferred_type(const Attribute& a, AttributeType scalar) {
  if (a.t != nullptr) return AttributeType::kTensor;
  if (a.g != nullptr) return AttributeType::kGraph;
  if (a.sparse != nullptr) return AttributeType::kSparseTensor;
  if (a.type_proto != nullptr) return AttributeType::kTypeProto;
  if (!a.floats.empty()) return AttributeType::kFloats;
  if (!a.ints.empty()) return AttributeType::kInts;
  if (!a.strings.empty()) return AttributeType::kStrings;
  if (!a.tensors.empty()) return AttributeType::kTensors;
  if (!a.graphs.empty()) return AttributeType::kGraphs;
  return scalar;
}

/// Name of the message field that the type requires but that is absent; nullptr if none is missing.
const char* missing_part(const Attribute& a) {
  switch (a.type) {
    case AttributeType::kTensor:
      return a.t == nullptr ? "tensor" : nullptr;
    case AttributeType::kGraph:
      return a.g == nullptr ? "graph" : nullptr;
    case AttributeType::kSparseTensor:
      return a.sparse == nullptr ? "sparse tensor" : nullptr;
    case AttributeType::kTypeProto:
      return a.type_proto == nullptr ? "type" : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

Attribute Parser::attribute() {
  namespace f = proto::attribute;
  Attribute a;
  WireReader::Counts counts = in_->count();
  List<std::string_view> strings(*this, counts, f::kStrings, a.strings);
  List<Tensor> tensors(*this, counts, f::kTensors, a.tensors);
  List<Graph> graphs(*this, counts, f::kGraphs, a.graphs);
  Gathered<std::int64_t> ints(*this, int_stack_);
  Gathered<float> floats(*this, float_stack_);
  AttributeType scalar = AttributeType::kUndefined;
  Field field;
  while (in_->next(field)) {
    switch (field.tag) {
      case f::kInts:
        ints.add(static_cast<std::int64_t>(field.value));
        break;
      case f::kIntsPacked:
        packed_integers(ints, field);
        break;
      case f::kFloats:
        floats.add(to_float(field.value));
        break;
      case f::kFloatsPacked:
        packed_floats(floats, field);
        break;
      case f::kStrings:
        strings.add(text(field));
        break;
      default:
        if (!attribute_scalar(a, field, scalar)) {
          attribute_message(a, field, counts, tensors, graphs);
        }
        break;
    }
  }
  a.ints = ints.items();
  a.floats = floats.items();
  if (a.type == AttributeType::kUndefined && a.ref_attr_name.empty()) {
    a.type = inferred_type(a, scalar);
  }
  if (!in_->failed()) check_attribute(a);
  return a;
}

bool Parser::attribute_scalar(Attribute& a, const Field& field, AttributeType& given) {
  namespace f = proto::attribute;
  switch (field.tag) {
    case f::kName:
      a.name = name(field);
      return true;
    case f::kRefAttrName:
      a.ref_attr_name = name(field);
      return true;
    case f::kType:
      a.type = static_cast<AttributeType>(std::min<std::uint64_t>(field.value, 255));
      return true;
    case f::kFloat:
      given = AttributeType::kFloat;
      a.f = to_float(field.value);
      return true;
    case f::kInt:
      given = AttributeType::kInt;
      a.i = static_cast<std::int64_t>(field.value);
      return true;
    case f::kString:
      given = AttributeType::kString;
      a.s = text(field);
      return true;
    default:
      return false;
  }
}

void Parser::attribute_message(Attribute& a, const Field& field, WireReader::Counts& counts,
                               List<Tensor>& tensors, List<Graph>& graphs) {
  namespace f = proto::attribute;
  switch (field.tag) {
    case f::kTensor:
      singular(counts, field, "TensorProto", [&] { a.t = keep(tensor()); });
      break;
    case f::kGraph:
      singular(counts, field, "GraphProto", [&] { a.g = keep(graph()); });
      break;
    case f::kSparseTensor:
      singular(counts, field, "SparseTensorProto", [&] { a.sparse = keep(sparse_tensor()); });
      break;
    case f::kTypeProto:
      singular(counts, field, "TypeProto", [&] { a.type_proto = keep(type()); });
      break;
    case f::kTensors:
      item(tensors, field, "TensorProto", "tensor", proto::tensor::kName, [&] { return tensor(); });
      break;
    case f::kGraphs:
      item(graphs, field, "GraphProto", "graph", proto::graph::kName, [&] { return graph(); });
      break;
    case f::kSparseTensors: {
      // No operator has such an attribute, so it is not stored in Attribute; it is parsed only to
      // check its external data.
      const Message message(*in_, field, "SparseTensorProto");
      sparse_tensor();
      break;
    }
    default:
      break;
  }
}

void Parser::packed_floats(Gathered<float>& floats, const Field& field) {
  const Message message(*in_, field, "packed field");
  while (in_->more()) floats.add(std::bit_cast<float>(in_->fixed32()));
}

void Parser::check_attribute(const Attribute& a) {
  const auto number = static_cast<int>(a.type);
  if (a.name.empty()) {
    fail(input_error("RIDGE-ONNX-0210", "the attribute has no name")
             .evidence(in_->evidence(in_->message_start(), "AttributeProto"))
             .hint("the file is damaged; export it again"));
  } else if (number > static_cast<int>(AttributeType::kTypeProtos)) {
    fail(input_error("RIDGE-ONNX-0211", fmt::format("invalid attribute type {}", number))
             .evidence(in_->evidence(in_->message_start(), "AttributeProto.type"))
             .hint("ONNX defines 1 (float) to 14 (type_protos)"));
  } else if (const char* part = missing_part(a); part != nullptr && a.ref_attr_name.empty()) {
    fail(input_error("RIDGE-ONNX-0212",
                     fmt::format("the attribute has type {} but no such value", part))
             .evidence(in_->evidence(in_->message_start(), "AttributeProto"))
             .hint("the file is damaged; export it again"));
  }
}

}  // namespace ridge::onnx
