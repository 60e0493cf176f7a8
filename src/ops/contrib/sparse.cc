// SPDX-License-Identifier: Apache-2.0
// Attention of com.microsoft over a subset of the keys (windows, selections, decoders with a
// cache), and relative position biases.
#include <fmt/format.h>

#include "ops/nn/attention.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// The set of tokens that attend globally depends on the data. Upper bound: all of them. Every token
// attends to its window and to all tokens, and then again to all tokens with separate projections.
template <std::size_t weight>
Result<void> infer_longformer(Context& c) {
  TRY(require_inputs(c, 7));
  TRY(require_rank(c, 0, 3));
  TRY(require_rank(c, weight, 2));
  TRY(head_count(c, "num_heads"));
  TRY(positive_attribute(c, "window"));
  const Shape &x = c.input(0).shape, &w = c.input(weight).shape;
  if (x.ranked() && w.ranked())
    TRY(require_same(c, x[2], w[0], "columns of input 0 and rows of the weight"));
  return infer_same(c);
}
template <std::size_t weight>
Work work_longformer(Context& c) {
  Work out = unknown_attention();
  const Shape &x = c.input(0).shape, &w = c.input(weight).shape;
  const auto window = c.int_attribute("window", 0);
  if (x.rank != 3 || w.rank != 2 || !window.ok()) return out;
  DimPool& p = c.dims();
  const Dim tokens = p.mul(x[0], x[1]);
  const Dim keys = p.add(p.add(p.mul(Dim(*window), Dim(2)), Dim(1)), p.mul(x[1], Dim(2)));
  out.macs_max = p.add(product(c.dims(), {tokens, w[0], w[1], Dim(2)}),
                       product(c.dims(), {tokens, x[2], keys, Dim(2)}));
  return out;
}

// DecoderAttention: boolean inputs determine the source of keys and values.

std::optional<bool> flag(const Context& c, std::size_t i) {
  const Value* v = integral_value(c, i);
  if (v == nullptr || v->ints.size() != 1 || !v->ints[0].known()) return std::nullopt;
  return v->ints[0].value() != 0;
}

struct Decoder {
  AttentionSizes s;
  Dim hidden, projected;  ///< columns; tokens whose keys and values are computed
};
Result<std::optional<Decoder>> decoder(Context& c) {
  TRY(require_inputs(c, 5));
  for (std::size_t i = 0; i < 2; ++i) TRY(require_rank(c, i, 3));
  const std::int64_t heads = TRY(head_count(c, "num_heads"));
  const Shape &q = c.input(0).shape, &k = c.input(1).shape, &cache = c.input(6).shape;
  if (!q.ranked()) return std::optional<Decoder>();
  Decoder d;
  d.hidden = q[2];
  d.s.batch = q[1], d.s.queries = q[0], d.s.heads = d.s.kv_heads = Dim(heads);
  d.s.size = d.s.value_size = TRY(per_head(c, q[2], heads));
  const auto fixed = flag(c, 8), past = flag(c, 9), layer = flag(c, 10);
  if (!fixed || !past || !layer) return std::optional(d);
  const bool cached = *past && *layer;
  const Dim kept = cache.rank == 4 ? cache[2] : Dim();
  d.projected = *fixed ? (cached ? Dim(0) : k.ranked() ? k[0] : Dim()) : q[0];
  if (cached) d.s.past = kept;
  d.s.keys = d.projected;
  return std::optional(d);
}
Result<void> infer_decoder(Context& c) {
  const auto found = TRY(decoder(c));
  const AttentionSizes s = found.value_or(Decoder{}).s;
  c.set_output(0, c.input(0));
  for (std::size_t i = 1; i < 3; ++i)
    set_tensor(c, i, c.input(0).dtype, c.shape({s.batch, s.heads, s.total(c.dims()), s.size}));
  return {};
}
Work work_decoder(Context& c) {
  const auto found = decoder(c);
  if (!found.ok() || !*found) return unknown_attention();
  const Decoder& d = **found;
  DimPool& p = c.dims();
  const Dim rows = p.mul(d.s.batch, p.add(d.s.queries, p.mul(d.projected, Dim(2))));
  const Dim made = p.mul(rows, d.hidden);
  return sum(c, attend(c, d.s, {.flops = flag(c, 11).value_or(false) ? 2 : 1}),
             {.macs = p.mul(made, d.hidden), .flops = made});
}

// The keys of each query are an input; how many of the selected keys are valid depends on the data.
struct Selected {
  std::size_t indices, past;
};
constexpr Selected kDense{7, 3}, kPaged{9, 3};

template <const Selected& at>
Work work_selected(Context& c) {
  Work out = unknown_attention();
  const auto window = c.int_attribute("local_window_size", -1);
  const auto mode = c.string_attribute("attention_mode", "selected_only");
  const Shape& selected = c.input(at.indices).shape;
  const Shape& result = c.output(0).shape;
  if (selected.rank != 2 || !window.ok() || !mode.ok()) return out;
  const bool local = *mode == "local_plus_selected";
  if (local && *window < 0) return out;
  DimPool& p = c.dims();
  const Dim keys = p.add(selected[1], Dim(local ? *window : 0));
  out.macs_max = product(c.dims(), {c.elements(result), keys, Dim(2)});
  return out;
}

Result<void> infer_dynamic_sparse(Context& c) {
  TRY(require_inputs(c, 1));
  TRY(require_rank(c, 0, 3));
  const std::int64_t heads = TRY(head_count(c, "num_heads"));
  const std::int64_t kv_heads = TRY(head_count(c, "kv_num_heads"));
  const Shape &q = c.input(0).shape, &past = c.input(3).shape;
  DimPool& p = c.dims();
  Dim size, batch, queries;
  if (q.ranked()) {
    size = TRY(per_head(c, q[2], TRY(row_heads(c, heads, kv_heads))));
    batch = q[0], queries = q[1];
  }
  set_tensor(c, 0, c.input(0).dtype, c.shape({batch, queries, p.mul(Dim(heads), size)}));
  // A sufficiently long buffer keeps its length.
  Dim length = scalar_input(c, 10);
  if (past.rank == 4) length = p.max(length, past[2]);
  for (std::size_t i = 1; i < 3; ++i)
    set_tensor(c, i, c.has_input(3) ? c.input(3).dtype : c.input(0).dtype,
               c.shape({batch, Dim(kv_heads), length, size}));
  return {};
}

Result<void> infer_sparse_paged(Context& c) {
  TRY(require_inputs(c, 1));
  TRY(require_rank(c, 0, 2));
  const std::int64_t heads = TRY(head_count(c, "num_heads"));
  const std::int64_t kv_heads = TRY(head_count(c, "kv_num_heads"));
  const Shape& q = c.input(0).shape;
  Dim size, tokens;
  if (q.ranked()) {
    size = TRY(per_head(c, q[1], TRY(row_heads(c, heads, kv_heads))));
    tokens = q[0];
  }
  set_tensor(c, 0, c.input(0).dtype, c.shape({tokens, c.dims().mul(Dim(heads), size)}));
  c.set_output(1, c.input(3));
  c.set_output(2, c.input(4));
  return {};
}

// One row of the cosines and one of the sines per query: [batch, queries, columns] or [tokens,
// columns].
template <std::size_t cosines>
std::optional<Part> part_rotary_table(Context& c, std::size_t i) {
  if (i != cosines && i != cosines + 1) return std::nullopt;
  const auto rotates = c.int_attribute("do_rotary", 0);
  const Shape& q = c.input(0).shape;
  if (rotates.ok() && *rotates == 0) return rows_of_table(c, i, Dim(0));
  const bool ranked = q.ranked() && q.rank > 1;
  return rows_of_table(c, i,
                       ranked ? c.dims().product(q.span().first(q.span().size() - 1)) : Dim());
}

// Number of positions that an indexer returns per query: the capacity of its policy.
Result<Dim> capacity(Context& c) {
  const std::string_view policy = TRY(c.string_attribute("policy_mode", ""));
  if (policy == "csa") return Dim(TRY(positive_attribute(c, "index_topk")));
  if (policy != "qsa")
    return c.fail(Fault::kAttribute,
                  fmt::format("attribute 'policy_mode' is \"{}\"; it must be qsa or csa", policy));
  const Dim budget(TRY(positive_attribute(c, "token_budget")));
  const Dim ratio(TRY(positive_attribute(c, "compress_ratio")));
  return c.dims().add(budget, c.dims().sub(ratio, Dim(1)));
}

Result<void> infer_indexer(Context& c) {
  TRY(require_inputs(c, 1));
  TRY(require_rank(c, 0, 3));
  const Dim room = TRY(capacity(c));
  const bool tokens = TRY(c.string_attribute("policy_mode", "")) == "qsa";
  const Shape &q = c.input(0).shape, &past = c.input(7).shape;
  const Dim batch = q.ranked() ? q[0] : Dim(), queries = q.ranked() ? q[1] : Dim();
  set_tensor(c, 0, DataType::kInt32, c.shape({batch, queries, room}));
  const bool buffer = c.has_input(12);
  Shape present = past;
  if (!buffer && past.rank == 3)
    present = c.shape({past[0], tokens ? c.dims().add(past[1], queries) : Dim(), past[2]});
  set_tensor(c, 1, c.input(0).dtype, present);
  set_tensor(c, 2, c.input(0).dtype, shape_of(new_dims(c, 4)));
  return {};
}
Result<void> infer_packed_indexer(Context& c) {
  TRY(require_inputs(c, 1));
  TRY(require_rank(c, 0, 2));
  const Dim room = TRY(capacity(c));
  const Shape& q = c.input(0).shape;
  const Dim tokens = q.ranked() ? q[0] : Dim();
  set_tensor(c, 0, DataType::kInt32, c.shape({tokens, room}));
  set_tensor(c, 1, DataType::kInt32, c.shape({tokens}));
  for (std::size_t i = 2; i < 6; ++i) c.set_output(i, c.input(i + 10));
  const Shape& state = c.input(12).shape;
  const Dim updates(TRY(c.int_attribute("state_update_capacity", 0)));
  set_tensor(c, 6, c.input(0).dtype,
             state.rank == 3 ? c.shape({state[0], updates, state[2]}) : Shape{});
  return {};
}
Work work_unknown_sparse(Context&) { return unknown_attention(); }

// Bias [1, heads, queries, keys], looked up in a table of buckets.
Result<void> infer_relative(Context& c) {
  TRY(require_inputs(c, 3));
  TRY(require_rank(c, 0, 2));
  const Shape& table = c.input(0).shape;
  set_tensor(
      c, 0, c.input(0).dtype,
      c.shape({Dim(1), table.ranked() ? table[1] : Dim(), scalar_input(c, 1), scalar_input(c, 2)}));
  return {};
}
// Computes the bucket of a distance: subtract, magnitude, compare, add; a logarithm for far ones.
Work work_relative(Context& c) {
  const Shape& y = c.output(0).shape;
  if (y.rank != 4) return {.flops = Dim(), .special = Dim(), .int_ops = Dim()};
  const Dim pairs = c.dims().mul(y[2], y[3]);
  return {.flops = pairs,
          .special = c.dims().mul(pairs, Dim(2)),
          .int_ops = c.dims().mul(pairs, Dim(4))};
}

// Bias [batch, heads, sequence, sequence] with a gate per query, from a small product per head.
struct Gated {
  Dim batch, heads, length, size;
};
Result<Gated> gated(Context& c) {
  TRY(require_inputs(c, 6));
  const std::int64_t heads = TRY(head_count(c, "num_heads"));
  const Shape &q = c.input(0).shape, &bias = c.input(2).shape, &at = c.input(6).shape;
  Gated g;
  g.heads = Dim(heads);
  if (q.ranked()) g.size = TRY(per_head(c, q.span().empty() ? Dim() : q.span().back(), heads));
  if (q.rank == 3) g.batch = q[0], g.length = q[1];
  if (at.rank == 2) g.batch = at[0], g.length = at[1];
  if (bias.rank == 4 && g.length.unknown()) g.length = bias[2];
  return g;
}
Result<void> infer_gated_bias(Context& c) {
  const Gated g = TRY(gated(c));
  set_tensor(c, 0, c.input(0).dtype, c.shape({g.batch, g.heads, g.length, g.length}));
  return {};
}
Work work_gated_bias(Context& c) {
  const auto found = gated(c);
  const Shape& w = c.input(3).shape;
  if (!found.ok() || w.rank != 2) return {.macs = Dim(), .flops = Dim(), .special = Dim()};
  DimPool& p = c.dims();
  const Gated& g = *found;
  const Dim queries = product(c.dims(), {g.batch, g.heads, g.length});
  // Bias of the query; bias of the gates and the sums over their halves, four steps to combine
  // both; the scale.
  const Dim each = p.add(p.add(g.size, p.mul(w[1], Dim(2))), Dim(2));
  return {.macs = product(c.dims(), {queries, w[0], w[1]}),
          .flops = p.mul(queries, p.add(each, g.length)),
          .special = p.mul(queries, Dim(2))};
}

constexpr std::string_view kSelected =
    "how many of the selected keys are valid the data decides: at most queries*(selected + "
    "window)*2*size MACs per head";
constexpr std::string_view kLongformer =
    "which tokens attend to all others the data decides: at most tokens*2*(in*columns + hidden*"
    "(2*window + 1 + 2*tokens)) MACs";
constexpr std::string_view kIndexer = "the data decides how many keys are scored: not known";

constexpr Operator kSparseAttentionRows[] = {
    row(kMicrosoft, "LongformerAttention", infer_longformer<1>, work_longformer<1>, kLongformer),
    row(kMicrosoft, "QOrderedLongformerAttention", infer_longformer<2>, work_longformer<2>,
        kLongformer),
    row(kMicrosoft, "DecoderAttention", infer_decoder, work_decoder,
        "hidden*hidden MACs per query, twice that per new key; batch*heads*queries*keys*2*size "
        "MACs; scaling, mask and softmax"),
    {.domain = kMicrosoft,
     .name = "DynamicSparseAttention",
     .infer = infer_dynamic_sparse,
     .work = work_selected<kDense>,
     .part = part_rotary_table<11>,
     .formula = kSelected},
    {.domain = kMicrosoft,
     .name = "SparsePagedAttention",
     .infer = infer_sparse_paged,
     .work = work_selected<kPaged>,
     .part = part_rotary_table<14>,
     .formula = kSelected},
    row(kMicrosoft, "SparseAttentionIndexer", infer_indexer, work_unknown_sparse, kIndexer),
    row(kMicrosoft, "PackedSparseAttentionIndexer", infer_packed_indexer, work_unknown_sparse,
        kIndexer),
    row(kMicrosoft, "RelativePositionBias", infer_relative, work_relative,
        "per query and key: 4 integer operations, 1 FLOP, a division, a logarithm"),
    row(kMicrosoft, "GatedRelativePositionBias", infer_gated_bias, work_gated_bias,
        "per head and query: size*D MACs, size + 2D + 2 FLOPs, 2 sigmoids, 1 multiply per key"),
};

}  // namespace

const std::span<const Operator> kContribSparse = kSparseAttentionRows;

}  // namespace ridge::ops
