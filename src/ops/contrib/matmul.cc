// SPDX-License-Identifier: Apache-2.0
// Matrix products of com.microsoft: fused with surrounding operators.
#include <fmt/format.h>

#include <algorithm>

#include "ops/math/gemm.h"
#include "ops/nn/activation.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// Shape of a factor after transBatch: the axes become [1, 2, ..., 0, last], which puts axis 0
// before the last one; transA or transB then swaps the last two.
Shape batch_swapped(Context& c, const Shape& s, bool swap) {
  if (!swap || s.rank < 3) return s;
  const auto out = c.arena().copy(s.span());
  std::rotate(out.begin(), out.begin() + 1, out.end() - 1);
  return shape_of(out);
}

struct Factors {
  Shape a, b;
  Swapped swapped;
};

Result<Factors> matmul_factors(Context& c) {
  const bool batch_a = TRY(c.int_attribute("transBatchA", 0)) != 0;
  const bool batch_b = TRY(c.int_attribute("transBatchB", 0)) != 0;
  const Swapped swapped{TRY(c.int_attribute("transA", 0)) != 0,
                        TRY(c.int_attribute("transB", 0)) != 0};
  return Factors{batch_swapped(c, c.input(0).shape, batch_a),
                 batch_swapped(c, c.input(1).shape, batch_b), swapped};
}

Result<void> infer_fused(Context& c) {
  TRY(require_inputs(c, 2));
  const Factors f = TRY(matmul_factors(c));
  return infer_product(c, f.a, f.b, f.swapped, c.input(0).dtype);
}

// alpha is a multiply per output unless it is 1; then follows the activation.
Work work_fused(Context& c) {
  const auto f = matmul_factors(c);
  const auto alpha = c.float_attribute("alpha", 1);
  const auto name = c.string_attribute("activation", "");
  const auto cost = name.ok() ? activation_cost(*name) : std::nullopt;
  if (!f.ok() || !alpha.ok() || !cost) return {.macs = Dim(), .flops = Dim(), .special = Dim()};
  const Dim n = c.elements(c.output(0).shape);
  return {.macs = product_macs(c, f->a, f->swapped),
          .flops = c.dims().mul(n, Dim(cost->flops + (*alpha == 1 ? 0 : 1))),
          .special = c.dims().mul(n, Dim(cost->special))};
}

Result<void> infer_gemm_activation(Context& c) { return infer_gemm(c); }

Work work_gemm_activation(Context& c) {
  const auto name = c.string_attribute("activation", "");
  const auto cost = name.ok() ? activation_cost(*name) : std::nullopt;
  if (!cost) return {.macs = Dim(), .flops = Dim(), .special = Dim()};
  const Dim n = c.elements(c.output(0).shape);
  return sum(c, work_gemm(c), elementwise(c, n, *cost, DataType::kFloat));
}

Result<void> infer_float8(Context& c) {
  TRY(infer_gemm(c));
  set_tensor(c, 0, TRY(type_attribute(c, "dtype", DataType::kFloat)), c.output(0).shape);
  return {};
}

Result<void> infer_matmul_gelu(Context& c) {
  TRY(require_inputs(c, 2));
  return infer_matmul(c, 0, 1, {}, c.input(0).dtype);
}

Work work_matmul_gelu(Context& c) {
  Cost each = kGeluTanh;
  if (c.has_input(2)) ++each.flops;
  Work out = elementwise(c, c.elements(c.output(0).shape), each, c.input(0).dtype);
  out.macs = matmul_macs(c, 0, {});
  return out;
}

constexpr Operator fused(std::string_view name) {
  return {.domain = kMicrosoft,
          .name = name,
          .infer = infer_fused,
          .work = work_fused,
          .formula = "batch*M*N*K MACs; 1 FLOP per output for alpha not 1, and the activation"};
}

constexpr Operator kContribMatmulRows[] = {
    fused("FusedMatMul"),
    fused("TransposeMatMul"),
    fused("FusedMatMulActivation"),
    fused("SparseToDenseMatMul"),
    {.domain = kMicrosoft,
     .name = "FusedGemm",
     .infer = infer_gemm_activation,
     .work = work_gemm_activation,
     .formula = "Gemm and its activation"},
    {.domain = kMicrosoft,
     .name = "GemmFloat8",
     .infer = infer_float8,
     .work = work_gemm_activation,
     .formula = "Gemm and its activation"},
    {.domain = kMicrosoft,
     .name = "GemmFastGelu",
     .infer = infer_matmul_gelu,
     .work = work_matmul_gelu,
     .formula = "batch*M*N*K MACs; bias and FastGelu per output element"},
};

}  // namespace

const std::span<const Operator> kContribMatmul = kContribMatmulRows;

}  // namespace ridge::ops
