// A value by itself in a file: TensorProto, SequenceProto or OptionalProto, as onnx's test data has
// inputs (test_data_set_0/input_0.pb).
//
//   const TypeKind kinds[] = {TypeKind::kSequence, TypeKind::kTensor};
//   StoredValue v = TRY(onnx::read_value("input_0.pb", kinds));
//   for (const Value& member : v.value.members) ... *member.tensor ...
//
// The file does not say which of the three it is, so the reader is told. Ownership: `document` owns
// what `value` points to; elements are made real as those of a model's weights (weights.h).
#pragma once

#include "onnx/reader.h"

namespace ridge::onnx {

/// A tensor, or what a sequence or optional holds; an optional holds at most one.
struct Value {
  TypeKind kind = TypeKind::kTensor;
  const Tensor* tensor = nullptr;
  std::span<const Value> members;
};

struct StoredValue {
  Document document;
  Value value;
};

/// `kinds`: from the outermost in; the last is a tensor. Input error where the file is another
/// message or malformed.
Result<StoredValue> read_value(const std::string& path, std::span<const TypeKind> kinds);

}  // namespace ridge::onnx
