// SPDX-License-Identifier: Apache-2.0
// Attention, counted by its function body without masks.
#include "ops/nn/attention.h"

#include <fmt/format.h>

#include "ops/math/reduce.h"
#include "ops/tables.h"

namespace ridge::ops {

Result<std::int64_t> head_count(const Context& c, std::string_view name) {
  const std::int64_t n = TRY(c.int_attribute(name, 0));
  if (n < 1)
    return c.fail(Fault::kAttribute, fmt::format("attribute '{}' is {}, three-dimensional inputs "
                                                 "need it to be at least 1",
                                                 name, n));
  return n;
}

Result<Dim> per_head(Context& c, Dim width, std::int64_t heads) {
  if (width.known() && width.value() % heads != 0)
    return c.fail(Fault::kDivision,
                  fmt::format("{} columns do not divide into {} heads", width.value(), heads));
  return c.dims().floor_div(width, Dim(heads));
}

Result<std::int64_t> row_heads(const Context& c, std::int64_t heads, std::int64_t kv_heads) {
  if (c.has_input(1)) return heads;
  if (heads > INT32_MAX || kv_heads > INT32_MAX)
    return c.fail(Fault::kAttribute, fmt::format("{} query heads and {} key heads are more than {}",
                                                 heads, kv_heads, INT32_MAX));
  return heads + 2 * kv_heads;
}

Work attend(Context& c, const AttentionSizes& s, Cost each) {
  DimPool& p = c.dims();
  const Dim rows = s.rows(p), scores = p.mul(rows, s.total(p));
  Work out = elementwise(c, scores, {.flops = each.flops + 1, .special = each.special + 2},
                         DataType::kFloat);
  out.flops = p.add(out.flops, p.mul(combining(c, scores, rows), Dim(2)));
  out.macs = p.mul(scores, p.add(s.size, s.value_size));
  return out;
}

// A mask or bias is one add per score, the scale a multiply, the cap a division, a tanh and a
// multiply.
Cost score_cost(const Context& c, std::initializer_list<std::size_t> added) {
  Cost each{.flops = 1};
  for (const std::size_t i : added) each.flops += c.has_input(i) ? 1 : 0;
  const auto cap = c.float_attribute("softcap", 0);
  if (!cap.ok() || *cap == 0) return each;
  return {.flops = each.flops + 1, .special = 2};
}

Work unknown_attention() { return {.macs = Dim(), .flops = Dim(), .special = Dim()}; }

namespace {

using Sizes = AttentionSizes;

Result<Sizes> flat_sizes(Context& c, const Shape& q, const Shape& k, const Shape& v) {
  const std::int64_t heads = TRY(head_count(c, "q_num_heads"));
  const std::int64_t kv_heads = TRY(head_count(c, "kv_num_heads"));
  Sizes s;
  s.batch = q[0], s.heads = Dim(heads), s.kv_heads = Dim(kv_heads);
  s.queries = q[1], s.keys = k[1];
  s.size = TRY(per_head(c, q[2], heads));
  s.value_size = TRY(per_head(c, v[2], kv_heads));
  const Dim key_size = TRY(per_head(c, k[2], kv_heads));
  TRY(require_same(c, s.size, key_size, "head sizes of queries and keys"));
  return s;
}

// Returns nullopt if a rank is unknown.
Result<std::optional<Sizes>> attention_sizes(Context& c) {
  const Shape &q = c.input(0).shape, &k = c.input(1).shape, &v = c.input(2).shape;
  if (!q.ranked() || !k.ranked() || !v.ranked()) return std::optional<Sizes>();
  if (q.rank != 3 && q.rank != 4)
    return c.fail(Fault::kRank, fmt::format("input 0 has shape {}, of rank {}; it must have rank 3 "
                                            "or 4",
                                            text(c, q), q.rank));
  TRY(require_rank(c, 1, q.rank));
  TRY(require_rank(c, 2, q.rank));
  Sizes s;
  if (q.rank == 3) {
    s = TRY(flat_sizes(c, q, k, v));
  } else {
    s.batch = q[0], s.heads = q[1], s.kv_heads = k[1];
    s.queries = q[2], s.keys = k[2], s.size = q[3], s.value_size = v[3];
    TRY(require_same(c, q[3], k[3], "head sizes of queries and keys"));
    TRY(require_same(c, k[2], v[2], "lengths of keys and values"));
  }
  if (s.heads.known() && s.kv_heads.known() && !s.kv_heads.is(0) &&
      s.heads.value() % s.kv_heads.value() != 0)
    return c.fail(Fault::kDivision, fmt::format("{} query heads do not divide into {} key heads",
                                                s.heads.value(), s.kv_heads.value()));
  if (c.has_input(4)) {
    const Shape& past = c.input(4).shape;
    TRY(require_rank(c, 4, 4));
    s.past = past.ranked() ? past[2] : Dim();
  }
  return std::optional(s);
}

Result<void> infer_attention(Context& c) {
  TRY(require_inputs(c, 3));
  const auto found = TRY(attention_sizes(c));
  const DataType t = c.input(0).dtype;
  for (std::size_t i = 0; i < 4; ++i) set_tensor(c, i, t, Shape{});
  if (!found) return {};
  const Sizes& s = *found;
  DimPool& p = c.dims();
  set_tensor(c, 0, t,
             c.input(0).shape.rank == 4
                 ? c.shape({s.batch, s.heads, s.queries, s.value_size})
                 : c.shape({s.batch, s.queries, p.mul(s.heads, s.value_size)}));
  const Dim total = s.total(p);
  set_tensor(c, 1, c.input(1).dtype, c.shape({s.batch, s.kv_heads, total, s.size}));
  set_tensor(c, 2, c.input(2).dtype, c.shape({s.batch, s.kv_heads, total, s.value_size}));
  set_tensor(c, 3, t, c.shape({s.batch, s.heads, s.queries, total}));
  return {};
}

// Work of the function body on a data-dependent mask: convert booleans to numbers, extend a mask
// shorter than the keys, add the causal triangle and the padding given by lengths (input 6), find
// fully masked rows.
Work mask_work(Context& c, const Sizes& s, bool causal) {
  const bool lengths = c.has_input(6);
  if (!c.has_input(3) && !lengths) return {};
  DimPool& p = c.dims();
  const Dim total = s.total(p);
  Dim rows = s.queries, flops(0);
  bool batched = false;
  if (c.has_input(3)) {
    const Type& mask = c.input(3);
    if (!mask.shape.ranked()) return {.flops = Dim()};
    const auto dims = mask.shape.span();
    rows = dims.empty() ? Dim(1) : p.product(dims.first(dims.size() - 1));
    batched = dims.size() == 4 && !dims[0].is(1);
    if (mask.dtype == DataType::kBool) flops = c.elements(mask.shape);
    if (causal) flops = p.add(flops, p.mul(rows, total));
  }
  Work out;
  if (lengths) {
    const Dim padding = p.mul(s.batch, total);
    if (!batched) rows = p.mul(rows, s.batch);
    out.int_ops = padding;
    flops = p.add(flops, p.add(padding, p.mul(rows, total)));
  }
  const Dim all = p.mul(rows, total);
  out.flops = p.add(flops, p.add(combining(c, all, rows), rows));
  return out;
}

Work work_attention(Context& c) {
  const auto found = attention_sizes(c);
  const auto softcap = c.float_attribute("softcap", 0);
  const auto causal = c.int_attribute("is_causal", 0);
  if (!found.ok() || !*found || !softcap.ok() || !causal.ok())
    return {.macs = Dim(), .flops = Dim(), .special = Dim()};
  const Sizes& s = **found;
  DimPool& p = c.dims();
  const Dim total = s.total(p);
  const Dim rows = product(p, {s.batch, s.heads, s.queries});
  const Dim scores = p.mul(rows, total);
  const bool caps = *softcap > 0;
  // Scale queries and (repeated) keys, add the bias, softmax, clear fully masked rows.
  Dim flops = p.mul(rows, s.size);
  flops = p.add(flops, product(p, {s.batch, s.heads, total, s.size}));
  flops = p.add(flops, p.mul(scores, Dim(caps ? 4 : 3)));
  flops = p.add(flops, p.mul(combining(c, scores, rows), Dim(2)));
  return sum(c, mask_work(c, s, *causal != 0),
             {.macs = p.mul(scores, p.add(s.size, s.value_size)),
              .flops = flops,
              .special = p.mul(scores, Dim(caps ? 4 : 2))});
}

// Number of rotated elements: the first `rotary_embedding_dim` of each head (all if 0).
Result<Dim> rotated_elements(Context& c) {
  const Shape& x = c.input(0).shape;
  const Dim all = c.elements(x);
  const std::int64_t part = TRY(c.int_attribute("rotary_embedding_dim", 0));
  if (!x.ranked() || part == 0) return all;
  if (x.rank != 3 && x.rank != 4)
    return c.fail(Fault::kRank,
                  fmt::format("input 0 has shape {}; it must have rank 3 or 4", text(c, x)));
  const std::int64_t heads = x.rank == 4 ? 1 : TRY(head_count(c, "num_heads"));
  const Dim width = TRY(per_head(c, x.span().back(), heads));
  if (part < 0 || (width.known() && part > width.value()))
    return c.fail(Fault::kAttribute,
                  fmt::format("attribute 'rotary_embedding_dim' is {}, a head has {} elements",
                              part, c.dims().text(width)));
  return c.dims().mul(c.dims().floor_div(all, width), Dim(part));
}

Result<void> infer_rotary(Context& c) {
  TRY(require_inputs(c, 3));
  TRY(rotated_elements(c));
  return infer_same(c);
}

// Four multiplies and two additions per pair.
Work work_rotary(Context& c) {
  const auto rotated = rotated_elements(c);
  return {.flops = rotated.ok() ? c.dims().mul(*rotated, Dim(3)) : Dim()};
}

// Cosines and sines are tables with a row per position, of which `ids` names the positions to use;
// without it they hold the rows of this input, [batch, length, width].
template <std::size_t cosines, std::size_t ids>
std::optional<Part> part_rotary(Context& c, std::size_t i) {
  if ((i != cosines && i != cosines + 1) || !c.has_input(ids)) return std::nullopt;
  const Shape& x = c.input(0).shape;
  if (x.rank != 3 && x.rank != 4) return Part{Dim(), Dim()};
  const Dim length = x[x.rank == 4 ? 2 : 1];
  // One position alone is the first of consecutive ones, which all batches share.
  const bool shared = c.elements(c.input(ids).shape).is(1);
  return rows_of_table(c, i, shared ? length : c.dims().mul(x[0], length));
}

// Inputs [batch, heads, length, size]; groups of query heads share keys and values.
Result<std::optional<Sizes>> flex_sizes(Context& c) {
  for (std::size_t i = 0; i < 3; ++i) TRY(require_rank(c, i, 4));
  return attention_sizes(c);
}

Result<void> infer_flex(Context& c) {
  TRY(require_inputs(c, 3));
  const auto s = TRY(flex_sizes(c)).value_or(Sizes{});
  set_tensor(c, 0, c.input(0).dtype, c.shape({s.batch, s.heads, s.queries, s.value_size}));
  return {};
}

// The function body scales queries and (repeated) keys.
Work work_flex(Context& c) {
  const auto found = flex_sizes(c);
  if (!found.ok() || !*found) return {.macs = Dim(), .flops = Dim(), .special = Dim()};
  const Sizes& s = **found;
  DimPool& p = c.dims();
  const Dim scaled = p.mul(p.add(s.queries, s.keys), product(p, {s.batch, s.heads, s.size}));
  return sum(c, attend(c, s, {}), {.flops = scaled});
}

}  // namespace

Type attention_scores(Context& c) {
  const DataType given = c.input(0).dtype;
  const DataType fallback = given == DataType::kDouble ? given : DataType::kFloat;
  const auto type = type_attribute(c, "softmax_precision", fallback);
  const auto found = flex_sizes(c);
  const Sizes s = found.ok() ? found->value_or(Sizes{}) : Sizes{};
  return {type.ok() ? *type : fallback, Container::kTensor,
          c.shape({s.batch, s.heads, s.queries, s.keys})};
}

namespace {

constexpr std::string_view kRotary = "4 multiplies, 1 add, 1 subtract per pair of rotated elements";

constexpr Operator kAttentionRows[] = {
    {.domain = "ai.onnx.preview",
     .name = "FlexAttention",
     .infer = infer_flex,
     .work = work_flex,
     .formula =
         "batch*heads*queries*keys*(size + value size) MACs; scaling and softmax; its bodies "
         "count for themselves"},
    {.name = "Attention",
     .since = 23,
     .infer = infer_attention,
     .work = work_attention,
     .formula = "batch*heads*queries*keys*(size + value size) MACs, unmasked; scaling, bias and "
                "softmax as the function body has them"},
    {.domain = kMicrosoft,
     .name = "RotaryEmbedding",
     .infer = infer_rotary,
     .work = work_rotary,
     .part = part_rotary<2, 1>,
     .formula = kRotary},
    {.domain = kMicrosoft,
     .name = "MRotaryEmbedding",
     .infer = infer_rotary,
     .work = work_rotary,
     .part = part_rotary<2, 1>,
     .formula = kRotary},
    {.name = "RotaryEmbedding",
     .since = 23,
     .infer = infer_rotary,
     .work = work_rotary,
     .part = part_rotary<1, 3>,
     .formula = kRotary},
};

}  // namespace

const std::span<const Operator> kAttention = kAttentionRows;

}  // namespace ridge::ops
