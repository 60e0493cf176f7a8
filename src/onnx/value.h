// Reads a single value from a file: TensorProto, SequenceProto or OptionalProto, as in the inputs
// of onnx's test data (test_data_set_0/input_0.pb).
//
//   const TypeKind kinds[] = {TypeKind::kSequence, TypeKind::kTensor};
//   StoredValue v = TRY(onnx::read_value("input_0.pb", kinds));
//   for (const Value& member : v.value.members) ... *member.tensor ...
//
// The file does not identify the message type, so the caller must specify it. Ownership: `document`
// owns the data of `value`; elements are loaded like a model's weights (weights.h).
#pragma once

#include "onnx/reader.h"

namespace ridge::onnx {

/// A tensor, or the members of a sequence or optional; an optional has at most one.
struct Value {
  TypeKind kind = TypeKind::kTensor;
  const Tensor* tensor = nullptr;
  std::span<const Value> members;
};

struct StoredValue {
  Document document;
  Value value;
};

/// `kinds`: from the outermost type inwards; the last is a tensor. Input error if the file contains
/// another message or is malformed.
Result<StoredValue> read_value(const std::string& path, std::span<const TypeKind> kinds);

}  // namespace ridge::onnx
