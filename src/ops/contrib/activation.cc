// SPDX-License-Identifier: Apache-2.0
// Activations, additions and data movement of com.microsoft that ONNX Runtime's optimizer and
// exporters write (onnxruntime docs/ContribOperators.md).
#include <fmt/format.h>

#include "ops/math/reduce.h"
#include "ops/nn/activation.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

template <Cost gelu>
Work work_bias_gelu(Context& c) {
  Cost each = gelu;
  if (c.has_input(1)) ++each.flops;
  return elementwise(c, c.elements(c.output(0).shape), each, c.input(0).dtype);
}

// [N, S, D] -> [N, S, D/2]: one half times the Gelu of the other half.
Result<void> infer_split_gelu(Context& c) {
  TRY(require_inputs(c, 2));
  TRY(require_rank(c, 0, 3));
  const Type& x = c.input(0);
  if (!x.shape.ranked()) return infer_same(c);
  const Dim width = x.shape[2];
  if (width.known() && width.value() % 2 != 0)
    return c.fail(Fault::kDivision,
                  fmt::format("{} columns do not divide into 2 halves", width.value()));
  set_tensor(c, 0, x.dtype, c.shape({x.shape[0], x.shape[1], c.dims().floor_div(width, Dim(2))}));
  return {};
}

// Sums all inputs that are present.
Work work_sum(Context& c) {
  std::int32_t given = 0;
  for (std::size_t i = 0; i < c.input_count(); ++i) given += c.has_input(i) ? 1 : 0;
  return elementwise(c, c.elements(c.output(0).shape), {.flops = std::max(given, 1) - 1},
                     c.input(0).dtype);
}

// All axes from `axis` on form one row.
Work work_bias_softmax(Context& c) {
  const Shape& x = c.input(0).shape;
  if (!x.ranked()) return {.flops = Dim(), .special = Dim()};
  const auto axis = axis_attribute(c, "axis", 1, x.span().size());
  if (!axis.ok()) return {.flops = Dim(), .special = Dim()};
  DimPool& p = c.dims();
  const Dim n = c.elements(x), once = combining(c, n, p.product(x.span().first(*axis)));
  return {.flops = p.add(p.mul(n, Dim(2)), p.mul(once, Dim(2))), .special = p.mul(n, Dim(2))};
}

// At inference, only the bias and the residual addition remain.
Result<void> infer_bias_dropout(Context& c) {
  TRY(infer_same(c));
  set_tensor(c, 1, DataType::kBool, c.input(0).shape);
  return {};
}
Result<void> infer_bit_dropout(Context& c) {
  TRY(infer_same(c));
  const Dim words = c.dims().ceil_div(c.elements(c.input(0).shape), Dim(32));
  set_tensor(c, 1, DataType::kUint32, c.shape({words}));
  return {};
}
Work work_bias_dropout(Context& c) {
  return elementwise(c, c.elements(c.output(0).shape), {.flops = c.has_input(2) ? 2 : 1},
                     c.input(0).dtype);
}

Result<void> infer_biased(Context& c) {
  TRY(require_inputs(c, 2));
  return infer_broadcast(c, 0);
}

Result<void> infer_expand_dims(Context& c) {
  TRY(require_inputs(c, 2));
  const Type& x = c.input(0);
  const Dim given = scalar_input(c, 1);
  if (!x.shape.ranked() || !given.known()) {
    set_tensor(c, 0, x.dtype,
               x.shape.ranked() ? shape_of(new_dims(c, x.shape.span().size() + 1)) : Shape{});
    return {};
  }
  const auto out = new_dims(c, x.shape.span().size() + 1);
  const std::size_t axis = TRY(axis_of(c, given.value(), out.size()));
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = i == axis ? Dim(1) : x.shape[i < axis ? i : i - 1];
  set_tensor(c, 0, x.dtype, out);
  return {};
}

Result<void> infer_embedding(Context& c) {
  TRY(require_inputs(c, 2));
  TRY(require_rank(c, 0, 2));
  const Shape &table = c.input(0).shape, &indices = c.input(1).shape;
  Shape shape;
  if (indices.ranked()) {
    const auto out = new_dims(c, indices.span().size() + 1);
    std::copy(indices.span().begin(), indices.span().end(), out.begin());
    if (table.ranked()) out.back() = table[1];
    shape = shape_of(out);
  }
  set_tensor(c, 0, c.input(0).dtype, shape);
  return {};
}

Result<void> infer_unfold(Context& c) {
  TRY(require_inputs(c, 1));
  const Type& x = c.input(0);
  if (!x.shape.ranked()) return infer_same(c);
  const std::size_t axis = TRY(axis_attribute(c, "dim", -1, x.shape.span().size()));
  const Dim size(TRY(positive_attribute(c, "size")));
  const std::int64_t step = TRY(c.int_attribute("step", 1));
  if (step < 1) return c.fail(Fault::kWindow, fmt::format("attribute 'step' is {}", step));
  const auto out = new_dims(c, x.shape.span().size() + 1);
  std::copy(x.shape.span().begin(), x.shape.span().end(), out.begin());
  DimPool& p = c.dims();
  const Dim room = p.sub(x.shape[axis], size);
  if (room.known() && room.value() < 0)
    return c.fail(Fault::kWindow, fmt::format("slices of {} from an axis of {}", p.text(size),
                                              p.text(x.shape[axis])));
  // Example: slices of 4 every 3 from an axis of 10: (10 - 4) / 3 + 1 = 3.
  out[axis] = p.add(p.floor_div(room, Dim(step)), Dim(1));
  out.back() = size;
  set_tensor(c, 0, x.dtype, out);
  return {};
}

Result<void> infer_distances(Context& c) {
  TRY(require_inputs(c, 2));
  TRY(require_rank(c, 0, 2));
  TRY(require_rank(c, 1, 2));
  const Shape &a = c.input(0).shape, &b = c.input(1).shape;
  if (a.ranked() && b.ranked()) TRY(require_same(c, a[1], b[1], "columns of both inputs"));
  set_tensor(c, 0, c.input(0).dtype,
             c.shape({a.ranked() ? a[0] : Dim(), b.ranked() ? b[0] : Dim()}));
  return {};
}

// Counts the Euclidean metrics: subtract, multiply, add per coordinate.
Work work_distances(Context& c) {
  const auto metric = c.string_attribute("metric", "sqeuclidean");
  const Shape& a = c.input(0).shape;
  const bool euclidean = metric.ok() && *metric == "euclidean";
  if (a.rank != 2 || !metric.ok() || (!euclidean && *metric != "sqeuclidean"))
    return {.flops = Dim(), .special = Dim()};
  DimPool& p = c.dims();
  // For k coordinates: k subtracts, k multiplies, k - 1 adds. For k = 3 that is 8.
  const Dim n = c.elements(c.output(0).shape);
  return {.flops = p.mul(n, p.sub(p.mul(a[1], Dim(3)), Dim(1))), .special = euclidean ? n : Dim(0)};
}

constexpr Operator kContribActivationRows[] = {
    row(kMicrosoft, "Gelu", infer_same, work_bias_gelu<kGeluErf>,
        "3 FLOPs, 2 special (division, erf) per element"),
    row(kMicrosoft, "BiasGelu", infer_same, work_bias_gelu<kGeluErf>,
        "add; 3 FLOPs, 2 special (division, erf) per element"),
    row(kMicrosoft, "FastGelu", infer_same, work_bias_gelu<kGeluTanh>,
        "6 FLOPs, 2 special (pow, tanh) per element, 1 FLOP for a bias"),
    row(kMicrosoft, "QuickGelu", infer_same, per_output<Cost{.flops = 2, .special = 1}>,
        "2 multiplies; sigmoid: 2 FLOPs, 1 special per element"),
    row(kMicrosoft, "BiasSplitGelu", infer_split_gelu, per_output<Cost{.flops = 6, .special = 2}>,
        "2 adds, Gelu (3 FLOPs, 2 special), multiply per output element"),
    row(kMicrosoft, "BiasAdd", infer_same, work_sum, "1 FLOP per element and input but the first"),
    row(kMicrosoft, "BiasSoftmax", infer_same, work_bias_softmax,
        "1 add per element, then Softmax"),
    row(kMicrosoft, "BiasDropout", infer_bias_dropout, work_bias_dropout,
        "at inference 1 FLOP per element, 2 with a residual"),
    row(kMicrosoft, "BitmaskBiasDropout", infer_bit_dropout, work_bias_dropout,
        "at inference 1 FLOP per element, 2 with a residual"),
    row(kMicrosoft, "GatedAdd", infer_same, per_output<Cost{.flops = 2}>,
        "multiply, add: 2 FLOPs per element"),
    row(kMicrosoft, "ComplexMul", infer_biased, per_output<Cost{.flops = 3}>,
        "4 multiplies, 2 adds per complex element"),
    row(kMicrosoft, "ComplexMulConj", infer_biased, per_output<Cost{.flops = 3}>,
        "4 multiplies, 2 adds per complex element"),
    row(kMicrosoft, "CDist", infer_distances, work_distances,
        "(squared) Euclidean: 3n-1 FLOPs per pair of n coordinates, a root; others: not known"),
    row(kMicrosoft, "ExpandDims", infer_expand_dims, nullptr, kMoves),
    row(kMicrosoft, "UnfoldTensor", infer_unfold, nullptr, kMoves),
    {.domain = kMicrosoft,
     .name = "BitmaskDropout",
     .infer = infer_bit_dropout,
     .kind = Kind::kView,
     .formula = "at inference a view"},
    {.domain = kMicrosoft,
     .name = "TorchEmbedding",
     .infer = infer_embedding,
     .traffic = touches_output,
     .formula = kMovesKept},
};

}  // namespace

const std::span<const Operator> kContrib = kContribActivationRows;

}  // namespace ridge::ops
