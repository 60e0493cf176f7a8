// Tensors as the C interface gives them out: names, types and shapes in storage of their own.
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
  /// `type` is ONNX Runtime's, which counts as onnx.proto does. An unknown dimension is -1.
  void add(std::string name, std::int32_t type, std::vector<std::int64_t> dims,
           const void* data = nullptr, std::uint64_t bytes = 0);
  /// A value that is no tensor has type 0 and no dimensions.
  Result<void> add_type(const Library& library, std::string name, const OrtTypeInfo* type);
  /// A tensor with its elements, which stay the value's; of strings only the shape.
  Result<void> add_value(const Library& library, std::string name, OrtValue* value);

  /// Valid until the list changes.
  RidgeTensors view() const { return {items_.data(), items_.size(), sizeof(RidgeTensor)}; }

 private:
  std::deque<std::string> names_;  // a deque leaves its elements where they are
  std::deque<std::vector<std::int64_t>> dims_;
  std::vector<RidgeTensor> items_;
};

}  // namespace ridge::ort
