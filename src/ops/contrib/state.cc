// SPDX-License-Identifier: Apache-2.0
// Newer layers of com.microsoft between matrix products: gated recurrences over tokens packed into
// one axis, and mixing of streams (hyper-connections).
#include <fmt/format.h>

#include "ops/nn/activation.h"
#include "ops/nn/normalization.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

Dim leading(Context& c, const Shape& x, std::int32_t trailing) {
  return x.rank < trailing
             ? Dim()
             : c.dims().product(x.span().first(static_cast<std::size_t>(x.rank - trailing)));
}

// Inputs with one or two token axes, followed by heads and their size.

struct Delta {
  Dim tokens, batch, heads, key_size, value_size;
  Shape out;  ///< [tokens..., heads, value size]
};

Result<Delta> delta(Context& c) {
  TRY(require_inputs(c, 1));
  const Shape &q = c.input(0).shape, &k = c.input(1).shape, &v = c.input(2).shape;
  const Shape& state = c.input(6).shape;
  TRY(require_rank(c, 6, 4));
  Delta d;
  if (state.ranked()) d = {{}, state[0], state[1], state[3], state[2], {}};
  const std::int32_t trailing = c.has_input(1) ? 2 : 1;  // packed: all heads in one axis
  if (!q.ranked()) return d;
  if (q.rank < trailing + 1 || q.rank > trailing + 2)
    return c.fail(Fault::kRank, fmt::format("input 0 has shape {}; it needs {} or {} axes",
                                            text(c, q), trailing + 1, trailing + 2));
  if (k.ranked()) TRY(require_rank(c, 1, q.rank));
  if (v.ranked() && c.has_input(2)) {
    TRY(require_rank(c, 2, q.rank));
    d.heads = v.span()[v.span().size() - 2];
    d.value_size = v.span().back();
    d.key_size = q.span().back();
    if (k.ranked()) TRY(require_same(c, k.span().back(), d.key_size, "sizes of queries and keys"));
  }
  const std::size_t axes = q.span().size() - static_cast<std::size_t>(trailing);
  d.tokens = c.dims().product(q.span().first(axes));
  const auto out = new_dims(c, axes + 2);
  std::copy(q.span().begin(), q.span().begin() + static_cast<std::ptrdiff_t>(axes), out.begin());
  out[axes] = d.heads;
  out[axes + 1] = d.value_size;
  d.out = shape_of(out);
  return d;
}

Result<void> infer_delta(Context& c) {
  const Delta d = TRY(delta(c));
  const Dim capacity(TRY(c.int_attribute("state_update_capacity", 0)));
  set_tensor(c, 0, c.input(0).dtype, d.out);
  set_tensor(c, 1, DataType::kFloat, c.shape({d.batch, d.heads, d.value_size, d.key_size}));
  const Shape& k = c.input(1).shape;
  const Dim keys = k.rank >= 3 ? k.span()[k.span().size() - 2] : Dim();
  DimPool& p = c.dims();
  const Dim row = p.add(d.heads, p.add(p.mul(keys, d.key_size), p.mul(d.heads, d.value_size)));
  set_tensor(c, 2, DataType::kFloat, c.shape({d.batch, p.mul(capacity, row)}));
  return {};
}

// Per token and head: adds an outer product to the state and reads it with the query. A correction
// also reads it with the key; a decay multiplies the whole state.
Work work_delta(Context& c) {
  const Work unknown{.macs = Dim(), .flops = Dim(), .special = Dim()};
  const auto found = delta(c);
  const auto rule = c.string_attribute("update_rule", "gated_delta");
  if (!found.ok() || !rule.ok()) return unknown;
  const Delta& d = *found;
  const bool corrects = rule->ends_with("delta"), decays = rule->starts_with("gated");
  DimPool& p = c.dims();
  const Dim passes = p.mul(d.tokens, d.heads), state = p.mul(d.key_size, d.value_size);
  const Dim each = p.mul(state, Dim(decays ? 1 : 0));
  const Dim values = p.mul(d.value_size, Dim(corrects ? 3 : 1));  // subtract, scale; scale output
  return {.macs = product(c.dims(), {passes, state, Dim(corrects ? 3 : 2)}),
          .flops = p.mul(passes, p.add(each, values)),
          .special = decays ? in(c, 4) : Dim(0)};
}

Result<void> infer_varlen_conv(Context& c) {
  TRY(require_inputs(c, 5));
  TRY(require_rank(c, 0, 2));
  TRY(require_rank(c, 1, 3));
  const Shape &x = c.input(0).shape, &w = c.input(1).shape, &state = c.input(4).shape;
  if (x.ranked() && w.ranked()) TRY(require_same(c, x[1], w[0], "channels of input and weight"));
  c.set_output(0, c.input(0));
  c.set_output(1, c.input(4));
  const Dim capacity(TRY(c.int_attribute("state_update_capacity", 0)));
  set_tensor(c, 2, c.input(0).dtype,
             c.shape({state.rank == 3 ? state[0] : Dim(), capacity, x.ranked() ? x[1] : Dim()}));
  return {};
}

Work work_varlen_conv(Context& c) {
  const Shape& w = c.input(1).shape;
  const auto activation = c.string_attribute("activation", "none");
  if (w.rank != 3 || !activation.ok()) return {.macs = Dim(), .flops = Dim(), .special = Dim()};
  const Dim n = in(c, 0);
  const bool silu = *activation != "none";
  return {.macs = product(c.dims(), {n, w[1], w[2]}),
          .flops = c.dims().mul(n, Dim((c.has_input(3) ? 1 : 0) + (silu ? 1 : 0))),
          .special = silu ? n : Dim(0)};
}

Result<void> infer_gate(Context& c) {
  TRY(require_inputs(c, 3));
  c.set_output(0, c.input(0));
  c.set_output(1, c.input(c.has_input(3) ? 3 : 0));
  return {};
}
// Add, Softplus, multiply; a sigmoid for the second output.
Work work_gate(Context& c) {
  const Cost softplus = activation_cost("Softplus").value_or(Cost{});
  const Work decay = elementwise(
      c, in(c, 0), {.flops = 2 + softplus.flops, .special = softplus.special}, DataType::kFloat);
  return sum(c, decay, {.special = c.has_input(3) ? in(c, 3) : Dim(0)});
}

// Inputs: angles, then queries and keys, each with its rotated half.
Result<void> infer_pair_rotary(Context& c) {
  TRY(require_inputs(c, 5));
  c.set_output(0, c.input(1));
  c.set_output(1, c.input(3));
  return {};
}
// Sine and cosine of every angle; two multiplies and an add per element.
Work work_pair_rotary(Context& c) {
  DimPool& p = c.dims();
  return {.flops = p.mul(p.add(in(c, 1), in(c, 3)), Dim(3)), .special = p.mul(in(c, 0), Dim(2))};
}

// Key and query [batch, sequence, streams, hidden], normalized row by row.
Result<void> infer_engram(Context& c) {
  TRY(require_inputs(c, 5));
  TRY(require_rank(c, 0, 4));
  c.set_output(0, c.input(0));
  c.set_output(1, c.input(0));
  return {};
}
Work work_engram(Context& c) {
  DimPool& p = c.dims();
  const Dim n = in(c, 0), rows = leading(c, c.input(0).shape, 1);
  const Work norm = rms_normalized(c, n, rows);
  // Dot product of each row; then scale, magnitude, bound, sign; root, sigmoid.
  const Work dot{.flops = p.add(p.sub(p.mul(n, Dim(2)), rows), p.mul(rows, Dim(4))),
                 .special = p.mul(rows, Dim(2))};
  Work out = sum(c, sum(c, norm, norm), sum(c, dot, {.flops = n}));
  return c.wants_output(1) ? sum(c, out, norm) : out;
}

// Streams [..., C, H], or [..., C * H] with C in an attribute.

struct Streams {
  bool known = false;
  bool flat = false;
  Dim outer, branches, width;
};
Result<Streams> streams(Context& c) {
  TRY(require_inputs(c, 1));
  const Shape& x = c.input(0).shape;
  const std::int64_t branches = TRY(c.int_attribute("num_branches", 0));
  if (branches < 0)
    return c.fail(Fault::kAttribute, fmt::format("attribute 'num_branches' is {}", branches));
  if (!x.ranked()) return Streams{};
  const bool flat = branches > 0;
  const std::int32_t trailing = flat ? 1 : 2;
  if (x.rank < trailing)
    return c.fail(Fault::kRank, fmt::format("input 0 has shape {}; it needs at least {} axes",
                                            text(c, x), trailing));
  Streams s{true, flat, leading(c, x, trailing), Dim(branches), x.span().back()};
  if (!flat) s.branches = x.span()[x.span().size() - 2];
  if (flat && s.width.known() && s.width.value() % branches != 0)
    return c.fail(Fault::kDivision, fmt::format("{} columns do not divide into {} branches",
                                                s.width.value(), branches));
  if (flat) s.width = c.dims().floor_div(s.width, Dim(branches));
  return s;
}

Result<void> infer_streams(Context& c) {
  TRY(streams(c));
  return infer_same(c);
}
Work work_branch_norm(Context& c) {
  const auto s = streams(c);
  if (!s.ok() || !s->known) return {.flops = Dim(), .special = Dim()};
  const Dim n = in(c, 0);
  Work out = rms_normalized(c, n, c.dims().mul(s->outer, s->branches));
  if (!c.has_input(1)) out.flops = c.dims().sub(out.flops, n);
  return out;
}

Result<void> infer_pre_mix(Context& c) {
  TRY(require_inputs(c, 2));
  const Streams s = TRY(streams(c));
  const Shape& x = c.input(0).shape;
  if (!s.known) return set_tensor(c, 0, c.input(0).dtype, Shape{}), Result<void>();
  const auto out = c.arena().copy(x.span().first(x.span().size() - (s.flat ? 0 : 1)));
  out.back() = s.width;
  set_tensor(c, 0, c.input(0).dtype, out);
  return {};
}
Work work_pre_mix(Context& c) {
  const auto scale = c.float_attribute("reduction_scale", 1);
  const Dim out = c.elements(c.output(0).shape);
  return {.macs = in(c, 0), .flops = scale.ok() && *scale != 1 ? out : Dim(0)};
}
Result<void> infer_post_mix(Context& c) {
  TRY(require_inputs(c, 3));
  return infer_streams(c);
}
Work work_post_mix(Context& c) {
  const auto s = streams(c);
  if (!s.ok() || !s->known) return {.macs = Dim(), .flops = Dim()};
  const Dim n = in(c, 0);
  return {.macs = c.has_input(3) ? c.dims().mul(n, s->branches) : Dim(0),
          .flops = c.dims().mul(n, Dim(2))};
}

// Hashes of the n-grams of token ids: [..., orders * heads].
Result<void> infer_ngram_hash(Context& c) {
  const bool packed = c.node().op_type == "VarlenNGramHashMapping";
  TRY(require_inputs(c, packed ? 4 : 3));
  TRY(require_rank(c, 0, packed ? 1 : 2));
  const std::int64_t most = TRY(positive_attribute(c, "max_ngram_size"));
  const std::int64_t heads = TRY(positive_attribute(c, "n_head_per_ngram"));
  const Type& ids = c.input(0);
  DimPool& p = c.dims();
  const Dim before(most - 1), columns = p.mul(before, Dim(heads));
  const Shape& ends = c.input(3).shape;
  Dim batch = ids.shape.ranked() ? ids.shape[0] : Dim();
  if (packed) batch = ends.rank == 1 ? p.sub(ends[0], Dim(1)) : Dim();
  Shape hashed;
  if (ids.shape.ranked()) {
    const auto out = new_dims(c, ids.shape.span().size() + 1);
    std::copy(ids.shape.span().begin(), ids.shape.span().end(), out.begin());
    out.back() = columns;
    hashed = shape_of(out);
  }
  set_tensor(c, 0, ids.dtype, hashed);
  set_tensor(c, 1, ids.dtype, c.shape({batch, before}));
  set_tensor(c, 2, DataType::kInt32, c.shape({batch, before}));
  const Dim capacity(TRY(c.int_attribute("state_update_capacity", 0)));
  set_tensor(c, 3, ids.dtype, c.shape({batch, capacity, before}));
  return {};
}
// For all orders together n multiplies and n - 1 exclusive ors; a remainder per head.
Work work_hash(Context& c) {
  const auto most = c.int_attribute("max_ngram_size", 0);
  const bool packed = c.node().op_type == "VarlenNGramHashMapping";
  if (!most.ok()) return {.int_ops = Dim()};
  DimPool& p = c.dims();
  const Dim mixed = p.sub(p.mul(Dim(*most), Dim(2)), Dim(1));
  const Dim heads = c.elements(c.output(0).shape);
  const Dim each = p.mul(heads, Dim(c.has_input(packed ? 5 : 4) ? 2 : 1));
  return {.int_ops = p.add(p.mul(in(c, 0), mixed), each)};
}

constexpr std::string_view kHash =
    "per token: n multiplies, n-1 exclusive ors; a remainder per hash, an add for an offset";

constexpr Operator kStateRows[] = {
    row(kMicrosoft, "GatedDeltaNet", infer_delta, work_delta,
        "per token and head: size*value size MACs for writing, for reading, for a correction; "
        "decay, scaling"),
    row(kMicrosoft, "VarlenCausalConvWithState", infer_varlen_conv, work_varlen_conv,
        "1 kernel of MACs per element; 1 FLOP for a bias, 1 FLOP and a sigmoid for SiLU"),
    row(kMicrosoft, "LinearAttentionGate", infer_gate, work_gate,
        "add, Softplus, multiply per element; a sigmoid per update rate"),
    row(kMicrosoft, "GemmaRotaryEmbedding", infer_pair_rotary, work_pair_rotary,
        "a sine and a cosine per angle; 3 FLOPs per element of queries and keys"),
    row(kMicrosoft, "EngramGate", infer_engram, work_engram,
        "RMSNormalization of key and query, 2n-1 FLOPs for the product of a row of n, 4 FLOPs, a "
        "root and a sigmoid per row, 1 multiply per element"),
    row(kMicrosoft, "BranchwiseRMSNorm", infer_streams, work_branch_norm,
        "RMSNormalization of each branch"),
    row(kMicrosoft, "HyperConnectionPreMix", infer_pre_mix, work_pre_mix,
        "1 MAC per element of the streams; 1 FLOP per output for a scale"),
    row(kMicrosoft, "HyperConnectionPostMix", infer_post_mix, work_post_mix,
        "with a matrix 1 MAC per element and branch; 2 FLOPs per element"),
    row(kMicrosoft, "ScaledSiLU", infer_same, per_output<Cost{.flops = 2, .special = 1}>,
        "2 multiplies, a sigmoid per element"),
    row(kMicrosoft, "NGramHashMapping", infer_ngram_hash, work_hash, kHash),
    row(kMicrosoft, "VarlenNGramHashMapping", infer_ngram_hash, work_hash, kHash),
};

}  // namespace

const std::span<const Operator> kContribState = kStateRows;

}  // namespace ridge::ops
