// SPDX-License-Identifier: Apache-2.0
// Limits on the memory and the nesting of a model that is read. Plain data.
#pragma once

#include <cstdint>

namespace ridge::onnx {

struct Limits {
  std::int64_t inline_bytes = 1 << 10;  ///< larger raw_data stays in the file
  /// Limit on the elements of floating-point and quantized tensors that are copied; tensors with
  /// more stay in the file.
  std::int64_t inline_weights = INT64_MAX;
  /// Memory limit for the structure of a model; larger models are rejected. Elements that take no
  /// more memory than their bytes in the file are not counted.
  std::int64_t memory = std::int64_t{192} << 20;
  int depth = 32;  ///< nesting of graphs
};

}  // namespace ridge::onnx
