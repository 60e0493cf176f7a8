// SPDX-License-Identifier: Apache-2.0
// TypeProto and its parts.
#include <fmt/format.h>

#include "onnx/parse/parse.h"

namespace ridge::onnx {

// The oneof of TypeProto keeps the last member, so each case starts from an empty TypeInfo.
TypeInfo Parser::type() {
  namespace f = proto::type;
  TypeInfo type;
  const Depth depth(*this, "types");
  WireReader::Counts counts = in_->count();
  const auto member = [&](const Field& field, TypeKind kind, void (Parser::*parse)(TypeInfo&)) {
    if (counts[proto::number(field.tag)] == 0) return;
    type = {};
    type.kind = kind;
    singular(counts, field, "TypeProto member", [&] { (this->*parse)(type); });
  };
  Field field;
  while (in_->next(field)) {
    switch (field.tag) {
      case f::kTensor:
        member(field, TypeKind::kTensor, &Parser::tensor_type);
        break;
      case f::kSparseTensor:
        member(field, TypeKind::kSparseTensor, &Parser::tensor_type);
        break;
      case f::kSequence:
        member(field, TypeKind::kSequence, &Parser::element_type);
        break;
      case f::kOptional:
        member(field, TypeKind::kOptional, &Parser::element_type);
        break;
      case f::kMap:
        member(field, TypeKind::kMap, &Parser::map_type);
        break;
      default:
        break;
    }
  }
  return type;
}

DataType Parser::data_type(const Field& field) {
  // Here 0 means "not declared"; tensor() rejects it as the element type of a tensor.
  const auto number = static_cast<std::int32_t>(field.value);
  if (number != 0 && info_of(number) == nullptr) {
    fail(input_error("RIDGE-ONNX-0230", fmt::format("invalid element type {}", number))
             .evidence(in_->evidence(field.at, "data type"))
             .hint("ONNX defines 1 (float32) to 28 (float6_e3m2)"));
    return DataType::kUndefined;
  }
  return static_cast<DataType>(number);
}

void Parser::tensor_type(TypeInfo& type) {
  WireReader::Counts counts = in_->count();
  Field field;
  while (in_->next(field)) {
    switch (field.tag) {
      case proto::type::kElemType:
        type.elem_type = data_type(field);
        break;
      case proto::type::kShape:
        type.has_shape = true;
        singular(counts, field, "TensorShapeProto", [&] { type.shape = shape(); });
        break;
      default:
        break;
    }
  }
}

void Parser::element_type(TypeInfo& type) {
  WireReader::Counts counts = in_->count();
  Field field;
  while (in_->next(field)) {
    if (field.tag != proto::type::kElement) continue;
    singular(counts, field, "TypeProto", [&] { type.element = keep(this->type()); });
  }
}

void Parser::map_type(TypeInfo& type) {
  WireReader::Counts counts = in_->count();
  Field field;
  while (in_->next(field)) {
    switch (field.tag) {
      case proto::type::kKeyType:
        type.elem_type = data_type(field);
        break;
      case proto::type::kValueType:
        singular(counts, field, "TypeProto", [&] { type.element = keep(this->type()); });
        break;
      default:
        break;
    }
  }
}

std::span<const Dimension> Parser::shape() {
  const WireReader::Counts counts = in_->count();
  std::span<const Dimension> shape;
  List<Dimension> dims(*this, counts, proto::type::kDim, shape);
  Field field;
  while (in_->next(field)) {
    if (field.tag != proto::type::kDim) continue;
    const Message message(*in_, field, "Dimension");
    dims.add(dimension());
  }
  return shape;
}

Dimension Parser::dimension() {
  Dimension dimension;
  Field field;
  while (in_->next(field)) {
    switch (field.tag) {
      case proto::type::kDimValue:
        // Some exporters write -1 for "unknown".
        dimension = {std::max<std::int64_t>(static_cast<std::int64_t>(field.value), -1), {}};
        break;
      case proto::type::kDimParam:
        dimension = {-1, name(field)};
        break;
      default:
        break;
    }
  }
  return dimension;
}

}  // namespace ridge::onnx
