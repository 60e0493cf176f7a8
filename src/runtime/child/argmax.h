// SPDX-License-Identifier: Apache-2.0
// Position of the largest element of a row of scores, the first of equals, in the types that
// decoders give: float32, float64, float16, bfloat16.
//
//   if (const auto next = argmax(row, onnx::DataType::kFloat16)) ...
//
// Not-a-numbers are passed over. Pure. Cost: one pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "onnx/data_type.h"

namespace ridge::runtime {

/// `row`: packed little-endian elements. nullopt: an empty row, or another type.
std::optional<std::int64_t> argmax(std::span<const std::byte> row, onnx::DataType type);

}  // namespace ridge::runtime
