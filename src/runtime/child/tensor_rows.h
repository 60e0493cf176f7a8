// SPDX-License-Identifier: Apache-2.0
// Tensors in shared memory as rows of the C interface, and rows as tensors in shared memory.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "ipc/descriptor.h"
#include "runtime/abi.h"
#include "runtime/protocol.h"

namespace ridge::runtime {

inline std::string text_or_empty(const char* text) { return text != nullptr ? text : ""; }

/// Types of tensors that a plug-in describes.
std::vector<TensorType> types_of(const RidgeTensors& tensors);

/// Inputs as rows for the plug-in; the rows refer to the inputs and live as long as this object.
class InputRows {
 public:
  explicit InputRows(std::span<const std::byte> memory) : memory_(memory) {}
  Result<RidgeTensors> of(const std::vector<InputTensor>& inputs);

 private:
  Result<RidgeTensor> row_of(const InputTensor& input);

  std::span<const std::byte> memory_;
  std::deque<std::vector<RidgeTensor>> rows_;
  std::deque<RidgeTensors> lists_;
};

/// Outputs of runs, to be copied into memory for ridge.
class OutputCopy {
 public:
  /// Adds the outputs of a run; returns where they will lie.
  OutputsReply add(const RidgeTensors& outputs);
  Result<ipc::SharedMemory> memory() const;

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace ridge::runtime
