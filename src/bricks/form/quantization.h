// SPDX-License-Identifier: Apache-2.0
// Inputs of quantized operators that are no tensors of activations. Of scales and zero points only
// the type, whether there is one or one per channel, and whether all zero points are 0 select a
// kernel; of a bias, in int32, no element does.
//
//   is_quantization_parameter("QLinearConv", 1)     // true: the scale of the input
//   may_be_quantized_bias("QLinearConv", 8)         // true
//
// Thread rule: pure.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace ridge::bricks {

struct QuantizationInputs {
  std::string_view op_type;
  std::array<std::size_t, 6> inputs;  ///< scales and zero points; unused places repeat one
};

/// From ONNX's schemas and ONNX Runtime's "Contrib Operators". Sorted.
inline constexpr std::array kQuantizationInputs = {
    QuantizationInputs{"ConvInteger", {2, 3, 3, 3, 3, 3}},
    QuantizationInputs{"DequantizeLinear", {1, 2, 2, 2, 2, 2}},
    QuantizationInputs{"MatMulInteger", {2, 3, 3, 3, 3, 3}},
    QuantizationInputs{"QGemm", {1, 2, 4, 5, 7, 8}},
    QuantizationInputs{"QLinearAdd", {1, 2, 4, 5, 6, 7}},
    QuantizationInputs{"QLinearAveragePool", {1, 2, 3, 4, 4, 4}},
    QuantizationInputs{"QLinearConv", {1, 2, 4, 5, 6, 7}},
    QuantizationInputs{"QLinearGlobalAveragePool", {1, 2, 3, 4, 4, 4}},
    QuantizationInputs{"QLinearLeakyRelu", {1, 2, 3, 4, 4, 4}},
    QuantizationInputs{"QLinearMatMul", {1, 2, 4, 5, 6, 7}},
    QuantizationInputs{"QLinearMul", {1, 2, 4, 5, 6, 7}},
    QuantizationInputs{"QLinearSigmoid", {1, 2, 3, 4, 4, 4}},
    QuantizationInputs{"QLinearSoftmax", {1, 2, 3, 4, 4, 4}},
    QuantizationInputs{"QuantizeLinear", {1, 2, 2, 2, 2, 2}},
};
static_assert(std::ranges::is_sorted(kQuantizationInputs, {}, &QuantizationInputs::op_type));

/// QLinearConcat has the scale and zero point of its result first, then each tensor with its own.
inline bool is_quantization_parameter(std::string_view op_type, std::size_t input) {
  if (op_type == "QLinearConcat") return input < 2 || input % 3 != 2;
  const auto row =
      std::ranges::lower_bound(kQuantizationInputs, op_type, {}, &QuantizationInputs::op_type);
  return row != kQuantizationInputs.end() && row->op_type == op_type &&
         std::ranges::find(row->inputs, input) != row->inputs.end();
}

/// DequantizeLinear is what a bias passes in models with QuantizeLinear and DequantizeLinear nodes.
inline bool may_be_quantized_bias(std::string_view op_type, std::size_t input) {
  return (op_type == "QLinearConv" && input == 8) || (op_type == "QGemm" && input == 6) ||
         (op_type == "DequantizeLinear" && input == 0);
}

}  // namespace ridge::bricks
