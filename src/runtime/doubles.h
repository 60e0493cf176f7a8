// Arrays of float64 for inputs that are narrower floats: what NumPy makes unless it is told
// otherwise.
//
//   if (narrows(array.type, spec.type)) narrow_doubles(bytes, spec.type, out);
//
// Rounds to nearest even; what lies beyond the narrower type is infinite, as in NumPy's astype.
// Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "onnx/data_type.h"

namespace ridge::runtime {

/// float64 to float32 or float16: the only conversion that is made unasked.
bool narrows(onnx::DataType from, onnx::DataType to);

/// `doubles`: little-endian float64; `out`: as many elements of `to`.
void narrow_doubles(std::span<const std::byte> doubles, onnx::DataType to,
                    std::span<std::byte> out);

/// IEEE 754 binary16.
std::uint16_t float16_of(double value);

}  // namespace ridge::runtime
