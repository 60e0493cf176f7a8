// SPDX-License-Identifier: Apache-2.0
// A single value read from a file (read_value in reader.h), with the document that owns its data.
// Plain data.
#pragma once

#include <span>

#include "onnx/document.h"

namespace ridge::onnx {

/// A tensor, or the members of a sequence or optional; an optional has at most one.
struct Value {
  TypeKind kind = TypeKind::kTensor;
  const Tensor* tensor = nullptr;
  std::span<const Value> members;
};

/// Ownership: `document` owns the data of `value`; elements are loaded like a model's weights
/// (weights.h).
struct StoredValue {
  Document document;
  Value value;
};

}  // namespace ridge::onnx
