// SPDX-License-Identifier: Apache-2.0
// Quantization, and operators on quantized tensors. Matrix products count as in floating point;
// zero points, scaling and rounding are separate operations.
#include <fmt/format.h>

#include "ops/math/gemm.h"
#include "ops/nn/conv.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

Result<void> infer_quantize(Context& c) {
  TRY(require_inputs(c, 2));
  const auto wanted = static_cast<DataType>(TRY(c.int_attribute("output_dtype", 0)));
  DataType type = c.has_input(2) ? c.input(2).dtype : DataType::kUint8;
  if (!c.has_input(2) && wanted != DataType::kUndefined) type = wanted;
  set_tensor(c, 0, type, c.input(0).shape);
  return {};
}

Result<void> infer_dequantize(Context& c) {
  TRY(require_inputs(c, 2));
  const auto wanted = static_cast<DataType>(TRY(c.int_attribute("output_dtype", 0)));
  const DataType type = wanted != DataType::kUndefined ? wanted : c.input(1).dtype;
  set_tensor(c, 0, type, c.input(0).shape);
  return {};
}

// Divide, round, add the zero point, clip to the range of the type.
Work work_quantize(Context& c) {
  const Dim n = c.elements(c.input(0).shape);
  return {.flops = c.dims().mul(n, Dim(c.has_input(2) ? 4 : 3)), .special = n};
}

// Computes (x - zero point) * scale.
Work work_dequantize(Context& c) {
  const Dim n = c.elements(c.input(0).shape);
  return {.flops = n, .int_ops = c.has_input(2) ? n : Dim(0)};
}

Result<void> infer_dynamic(Context& c) {
  TRY(require_inputs(c, 1));
  set_tensor(c, 0, DataType::kUint8, c.input(0).shape);
  set_tensor(c, 1, DataType::kFloat, c.shape({}));
  set_tensor(c, 2, DataType::kUint8, c.shape({}));
  return {};
}

// Function body: two extremes over all elements, a few scalars, then QuantizeLinear.
Work work_dynamic(Context& c) {
  DimPool& p = c.dims();
  const Dim n = c.elements(c.input(0).shape);
  return {.flops = p.add(p.mul(n, Dim(6)), Dim(7)), .special = p.add(n, Dim(2))};
}

constexpr ConvInputs kIntegerConv{.data = 0, .weight = 1, .bias = 1000};
constexpr ConvInputs kLinearConv{.data = 0, .weight = 3, .bias = 8};

Result<void> infer_conv_integer(Context& c) {
  return infer_conv(c, kIntegerConv, DataType::kInt32);
}
Result<void> infer_matmul_integer(Context& c) {
  return infer_matmul(c, 0, 1, {}, DataType::kInt32);
}
Result<void> infer_linear_conv(Context& c) {
  TRY(require_inputs(c, 8));
  return infer_conv(c, kLinearConv, c.input(7).dtype);
}
Result<void> infer_linear_matmul(Context& c) {
  TRY(require_inputs(c, 8));
  return infer_matmul(c, 0, 3, {}, c.input(7).dtype);
}

// Zero points are subtracted from every element of the factors that have one.
Dim zero_points(Context& c) {
  Dim n(0);
  for (std::size_t i = 0; i < 2; ++i)
    if (c.has_input(i + 2)) n = c.dims().add(n, c.elements(c.input(i).shape));
  return n;
}

Work work_conv_integer(Context& c) {
  return {.macs = conv_macs(c, kIntegerConv), .int_ops = zero_points(c)};
}
Work work_matmul_integer(Context& c) {
  return {.macs = matmul_macs(c, 0, {}), .int_ops = zero_points(c)};
}

// Zero points are subtracted from both factors; each output is scaled, rounded, shifted and
// clipped.
Work linear(Context& c, Dim macs, bool bias) {
  DimPool& p = c.dims();
  const Dim out = c.elements(c.output(0).shape);
  const Dim factors = p.add(c.elements(c.input(0).shape), c.elements(c.input(3).shape));
  return {
      .macs = macs, .flops = p.mul(out, Dim(5)), .int_ops = bias ? p.add(factors, out) : factors};
}
Work work_linear_conv(Context& c) { return linear(c, conv_macs(c, kLinearConv), c.has_input(8)); }
Work work_linear_matmul(Context& c) { return linear(c, matmul_macs(c, 0, {}), false); }

constexpr std::string_view kLinearFormula =
    "MACs as the floating operator; 1 integer subtract per input element, 5 FLOPs (scale, round, "
    "shift, clip) per output element";

constexpr std::string_view kQuantizeFormula =
    "1 division, 3 FLOPs (round, min, max) per element, 1 more for a zero point";
constexpr std::string_view kDequantize =
    "1 multiply per element, 1 integer subtract for a zero point";

constexpr Operator kQuantizeRows[] = {
    row(kMicrosoft, "QuantizeLinear", infer_quantize, work_quantize, kQuantizeFormula),
    row(kMicrosoft, "DequantizeLinear", infer_dequantize, work_dequantize, kDequantize),
    {.name = "QuantizeLinear",
     .since = 10,
     .infer = infer_quantize,
     .work = work_quantize,
     .formula = kQuantizeFormula},
    {.name = "DequantizeLinear",
     .since = 10,
     .infer = infer_dequantize,
     .work = work_dequantize,
     .formula = kDequantize},
    {.name = "DynamicQuantizeLinear",
     .since = 11,
     .infer = infer_dynamic,
     .work = work_dynamic,
     .formula = "6N+7 FLOPs: two extremes of N elements, then QuantizeLinear; N+2 divisions"},
    {.name = "ConvInteger",
     .since = 10,
     .infer = infer_conv_integer,
     .work = work_conv_integer,
     .formula = "MACs as Conv; 1 integer subtract per element with a zero point"},
    {.name = "MatMulInteger",
     .since = 10,
     .infer = infer_matmul_integer,
     .work = work_matmul_integer,
     .formula = "MACs as MatMul; 1 integer subtract per element with a zero point"},
    {.name = "QLinearConv",
     .since = 10,
     .infer = infer_linear_conv,
     .work = work_linear_conv,
     .formula = kLinearFormula},
    {.name = "QLinearMatMul",
     .since = 10,
     .infer = infer_linear_matmul,
     .work = work_linear_matmul,
     .formula = kLinearFormula},
};

}  // namespace

const std::span<const Operator> kQuantize = kQuantizeRows;

}  // namespace ridge::ops
