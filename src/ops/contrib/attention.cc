// SPDX-License-Identifier: Apache-2.0
// Attention operators of com.microsoft. The two products and the softmax are counted as in ai.onnx,
// unmasked: a causal mask or a window does not change the work by definition.
#include <fmt/format.h>

#include "ops/nn/attention.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

using Sizes = AttentionSizes;

Work unknown_projected() { return unknown_attention(); }

// Length of the present keys: the buffer's length if past and present share one, else past plus new
// keys.
Dim present_length(Context& c, const Sizes& s, std::size_t past_axis_length_input, Dim buffer) {
  const auto shared = c.int_attribute("past_present_share_buffer", 0);
  const bool in_place = (shared.ok() && *shared != 0) || c.has_input(past_axis_length_input);
  return in_place ? buffer : s.total(c.dims());
}

// Operators with one projection for queries, keys and values: input [batch, length, in], weight
// [in, q + k + v].

struct Projected {
  Sizes s;
  Dim tokens, in, columns;
};

struct ProjectedInputs {
  std::size_t weight, bias, mask, past, added, past_length;
};
constexpr std::size_t kNoSlot = 1000;
constexpr ProjectedInputs kAttentionInputs{1, 2, 3, 4, 5, 6};
constexpr ProjectedInputs kQuantizedInputs{1, 2, 5, 8, kNoSlot, kNoSlot};
constexpr ProjectedInputs kPackedInputs{1, 2, kNoSlot, kNoSlot, 5, kNoSlot};

Result<std::optional<Projected>> projected(Context& c, const ProjectedInputs& at,
                                           std::int32_t rank) {
  TRY(require_inputs(c, at.weight + 1));
  const std::int64_t heads = TRY(head_count(c, "num_heads"));
  TRY(require_rank(c, 0, rank));
  TRY(require_rank(c, at.weight, 2));
  const Shape &x = c.input(0).shape, &w = c.input(at.weight).shape;
  const auto hidden = TRY(c.ints_attribute("qkv_hidden_sizes"));
  if (!x.ranked() || !w.ranked()) return std::optional<Projected>();
  TRY(require_same(c, x.span().back(), w[0], "columns of input 0 and rows of the weight"));
  if (!hidden.empty() && hidden.size() != 3)
    return c.fail(Fault::kAttribute, fmt::format("attribute 'qkv_hidden_sizes' has {} elements, it "
                                                 "must have 3",
                                                 hidden.size()));
  DimPool& p = c.dims();
  const Dim third = p.floor_div(w[1], Dim(3));
  Projected out;
  out.in = w[0], out.columns = w[1];
  out.tokens = p.product(x.span().first(x.span().size() - 1));
  Sizes& s = out.s;
  s.heads = s.kv_heads = Dim(heads);
  s.size = TRY(per_head(c, hidden.empty() ? third : Dim(hidden[0]), heads));
  s.value_size = TRY(per_head(c, hidden.empty() ? third : Dim(hidden[2]), heads));
  if (rank == 3) s.batch = x[0], s.queries = s.keys = x[1];
  if (c.has_input(at.past)) {
    TRY(require_rank(c, at.past, 5));
    const Shape& past = c.input(at.past).shape;
    const Dim given = scalar_input(c, at.past_length);
    s.past = c.has_input(at.past_length) ? given : past.ranked() ? past[3] : Dim();
  }
  return std::optional(out);
}

// Work of the projections (matrix product and bias) and of the attention.
Work work_projected(Context& c, const Projected& p, Cost each, bool bias) {
  DimPool& d = c.dims();
  const Dim made = d.mul(p.tokens, p.columns);
  return sum(c, attend(c, p.s, each), {.macs = d.mul(made, p.in), .flops = bias ? made : Dim(0)});
}

template <const ProjectedInputs& at>
Result<void> infer_projected_attention(Context& c) {
  const auto found = TRY(projected(c, at, 3));
  // For quantized inputs, the bias has the type of the result.
  const DataType type = is_floating(c.input(0).dtype) ? c.input(0).dtype : c.input(at.bias).dtype;
  const Projected known = found.value_or(Projected{});
  const Sizes& s = known.s;
  DimPool& p = c.dims();
  set_tensor(c, 0, type, c.shape({s.batch, s.queries, p.mul(s.heads, s.value_size)}));
  const Shape& past = c.input(at.past).shape;
  const Dim length = present_length(c, s, at.past_length, past.rank == 5 ? past[3] : Dim());
  set_tensor(c, 1, type, c.shape({Dim(2), s.batch, s.heads, length, s.size}));
  return {};
}

template <const ProjectedInputs& at>
Work work_projected_attention(Context& c) {
  const auto found = projected(c, at, 3);
  if (!found.ok() || !*found) return unknown_projected();
  return work_projected(c, **found, score_cost(c, {at.mask, at.added}), c.has_input(at.bias));
}

// The zero points are subtracted from both factors, and the products are scaled.
Work work_quantized_attention(Context& c) {
  Work out = work_projected_attention<kQuantizedInputs>(c);
  const auto found = projected(c, kQuantizedInputs, 3);
  if (!found.ok() || !*found) return unknown_projected();
  DimPool& p = c.dims();
  out.flops = p.add(out.flops, p.mul((*found)->tokens, (*found)->columns));
  for (std::size_t i = 0; i < 2; ++i)
    if (c.has_input(6 + i)) out.int_ops = p.add(out.int_ops, c.elements(c.input(i).shape));
  return out;
}

// The tokens of all sequences share one axis; the sequence lengths depend on the data. Upper bound:
// every token attends to its whole padded sequence.
Result<void> infer_packed(Context& c) {
  const auto found = TRY(projected(c, kPackedInputs, 2));
  const Projected known = found.value_or(Projected{});
  set_tensor(c, 0, c.input(0).dtype,
             c.shape({known.tokens, c.dims().mul(known.s.heads, known.s.value_size)}));
  return {};
}

Dim packed_bound(Context& c, Sizes s, Dim tokens, std::size_t offsets) {
  const Shape& padded = c.input(offsets).shape;
  if (padded.rank != 2) return {};
  s.batch = Dim(1), s.queries = tokens, s.keys = padded[1];
  return attend(c, s, {}).macs;
}

Work work_packed(Context& c) {
  const auto found = projected(c, kPackedInputs, 2);
  if (!found.ok() || !*found) return unknown_projected();
  DimPool& p = c.dims();
  const Projected& known = **found;
  Work out = unknown_projected();
  out.macs_max = p.add(product(p, {known.tokens, known.columns, known.in}),
                       packed_bound(c, known.s, known.tokens, 3));
  return out;
}

// Operators with projected queries, keys and values as inputs 0 to 2.

// All three in one tensor: [batch, length, heads, 3, size].
Result<Sizes> packed_heads(Context& c, const Shape& x, std::int64_t heads) {
  Sizes s;
  s.heads = s.kv_heads = Dim(heads);
  s.batch = x[0];
  s.queries = s.keys = x[1];
  s.size = s.value_size = x.span().back();
  TRY(require_same(c, x[2], Dim(heads), "heads of input 0 and attribute 'num_heads'"));
  return s;
}

// Length and head size of keys or values: [batch, length, heads * size] or [batch, heads, length,
// size].
struct HeadSide {
  Dim length, size;
};
Result<HeadSide> side(Context& c, const Shape& x, std::int64_t heads) {
  if (x.rank == 4) return HeadSide{x[2], x[3]};
  if (x.rank == 5) return HeadSide{x[1], x[4]};
  if (x.rank != 3) return HeadSide{};
  return HeadSide{x[1], TRY(per_head(c, x[2], heads))};
}

Result<std::optional<Sizes>> multi_head_sizes(Context& c, std::size_t past, std::size_t length) {
  TRY(require_inputs(c, 1));
  const std::int64_t heads = TRY(head_count(c, "num_heads"));
  const Shape &q = c.input(0).shape, &k = c.input(1).shape, &v = c.input(2).shape;
  if (!q.ranked()) return std::optional<Sizes>();
  Sizes s;
  if (q.rank == 5) {
    s = TRY(packed_heads(c, q, heads));
  } else {
    TRY(require_rank(c, 0, 3));
    s.batch = q[0], s.queries = s.keys = q[1];
    s.heads = s.kv_heads = Dim(heads);
    if (c.has_input(1)) {
      s.size = TRY(per_head(c, q[2], heads));
      const HeadSide keys = TRY(side(c, k, heads));
      s.keys = keys.length;
      TRY(require_same(c, s.size, keys.size, "head sizes of queries and keys"));
      s.value_size = c.has_input(2) ? TRY(side(c, v, heads)).size : keys.size;
    } else {  // all three in one row
      s.size = s.value_size = TRY(per_head(c, c.dims().floor_div(q[2], Dim(3)), heads));
    }
  }
  if (c.has_input(past)) {
    const Shape& before = c.input(past).shape;
    s.past = c.has_input(length) ? scalar_input(c, length) : before.rank == 4 ? before[2] : Dim();
  }
  return std::optional(s);
}

struct MultiHead {
  std::size_t bias, mask, added, past, past_length;
};
constexpr MultiHead kMultiHead{3, 4, 5, 6, 8};
constexpr MultiHead kDecoder{10, 3, 4, 5, 7};

template <const MultiHead& at>
Result<void> infer_multi_head(Context& c) {
  const auto found = TRY(multi_head_sizes(c, at.past, at.past_length));
  const Sizes s = found.value_or(Sizes{});
  DimPool& p = c.dims();
  const DataType t = c.input(0).dtype;
  set_tensor(c, 0, t, c.shape({s.batch, s.queries, p.mul(s.heads, s.value_size)}));
  const Shape& past = c.input(at.past).shape;
  const Dim length = present_length(c, s, at.past_length, past.rank == 4 ? past[2] : Dim());
  set_tensor(c, 1, t, c.shape({s.batch, s.heads, length, s.size}));
  set_tensor(c, 2, t, c.shape({s.batch, s.heads, length, s.value_size}));
  set_tensor(c, 3, t, c.shape({s.batch, s.heads, s.queries, s.total(p)}));
  return {};
}

// Adds the bias of the preceding projections.
Dim bias_flops(Context& c, const Sizes& s, std::size_t bias) {
  if (!c.has_input(bias)) return Dim(0);
  DimPool& p = c.dims();
  const Dim queries = p.mul(s.queries, s.size);
  const Dim keys = p.mul(s.keys, p.add(s.size, s.value_size));
  return product(p, {s.batch, s.heads, p.add(queries, keys)});
}

template <const MultiHead& at>
Work work_multi_head(Context& c) {
  const auto found = multi_head_sizes(c, at.past, at.past_length);
  if (!found.ok() || !*found) return unknown_projected();
  const Sizes& s = **found;
  return sum(c, attend(c, s, score_cost(c, {at.mask, at.added})),
             {.flops = bias_flops(c, s, at.bias)});
}

// Input [tokens, heads * size] or [tokens, heads, 3, size].
Result<std::optional<Sizes>> packed_sizes(Context& c) {
  TRY(require_inputs(c, 1));
  const std::int64_t heads = TRY(head_count(c, "num_heads"));
  const Shape &q = c.input(0).shape, &v = c.input(2).shape;
  if (q.rank != 2 && q.rank != 4) return std::optional<Sizes>();
  Sizes s;
  s.batch = Dim(1), s.heads = s.kv_heads = Dim(heads), s.queries = q[0];
  s.size = q.rank == 4 ? q[3] : TRY(per_head(c, q[1], heads));
  s.value_size = s.size;
  if (q.rank == 2 && v.rank == 2) s.value_size = TRY(per_head(c, v[1], heads));
  return std::optional(s);
}

Result<void> infer_packed_multi_head(Context& c) {
  const Sizes s = TRY(packed_sizes(c)).value_or(Sizes{});
  set_tensor(c, 0, c.input(0).dtype, c.shape({s.queries, c.dims().mul(s.heads, s.value_size)}));
  return {};
}

Work work_packed_multi_head(Context& c) {
  const auto found = packed_sizes(c);
  Work out = unknown_projected();
  if (found.ok() && *found) out.macs_max = packed_bound(c, **found, (*found)->queries, 4);
  return out;
}

constexpr std::string_view kProjections =
    "tokens*in*(q + k + v) MACs for the projections, then batch*heads*queries*keys*(size + value "
    "size); scaling, masks and softmax";
constexpr std::string_view kPacked =
    "the data decides how long the sequences are: at most tokens*padded length*(size + value size) "
    "MACs per head";

constexpr Operator kContribAttentionRows[] = {
    row(kMicrosoft, "Attention", infer_projected_attention<kAttentionInputs>,
        work_projected_attention<kAttentionInputs>, kProjections),
    row(kMicrosoft, "QAttention", infer_projected_attention<kQuantizedInputs>,
        work_quantized_attention, kProjections),
    row(kMicrosoft, "DecoderMaskedSelfAttention", infer_projected_attention<kAttentionInputs>,
        work_projected_attention<kAttentionInputs>, kProjections),
    row(kMicrosoft, "PackedAttention", infer_packed, work_packed, kPacked),
    row(kMicrosoft, "MultiHeadAttention", infer_multi_head<kMultiHead>, work_multi_head<kMultiHead>,
        kScores),
    row(kMicrosoft, "DecoderMaskedMultiHeadAttention", infer_multi_head<kDecoder>,
        work_multi_head<kDecoder>, kScores),
    row(kMicrosoft, "PackedMultiHeadAttention", infer_packed_multi_head, work_packed_multi_head,
        kPacked),
};

}  // namespace

const std::span<const Operator> kContribAttention = kContribAttentionRows;

}  // namespace ridge::ops
