// SPDX-License-Identifier: Apache-2.0
// Quantized operators of com.microsoft. Matrix products count as in floating point. An element-wise
// operator dequantizes its inputs (1 integer subtract, 1 multiply per element), computes, and
// quantizes the result (1 division, 4 FLOPs per element).
#include <fmt/format.h>

#include "ops/math/gemm.h"
#include "ops/math/reduce.h"
#include "ops/nn/conv.h"
#include "ops/nn/pool.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// Cost of dequantizing `inputs` elements and quantizing `outputs` elements.
Work work_around_linear(Context& c, Dim inputs, Dim outputs) {
  DimPool& p = c.dims();
  return {.flops = p.add(inputs, p.mul(outputs, Dim(4))), .special = outputs, .int_ops = inputs};
}

Dim out(Context& c) { return c.elements(c.output(0).shape); }
// Operands are inputs 0 and 3, each followed by its scale and zero point.
Result<void> infer_quantized_two(Context& c) {
  TRY(require_inputs(c, 7));
  const Shape shape = TRY(broadcast(c, c.input(0).shape, c.input(3).shape));
  set_tensor(c, 0, c.input(0).dtype, shape);
  return {};
}
Work work_two(Context& c) {
  return sum(c, work_around_linear(c, c.dims().add(in(c, 0), in(c, 3)), out(c)), {.flops = out(c)});
}

Result<void> infer_one(Context& c) {
  TRY(require_inputs(c, 4));
  return infer_same(c);
}
template <Cost cost>
Work work_one(Context& c) {
  return sum(c, work_around_linear(c, in(c, 0), out(c)),
             elementwise(c, out(c), cost, DataType::kFloat));
}

Work work_quantized_softmax(Context& c) {
  const Shape& x = c.input(0).shape;
  const auto opset = c.int_attribute("opset", 13);
  const auto axis = axis_attribute(c, "axis", -1, x.span().size());
  if (!x.ranked() || !opset.ok() || !axis.ok()) return {.flops = Dim(), .special = Dim()};
  DimPool& p = c.dims();
  Dim rows(1);
  for (std::size_t i = 0; i < x.span().size(); ++i)
    if (*opset < 13 ? i < *axis : i != *axis) rows = p.mul(rows, x[i]);
  const Dim n = in(c, 0), once = combining(c, n, rows);
  return sum(c, work_around_linear(c, n, n),
             {.flops = p.add(n, p.mul(once, Dim(2))), .special = p.mul(n, Dim(2))});
}

Result<void> infer_quantized_where(Context& c) {
  TRY(require_inputs(c, 8));
  Shape shape = TRY(broadcast(c, c.input(0).shape, c.input(1).shape));
  shape = TRY(broadcast(c, shape, c.input(4).shape));
  set_tensor(c, 0, c.input(1).dtype, shape);
  return {};
}
Work work_quantized_where(Context& c) {
  return sum(c, work_around_linear(c, c.dims().add(in(c, 1), in(c, 4)), out(c)), {.flops = out(c)});
}

// Scale and zero point of the result, then data, scale and zero point of every part.
Result<void> infer_quantized_concat(Context& c) {
  TRY(require_inputs(c, 5));
  Shape shape;
  for (std::size_t i = 2; i < c.input_count(); i += 3) {
    const Shape& part = c.input(i).shape;
    if (!part.ranked()) return set_tensor(c, 0, c.input(1).dtype, Shape{}), Result<void>();
    const std::size_t axis = TRY(axis_attribute(c, "axis", 0, part.span().size()));
    if (i == 2) {
      shape = part;
      continue;
    }
    TRY(require_rank(c, i, shape.rank));
    const auto joined = c.arena().copy(shape.span());
    joined[axis] = c.dims().add(joined[axis], part[axis]);
    shape = shape_of(joined);
  }
  set_tensor(c, 0, c.input(1).dtype, shape);
  return {};
}
Work work_concat(Context& c) { return work_around_linear(c, out(c), out(c)); }

Layout layout(const Context& c) {
  const auto last = c.int_attribute("channels_last", 0);
  return last.ok() && *last != 0 ? Layout::kChannelsLast : Layout::kChannelsFirst;
}
Result<void> infer_pool_average(Context& c) { return infer_pool(c, layout(c)); }
Result<void> infer_pool_global(Context& c) { return infer_global_pool(c, layout(c)); }
Work work_pool_average(Context& c) {
  return sum(c, work_around_linear(c, in(c, 0), out(c)), {.flops = pooled(c), .special = out(c)});
}
Work work_pool_global(Context& c) {
  return sum(c, work_around_linear(c, in(c, 0), out(c)),
             {.flops = pooled_globally(c), .special = out(c)});
}

Result<void> infer_reduce_as(Context& c, DataType type) {
  TRY(require_inputs(c, 1));
  const Shape& x = c.input(0).shape;
  const bool keep = TRY(c.int_attribute("keepdims", 1)) != 0;
  if (!x.ranked()) return set_tensor(c, 0, type, Shape{}), Result<void>();
  const auto axes = TRY(c.ints_attribute("axes"));
  const auto marks = TRY(mark_axes(c, axes, x.span().size(), Repeats::kAllowed));
  const auto kept = new_dims(c, x.span().size());
  std::size_t n = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const bool gone = axes.empty() || marks[i];
    if (!gone || keep) kept[n++] = gone ? Dim(1) : x[i];
  }
  set_tensor(c, 0, type, kept.first(n));
  return {};
}
Result<void> infer_reduce_mean(Context& c) { return infer_reduce_as(c, c.input(0).dtype); }
Result<void> infer_reduce_sum(Context& c) {
  return infer_reduce_as(
      c, c.input(0).dtype == DataType::kUint8 ? DataType::kUint32 : DataType::kInt32);
}
Work work_reduce_mean(Context& c) {
  return sum(c, work_around_linear(c, in(c, 0), out(c)),
             {.flops = combining(c, in(c, 0), out(c)), .special = out(c)});
}
Work work_reduce_sum(Context& c) { return {.int_ops = combining(c, in(c, 0), out(c))}; }

ConvInputs conv_inputs(const Context& c) {
  return {.data = 0, .weight = 3, .bias = 8, .layout = layout(c)};
}
Result<void> infer_conv_linear(Context& c) {
  TRY(require_inputs(c, 8));
  return infer_conv(c, conv_inputs(c), c.input(7).dtype);
}
Work work_conv_linear(Context& c) {
  DimPool& p = c.dims();
  const Dim factors = p.add(in(c, 0), in(c, 3));
  return {.macs = conv_macs(c, conv_inputs(c)),
          .flops = p.mul(out(c), Dim(5)),
          .int_ops = c.has_input(8) ? p.add(factors, out(c)) : factors};
}

// Products of 8-bit factors, scaled to floats; a floating-point input is quantized first.
struct Product {
  std::size_t a, b, zero_a, zero_b, bias;
  bool quantizes;
};
constexpr std::size_t kNoOperand = 1000;
constexpr Product kDynamic{0, 1, kNoOperand, 3, 4, true};
constexpr Product kToFloat{0, 1, 4, 5, 6, false};

template <const Product& at>
Result<void> infer_product_of(Context& c) {
  TRY(require_inputs(c, 3));
  return infer_matmul(c, at.a, at.b, {}, at.quantizes ? c.input(0).dtype : c.input(3).dtype);
}
template <const Product& at>
Work work_product_of(Context& c) {
  DimPool& p = c.dims();
  const Dim a = in(c, at.a), b = in(c, at.b);
  Work w{.macs = matmul_macs(c, at.a, {}), .flops = out(c)};
  if (c.has_input(at.bias)) w.flops = p.add(w.flops, out(c));
  if (at.quantizes || c.has_input(at.zero_a)) w.int_ops = a;
  if (c.has_input(at.zero_b)) w.int_ops = p.add(w.int_ops, b);
  // As DynamicQuantizeLinear: find two extremes, then divide, round, shift, clip.
  if (at.quantizes)
    w = sum(c, w, {.flops = p.add(p.mul(a, Dim(6)), Dim(7)), .special = p.add(a, Dim(2))});
  return w;
}

Result<void> infer_integer16(Context& c) {
  TRY(require_inputs(c, 2));
  const bool both = c.input(0).dtype == DataType::kUint16 && c.input(1).dtype == DataType::kUint16;
  return infer_matmul(c, 0, 1, {}, both ? DataType::kUint32 : DataType::kInt32);
}
Work work_integer16(Context& c) { return {.macs = matmul_macs(c, 0, {})}; }

Result<void> infer_mul_integer(Context& c) {
  TRY(require_inputs(c, 1));
  const Shape shape = TRY(broadcast(c, c.input(0).shape, c.input(2).shape));
  set_tensor(c, 0, DataType::kInt32, shape);
  return {};
}
Work work_mul_integer(Context& c) {
  Dim n = out(c);
  for (std::size_t i = 0; i < 4; i += 2)
    if (c.has_input(i + 1)) n = c.dims().add(n, in(c, i));
  return {.int_ops = n};
}

Result<Swapped> swaps(const Context& c) {
  return Swapped{TRY(c.int_attribute("transA", 0)) != 0, TRY(c.int_attribute("transB", 0)) != 0};
}
// Without a scale for the result, the result is a float.
Result<void> infer_qgemm(Context& c) {
  TRY(require_inputs(c, 6));
  TRY(require_rank(c, 0, 2));
  TRY(require_rank(c, 3, 2));
  const bool quantized = c.has_input(7) && c.has_input(8);
  return infer_matmul(c, 0, 3, TRY(swaps(c)), quantized ? c.input(8).dtype : DataType::kFloat);
}
Work work_qgemm(Context& c) {
  const auto swapped = swaps(c);
  if (!swapped.ok()) return {.macs = Dim(), .flops = Dim()};
  DimPool& p = c.dims();
  const Dim factors = p.add(in(c, 0), in(c, 3));
  return {.macs = matmul_macs(c, 0, *swapped),
          .flops = p.mul(out(c), Dim(c.has_input(7) ? 5 : 1)),
          .int_ops = c.has_input(6) ? p.add(factors, out(c)) : factors};
}

Result<void> infer_ordered_matmul(Context& c) {
  TRY(require_inputs(c, 5));
  // ORDER_COL is 0: the second factor is stored transposed.
  const bool swapped = TRY(c.int_attribute("order_B", 1)) == 0;
  return infer_matmul(c, 0, 2, {false, swapped}, c.input(0).dtype);
}
Work work_ordered_matmul(Context& c) {
  const int added = (c.has_input(5) ? 1 : 0) + (c.has_input(6) ? 2 : 0);
  return {.macs = matmul_macs(c, 0, {}), .flops = c.dims().mul(out(c), Dim(4 + added))};
}

// As Gather of the weights packed in `data`, each followed by (q - zero point) * scale.
Dim per_byte(Context& c) {
  const auto bits = c.int_attribute("bits", 4);
  const bool packs = c.input(0).dtype == DataType::kUint8 && bits.ok() && *bits > 0 && *bits < 8;
  return packs ? Dim(8 / *bits) : Dim(1);
}
Result<void> infer_gather_block(Context& c) {
  TRY(require_inputs(c, 3));
  const Shape &x = c.input(0).shape, &indices = c.input(1).shape;
  const DataType type = c.input(2).dtype;
  if (!x.ranked() || !indices.ranked() || x.rank == 0) {
    set_tensor(c, 0, type, Shape{});
    return {};
  }
  const std::size_t axis = TRY(axis_attribute(c, "gather_axis", 0, x.span().size()));
  const auto data = c.arena().copy(x.span());
  data.back() = c.dims().mul(data.back(), per_byte(c));
  const auto gathered = new_dims(c, data.size() + indices.span().size() - 1);
  std::size_t n = 0;
  for (std::size_t i = 0; i < axis; ++i) gathered[n++] = data[i];
  for (const Dim& d : indices.span()) gathered[n++] = d;
  for (std::size_t i = axis + 1; i < data.size(); ++i) gathered[n++] = data[i];
  set_tensor(c, 0, type, gathered);
  return {};
}
Work work_gather_block(Context& c) {
  return {.flops = out(c), .int_ops = is_floating(c.input(0).dtype) ? Dim(0) : out(c)};
}
Dim packed_gather_block(Context& c, std::size_t i) {
  const bool zero_points = i == 3 && c.input(i).dtype == DataType::kUint8;
  if (zero_points) return in(c, 2);  // one per scale
  return i == 0 ? c.dims().mul(in(c, 0), per_byte(c)) : Dim(0);
}
// Reads the gathered rows of the packed table, and the other inputs entirely.
Traffic traffic_gather_block(Context& c) {
  Traffic t = default_traffic(c);
  DimPool& p = c.dims();
  const Dim rows = p.ceil_div(out(c), per_byte(c));
  const Type touched{c.input(0).dtype, Container::kTensor, c.shape({rows})};
  t.read = p.add(p.sub(t.read, c.bytes(c.input(0))), c.bytes(touched));
  return t;
}

constexpr std::string_view kOne =
    "dequantise, compute, quantise: 1 integer subtract per input, 5 FLOPs and a division around "
    "the operation per element";
constexpr std::string_view kQuantizedLinear =
    "MACs as the floating operator; 1 integer subtract per input element, 5 FLOPs (scale, round, "
    "shift, clip) per output element";

constexpr Operator kContribQuantizeRows[] = {
    row(kMicrosoft, "QLinearAdd", infer_quantized_two, work_two, kOne),
    row(kMicrosoft, "QLinearMul", infer_quantized_two, work_two, kOne),
    row(kMicrosoft, "QLinearSigmoid", infer_one, work_one<Cost{.special = 1}>, kOne),
    row(kMicrosoft, "QLinearLeakyRelu", infer_one, work_one<Cost{.flops = 3}>, kOne),
    row(kMicrosoft, "QLinearSoftmax", infer_one, work_quantized_softmax, kOne),
    row(kMicrosoft, "QLinearWhere", infer_quantized_where, work_quantized_where, kOne),
    row(kMicrosoft, "QLinearConcat", infer_quantized_concat, work_concat, kOne),
    row(kMicrosoft, "QLinearAveragePool", infer_pool_average, work_pool_average, kOne),
    row(kMicrosoft, "QLinearGlobalAveragePool", infer_pool_global, work_pool_global, kOne),
    row(kMicrosoft, "QLinearReduceMean", infer_reduce_mean, work_reduce_mean, kOne),
    row(kMicrosoft, "ReduceSumInteger", infer_reduce_sum, work_reduce_sum,
        "inputs - outputs integer operations"),
    row(kMicrosoft, "QLinearConv", infer_conv_linear, work_conv_linear, kQuantizedLinear),
    row(kMicrosoft, "QGemm", infer_qgemm, work_qgemm, kQuantizedLinear),
    row(kMicrosoft, "DynamicQuantizeMatMul", infer_product_of<kDynamic>, work_product_of<kDynamic>,
        "MACs as MatMul; A is quantised first as DynamicQuantizeLinear does; 1 FLOP per output, 1 "
        "for a bias"),
    row(kMicrosoft, "MatMulIntegerToFloat", infer_product_of<kToFloat>, work_product_of<kToFloat>,
        "MACs as MatMul; 1 integer subtract per element with a zero point, 1 FLOP per output, 1 "
        "for a bias"),
    row(kMicrosoft, "MatMulInteger16", infer_integer16, work_integer16, "MACs as MatMul"),
    row(kMicrosoft, "MulInteger", infer_mul_integer, work_mul_integer,
        "1 integer multiply per element, 1 subtract per element with a zero point"),
    row(kMicrosoft, "QOrderedMatMul", infer_ordered_matmul, work_ordered_matmul,
        "MACs as MatMul; 4 FLOPs (scale, round, clip) per output element, more for bias and C"),
    {.domain = kMicrosoft,
     .name = "GatherBlockQuantized",
     .infer = infer_gather_block,
     .work = work_gather_block,
     .traffic = traffic_gather_block,
     .packed = packed_gather_block,
     .formula = "1 integer subtract, 1 multiply per element; reads what it keeps"},
};

}  // namespace

const std::span<const Operator> kContribQuantize = kContribQuantizeRows;

}  // namespace ridge::ops
