// SPDX-License-Identifier: Apache-2.0
// Shape and multiply-accumulates of a matrix product, shared by all matrix product operators.
#pragma once

#include <cstddef>

#include "ops/rule.h"

namespace ridge::ops {

/// Operands whose last two axes are swapped before the product.
struct Swapped {
  bool a = false, b = false;
};

/// Sets output 0 to the numpy matmul of inputs `a` and `b`, of type `output`.
Result<void> infer_matmul(Context& c, std::size_t a, std::size_t b, Swapped swapped,
                          DataType output);
/// As infer_matmul, for explicit shapes.
Result<void> infer_product(Context& c, const Shape& a, const Shape& b, Swapped swapped,
                           DataType output);
/// MACs batch·M·N·K: number of output elements times the length of the reduced dimension.
Dim matmul_macs(Context& c, std::size_t a, Swapped swapped);
Dim product_macs(Context& c, const Shape& a, Swapped swapped);

/// Gemm: alpha * A * B + beta * C of inputs 0 to 2.
Result<void> infer_gemm(Context& c);
Work work_gemm(Context& c);

}  // namespace ridge::ops
