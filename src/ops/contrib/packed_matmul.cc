// SPDX-License-Identifier: Apache-2.0
// Matrix products with packed weights and zero points, several per byte (com.microsoft).
// Dequantization counts once per weight: a subtract for the zero point and a multiply for the
// scale.
#include <fmt/format.h>

#include "ops/nn/activation.h"
#include "ops/nn/normalization.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// Reduced columns and output columns of a weight.
struct Sides {
  Dim in, out;
};

Shape with_last(Context& c, const Shape& x, Dim last) {
  if (!x.ranked() || x.rank == 0) return {};
  const auto out = c.arena().copy(x.span());
  out.back() = last;
  return shape_of(out);
}

Result<void> require_columns(Context& c, Dim in) {
  const Shape& x = c.input(0).shape;
  if (!x.ranked() || x.rank == 0) return {};
  return require_same(c, x.span().back(), in, "columns of input 0 and rows of the weight");
}

Dim weights(Context& c, Sides s) { return c.dims().mul(s.in, s.out); }

// Elements of input 0 times the outputs that each contributes to.
Dim macs(Context& c, Dim out) { return c.dims().mul(c.elements(c.input(0).shape), out); }

Result<Sides> sides(Context& c) {
  return Sides{Dim(TRY(positive_attribute(c, "K"))), Dim(TRY(positive_attribute(c, "N")))};
}

Result<void> infer_nbits(Context& c) {
  TRY(require_inputs(c, 3));
  const Sides s = TRY(sides(c));
  TRY(require_columns(c, s.in));
  set_tensor(c, 0, c.input(0).dtype, with_last(c, c.input(0).shape, s.out));
  return {};
}

Work unknown_packed() { return {.macs = Dim(), .flops = Dim(), .int_ops = Dim()}; }

Work work_nbits(Context& c) {
  const auto s = sides(c);
  if (!s.ok()) return unknown_packed();
  const Dim bias = c.has_input(5) ? c.elements(c.output(0).shape) : Dim(0), n = weights(c, *s);
  return {.macs = macs(c, s->out), .flops = c.dims().add(n, bias), .int_ops = n};
}

Dim packed_weight(Context& c, std::size_t i) {
  const auto s = sides(c);
  return i == 1 && s.ok() ? weights(c, *s) : Dim(0);
}

// Integer zero points are packed like the weight, with rows padded to whole bytes: one per scale.
Dim packed_nbits(Context& c, std::size_t i) {
  if (i == 3 && c.input(i).dtype == DataType::kUint8) return c.elements(c.input(2).shape);
  return packed_weight(c, i);
}

// The weight is [N, K]; without transB, input 0 has N columns.
Result<Sides> bnb4_sides(Context& c) {
  const Sides s = TRY(sides(c));
  return TRY(c.int_attribute("transB", 1)) != 0 ? s : Sides{s.out, s.in};
}

Result<void> infer_bnb4(Context& c) {
  TRY(require_inputs(c, 3));
  const Sides s = TRY(bnb4_sides(c));
  TRY(require_columns(c, s.in));
  set_tensor(c, 0, c.input(0).dtype, with_last(c, c.input(0).shape, s.out));
  return {};
}

Work work_bnb4(Context& c) {
  const auto s = bnb4_sides(c);
  if (!s.ok()) return unknown_packed();
  return {.macs = macs(c, s->out), .flops = weights(c, *s)};
}

// Input 2 is the shape of the weight.
Sides fpq4_sides(Context& c) {
  const Value* shape = integral_value(c, 2);
  if (shape == nullptr || shape->ints.size() != 2) return {};
  return {shape->ints[0], shape->ints[1]};
}

Result<void> infer_fpq4(Context& c) {
  TRY(require_inputs(c, 3));
  TRY(require_columns(c, fpq4_sides(c).in));
  set_tensor(c, 0, c.input(0).dtype, with_last(c, c.input(0).shape, fpq4_sides(c).out));
  return {};
}

Work work_fpq4(Context& c) {
  const Sides s = fpq4_sides(c);
  return {.macs = macs(c, s.out), .flops = weights(c, s)};
}

Dim packed_fpq4(Context& c, std::size_t i) { return i == 1 ? weights(c, fpq4_sides(c)) : Dim(0); }

// The weight is [N, K / per_byte].
template <int per_byte>
Sides rows_of_weight(Context& c) {
  const Shape& w = c.input(1).shape;
  if (w.rank != 2) return {};
  return {c.dims().mul(w[1], Dim(per_byte)), w[0]};
}

template <int per_byte>
Result<void> infer_float(Context& c) {
  TRY(require_inputs(c, 3));
  TRY(require_rank(c, 1, 2));
  const Sides s = rows_of_weight<per_byte>(c);
  TRY(require_columns(c, s.in));
  set_tensor(c, 0, c.input(0).dtype, with_last(c, c.input(0).shape, s.out));
  return {};
}

// One scale per block, plus a global one for 4-bit weights; a scale of input 0 is a division and a
// multiply per element.
template <int per_byte>
Work work_float(Context& c) {
  constexpr std::size_t kBias = per_byte == 2 ? 5 : 4;
  const Sides s = rows_of_weight<per_byte>(c);
  DimPool& p = c.dims();
  const Dim x = c.elements(c.input(0).shape);
  const bool scaled = per_byte == 1 && c.has_input(3);
  Dim flops = p.mul(weights(c, s), Dim(per_byte));
  if (scaled) flops = p.add(flops, x);
  if (c.has_input(kBias)) flops = p.add(flops, c.elements(c.output(0).shape));
  return {.macs = macs(c, s.out), .flops = flops, .special = scaled ? x : Dim(0)};
}

Dim packed_fp4(Context& c, std::size_t i) {
  return i == 1 ? weights(c, rows_of_weight<2>(c)) : Dim(0);
}

// RMSNormalization of input 0, after the addition of input 1, each if present.
Work normalized_input(Context& c) {
  const Shape& x = c.input(0).shape;
  if (!x.ranked() || x.rank == 0) return {.flops = Dim(), .special = Dim()};
  const Dim n = c.elements(x), m = c.dims().product(x.span().first(x.span().size() - 1));
  Work out;
  if (c.has_input(2)) out = rms_normalized(c, n, m);
  if (c.has_input(1)) out.flops = c.dims().add(out.flops, n);
  return out;
}

// Product with weight, scales and bias as inputs `first` to `first + 2`.
Work packed_product(Context& c, std::size_t first, Sides s) {
  const Dim n = weights(c, s), made = macs(c, s.out);
  const Dim bias = c.has_input(first + 2) ? c.dims().floor_div(made, s.in) : Dim(0);
  return {.macs = made, .flops = c.dims().add(n, bias), .int_ops = n};
}

Result<void> infer_mlp(Context& c) {
  TRY(require_inputs(c, 1));
  const Sides s = TRY(sides(c));
  TRY(require_columns(c, s.in));
  set_tensor(c, 0, c.input(0).dtype, with_last(c, c.input(0).shape, s.out));
  c.set_output(1, c.input(0));
  return {};
}

Work work_mlp(Context& c) {
  const auto s = sides(c);
  const auto name = c.string_attribute("activation", "");
  const auto cost = name.ok() ? activation_cost(*name) : std::nullopt;
  if (!s.ok() || !cost) return unknown_packed();
  Cost each = *cost;
  ++each.flops;  // multiply by the gate
  const Work both = sum(c, packed_product(c, 3, *s), packed_product(c, 6, *s));
  const Dim n = c.elements(c.output(0).shape);
  return sum(c, sum(c, both, normalized_input(c)), elementwise(c, n, each, DataType::kFloat));
}

Dim packed_mlp(Context& c, std::size_t i) {
  const auto s = sides(c);
  return (i == 3 || i == 6) && s.ok() ? weights(c, *s) : Dim(0);
}

struct Heads {
  Sides query, key;
};

Result<Heads> qkv_sides(Context& c) {
  const Dim in(TRY(positive_attribute(c, "K")));
  return Heads{{in, Dim(TRY(positive_attribute(c, "Nq")))},
               {in, Dim(TRY(positive_attribute(c, "Nkv")))}};
}

Result<void> infer_qkv(Context& c) {
  TRY(require_inputs(c, 1));
  const Heads h = TRY(qkv_sides(c));
  TRY(require_columns(c, h.query.in));
  const Type& x = c.input(0);
  set_tensor(c, 0, x.dtype, with_last(c, x.shape, h.query.out));
  set_tensor(c, 1, x.dtype, with_last(c, x.shape, h.key.out));
  set_tensor(c, 2, x.dtype, with_last(c, x.shape, h.key.out));
  c.set_output(3, x);
  return {};
}

Work work_qkv(Context& c) {
  const auto h = qkv_sides(c);
  if (!h.ok()) return unknown_packed();
  const Work keys = sum(c, packed_product(c, 6, h->key), packed_product(c, 9, h->key));
  return sum(c, sum(c, packed_product(c, 3, h->query), keys), normalized_input(c));
}

Dim packed_qkv(Context& c, std::size_t i) {
  const auto h = qkv_sides(c);
  if (!h.ok() || (i != 3 && i != 6 && i != 9)) return Dim(0);
  return weights(c, i == 3 ? h->query : h->key);
}

constexpr Operator kPackedMatmulRows[] = {
    {.domain = kMicrosoft,
     .name = "MatMulNBits",
     .infer = infer_nbits,
     .work = work_nbits,
     .packed = packed_nbits,
     .formula = "rows*N*K MACs; 1 integer subtract, 1 FLOP per weight, 1 FLOP per output for a "
                "bias"},
    {.domain = kMicrosoft,
     .name = "MatMulBnb4",
     .infer = infer_bnb4,
     .work = work_bnb4,
     .packed = packed_weight,
     .formula = "rows*N*K MACs; 1 FLOP per weight"},
    {.domain = kMicrosoft,
     .name = "MatMulFpQ4",
     .infer = infer_fpq4,
     .work = work_fpq4,
     .packed = packed_fpq4,
     .formula = "rows*N*K MACs; 1 FLOP per weight"},
    {.domain = kMicrosoft,
     .name = "MatMulBlockQuantizedFp4Weight",
     .infer = infer_float<2>,
     .work = work_float<2>,
     .packed = packed_fp4,
     .formula = "rows*N*K MACs; 2 FLOPs per weight, 1 per output for a bias"},
    {.domain = kMicrosoft,
     .name = "MatMulBlockQuantizedFp8Weight",
     .infer = infer_float<1>,
     .work = work_float<1>,
     .formula = "rows*N*K MACs; 1 FLOP per weight, 1 per output for a bias; a division and a FLOP "
                "per element of A with a scale"},
    {.domain = kMicrosoft,
     .name = "MatMulNBitsMlp",
     .infer = infer_mlp,
     .work = work_mlp,
     .packed = packed_mlp,
     .formula = "RMSNormalization, two MatMulNBits, activation, multiply"},
    {.domain = kMicrosoft,
     .name = "MatMulNBitsQkv",
     .infer = infer_qkv,
     .work = work_qkv,
     .packed = packed_qkv,
     .formula = "RMSNormalization, three MatMulNBits"},
};

}  // namespace

const std::span<const Operator> kPackedMatmul = kPackedMatmulRows;

}  // namespace ridge::ops
