// SPDX-License-Identifier: Apache-2.0
// Constants of a brick: elements that determine what a runtime does are kept, elements of weights
// are replaced by a recipe.
//
// A weight is a constant of floating-point or quantized type with more than one element whose
// readers use it as a weight (analysis/weights.h, attribution/weight_recipe.h), or the bias of a
// quantized operator: its elements do not change the kernels or their time. Everything else steers:
// shapes, axes, scales of a Resize, scales and zero points of QuantizeLinear and DequantizeLinear,
// bounds of a Clip, indices, and masks: also those that are added and contain elements of -80 or
// less, which a Softmax makes 0 or subnormal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "bricks/network.h"
#include "onnx/data_type.h"

namespace ridge::bricks {

struct Constant {
  onnx::DataType type = onnx::DataType::kUndefined;
  std::vector<std::int64_t> dims;
  bool weight = false;           ///< elements are not part of the brick
  std::vector<std::byte> bytes;  ///< elements, packed little-endian; empty for a weight
};

/// Largest constant whose elements are kept.
inline constexpr std::int64_t kMaxKeptBytes = std::int64_t{64} << 20;

/// True if the tensor of the copy is a constant for a brick that reads it: an initializer, or known
/// at load time.
bool is_constant(const Network& network, std::string_view name);

/// Reads a constant. Errors: as onnx::load; input class (RIDGE-BRICK-0001) for a constant of
/// text, or one that steers and is larger than kMaxKeptBytes.
Result<Constant> constant(const Network& network, std::string_view name);

}  // namespace ridge::bricks
