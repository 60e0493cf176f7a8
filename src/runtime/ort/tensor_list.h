// SPDX-License-Identifier: Apache-2.0
// Tensors for the C interface: names, types and shapes with owned storage.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "runtime/abi.h"
#include "runtime/ort/handles.h"

namespace ridge::ort {

class TensorList {
 public:
  void clear();
  /// `type` is ONNX Runtime's, numbered as in onnx.proto. An unknown dimension is -1.
  void add(std::string name, std::int32_t type, std::vector<std::int64_t> dims,
           const void* data = nullptr, std::uint64_t bytes = 0);
  /// Adds a value's type; a value that is not a tensor has type 0 and no dimensions.
  Result<void> add_type(const Library& library, std::string name, const OrtTypeInfo* type);
  /// Adds a tensor with its elements, which the value still owns; for strings only the shape.
  Result<void> add_value(const Library& library, std::string name, OrtValue* value);

  /// Valid until the list changes.
  RidgeTensors view() const { return {items_.data(), items_.size(), sizeof(RidgeTensor)}; }

 private:
  std::deque<std::string> names_;  // a deque, so that elements do not move
  std::deque<std::vector<std::int64_t>> dims_;
  std::vector<RidgeTensor> items_;
};

}  // namespace ridge::ort
