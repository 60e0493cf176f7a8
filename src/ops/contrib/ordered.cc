// SPDX-License-Identifier: Apache-2.0
// Quantized operators of com.microsoft with tensors in tensor-core layouts (QOrdered*), and block
// floating point. A layout affects neither shape nor work.
#include "ops/nn/activation.h"
#include "ops/nn/attention.h"
#include "ops/nn/normalization.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// Dequantization: one multiply. Quantization: a division, a rounding and two bounds. No zero
// points.
Work work_around_ordered(Context& c, Dim n) {
  return {.flops = c.dims().mul(n, Dim(4)), .special = n};
}

Result<void> infer_to_ordered(Context& c) {
  TRY(require_inputs(c, 2));
  set_tensor(c, 0, DataType::kInt8, c.input(0).shape);
  return {};
}
Work work_to_ordered(Context& c) {
  const Dim n = in(c, 0);
  return {.flops = c.dims().mul(n, Dim(3)), .special = n};
}
Result<void> infer_from_ordered(Context& c) {
  TRY(require_inputs(c, 2));
  set_tensor(c, 0, TRY(type_attribute(c, "to", DataType::kFloat)), c.input(0).shape);
  return {};
}
Work work_from_ordered(Context& c) { return {.flops = in(c, 0)}; }

Work work_ordered_gelu(Context& c) {
  return sum(c, work_around_ordered(c, in(c, 0)),
             elementwise(c, in(c, 0), kGeluErf, DataType::kFloat));
}

Work work_ordered_layer(Context& c) {
  const Shape& x = c.input(0).shape;
  if (!x.ranked()) return {.flops = Dim(), .special = Dim()};
  const auto axis = axis_attribute(c, "axis", -1, x.span().size());
  if (!axis.ok()) return {.flops = Dim(), .special = Dim()};
  const Dim n = in(c, 0), m = c.dims().product(x.span().first(*axis));
  return sum(c, work_around_ordered(c, n), normalized(c, n, m, c.has_input(3)));
}

// Separate weights and biases for queries, keys and values: inputs 5 to 7 and 11 to 13.
Result<std::optional<AttentionSizes>> ordered_attention_sizes(Context& c) {
  TRY(require_inputs(c, 8));
  TRY(require_rank(c, 0, 3));
  const std::int64_t heads = TRY(head_count(c, "num_heads"));
  const Shape &x = c.input(0).shape, &past = c.input(18).shape;
  for (std::size_t i = 5; i < 8; ++i) {
    TRY(require_rank(c, i, 2));
    const Shape& w = c.input(i).shape;
    if (x.ranked() && w.ranked())
      TRY(require_same(c, x[2], w[0], "columns of input 0 and rows of a weight"));
    if (!w.ranked()) return std::optional<AttentionSizes>();
  }
  if (!x.ranked()) return std::optional<AttentionSizes>();
  AttentionSizes s;
  s.batch = x[0], s.queries = s.keys = x[1], s.heads = s.kv_heads = Dim(heads);
  s.size = TRY(per_head(c, c.input(5).shape[1], heads));
  s.value_size = TRY(per_head(c, c.input(7).shape[1], heads));
  if (c.has_input(18)) s.past = past.rank == 5 ? past[3] : Dim();
  return std::optional(s);
}
Result<void> infer_ordered_attention(Context& c) {
  const AttentionSizes s = TRY(ordered_attention_sizes(c)).value_or(AttentionSizes{});
  set_tensor(c, 0, c.input(0).dtype,
             c.shape({s.batch, s.queries, c.dims().mul(s.heads, s.value_size)}));
  return {};
}
// Every product is scaled, rounded and clipped after the bias is added; so are scores and
// probabilities.
Work work_ordered_attention(Context& c) {
  const auto found = ordered_attention_sizes(c);
  if (!found.ok() || !*found) return unknown_attention();
  const AttentionSizes& s = **found;
  DimPool& p = c.dims();
  Work out = attend(c, s, score_cost(c, {17, 19}));
  const Dim tokens = p.mul(s.batch, s.queries), scores = p.mul(s.rows(p), s.total(p));
  for (std::size_t i = 5; i < 8; ++i) {
    const Dim made = p.mul(tokens, c.input(i).shape[1]);
    out.macs = p.add(out.macs, p.mul(made, c.input(i).shape[0]));
    out.flops = p.add(out.flops, p.mul(made, Dim(c.has_input(i + 6) ? 5 : 4)));
  }
  const Dim requantized = p.add(p.mul(scores, Dim(2)), c.elements(c.output(0).shape));
  out.flops = p.add(out.flops, p.mul(requantized, Dim(4)));
  return out;
}

// The definition does not specify the size of a block.
Result<void> infer_to_blocks(Context& c) {
  TRY(require_inputs(c, 1));
  const Shape& x = c.input(0).shape;
  set_tensor(c, 0, DataType::kUint8, c.shape({Dim()}));
  for (std::size_t i = 1; i < 3; ++i)
    set_tensor(c, i, DataType::kInt64, c.shape({x.ranked() ? Dim(x.rank) : Dim()}));
  return {};
}
Result<void> infer_from_blocks(Context& c) {
  TRY(require_inputs(c, 3));
  const Value* shape = integral_value(c, 1);
  set_tensor(c, 0, TRY(type_attribute(c, "dtype", DataType::kFloat)),
             shape != nullptr ? shape_of(shape->ints) : Shape{});
  return {};
}
Work work_blocks(Context&) { return {.flops = Dim(), .special = Dim(), .int_ops = Dim()}; }

constexpr std::string_view kBlocks = "the kind of block is the vendor's: not known";

constexpr Operator kOrderedRows[] = {
    row(kMicrosoft, "QuantizeWithOrder", infer_to_ordered, work_to_ordered,
        "1 division, 3 FLOPs (round, min, max) per element"),
    row(kMicrosoft, "DequantizeWithOrder", infer_from_ordered, work_from_ordered,
        "1 multiply per element"),
    row(kMicrosoft, "QOrderedGelu", infer_same, work_ordered_gelu,
        "dequantise, Gelu, quantise: 7 FLOPs, 3 special (2 divisions, erf) per element"),
    row(kMicrosoft, "QOrderedLayerNormalization", infer_same, work_ordered_layer,
        "4 FLOPs and a division per element around LayerNormalization"),
    row(kMicrosoft, "QOrderedAttention", infer_ordered_attention, work_ordered_attention,
        "tokens*in*(q + k + v) MACs for the projections, then batch*heads*queries*keys*(size + "
        "value size); 4 FLOPs (scale, round, clip) per product, score and probability"),
    row(kMicrosoft, "QuantizeBFP", infer_to_blocks, work_blocks, kBlocks),
    row(kMicrosoft, "DequantizeBFP", infer_from_blocks, work_blocks, kBlocks),
};

}  // namespace

const std::span<const Operator> kContribOrdered = kOrderedRows;

}  // namespace ridge::ops
