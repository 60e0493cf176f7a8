// SPDX-License-Identifier: Apache-2.0
// Conversion of float64 arrays, NumPy's default, for inputs of narrower floating-point types.
//
//   if (narrows(array.type, spec.type)) narrow_doubles(bytes, spec.type, out);
//
// Rounds to nearest even; values beyond the narrower type become infinite, as in NumPy's astype.
// Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "onnx/data_type.h"

namespace ridge::runtime {

/// True for float64 to float32 or float16, the only implicit conversions.
bool narrows(onnx::DataType from, onnx::DataType to);

/// `doubles`: little-endian float64; `out`: the same number of elements of `to`.
void narrow_doubles(std::span<const std::byte> doubles, onnx::DataType to,
                    std::span<std::byte> out);

/// Converts to IEEE 754 binary16.
std::uint16_t float16_of(double value);

}  // namespace ridge::runtime
