// SPDX-License-Identifier: Apache-2.0
// Matrix products.
#include "ops/math/gemm.h"

#include <fmt/format.h>

#include "ops/tables.h"

namespace ridge::ops {
namespace {

constexpr std::string_view kFit =
    "the columns of the first factor must equal the rows of the second";

// Rows and columns of a factor; a vector is a row on the left and a column on the right.
struct Factor {
  Dim rows, columns;
  Shape batch;
};

enum class FactorSide : std::uint8_t { kLeft, kRight };

Factor factor(const Shape& s, bool swapped, FactorSide side) {
  const auto rank = static_cast<std::size_t>(s.rank);
  if (rank == 1)
    return side == FactorSide::kLeft ? Factor{Dim(1), s[0], {s.dims, 0}}
                                     : Factor{s[0], Dim(1), {s.dims, 0}};
  Factor f{s[rank - 2], s[rank - 1], {s.dims, s.rank - 2}};
  if (swapped) std::swap(f.rows, f.columns);
  return f;
}

}  // namespace

Result<void> infer_matmul(Context& c, std::size_t a, std::size_t b, Swapped swapped,
                          DataType output) {
  TRY(require_inputs(c, std::max(a, b) + 1));
  for (const std::size_t i : {a, b})
    if (c.input(i).shape.rank == 0)
      return c.fail(Fault::kRank,
                    fmt::format("input {} is a scalar, an operand needs rank 1 or more", i));
  return infer_product(c, c.input(a).shape, c.input(b).shape, swapped, output);
}

Result<void> infer_product(Context& c, const Shape& x, const Shape& y, Swapped swapped,
                           DataType output) {
  if (!x.ranked() || !y.ranked()) {
    set_tensor(c, 0, output, Shape{});
    return {};
  }
  if (x.rank == 0 || y.rank == 0)
    return c.fail(Fault::kRank, "an operand is a scalar, it needs rank 1 or more");
  const Factor left = factor(x, swapped.a, FactorSide::kLeft),
               right = factor(y, swapped.b, FactorSide::kRight);
  if (left.columns.known() && right.rows.known() && left.columns.value() != right.rows.value())
    return c.fail(Fault::kMismatch,
                  fmt::format("{} x {}: the first operand reduces over {}, the second over {}",
                              text(c, x), text(c, y), left.columns.value(), right.rows.value()),
                  std::string(kFit));
  if (left.columns.known() != right.rows.known()) c.expect_equal(left.columns, right.rows);
  const Shape batch = TRY(broadcast(c, left.batch, right.batch));
  // As numpy.matmul: the axis that a vector was given is removed again. [3] x [5, 3, 4] is [5, 4].
  const auto out = new_dims(c, batch.span().size() + (x.rank > 1 ? 1 : 0) + (y.rank > 1 ? 1 : 0));
  std::size_t at = 0;
  for (const Dim& d : batch.span()) out[at++] = d;
  if (x.rank > 1) out[at++] = left.rows;
  if (y.rank > 1) out[at++] = right.columns;
  set_tensor(c, 0, output, out);
  return {};
}

Dim matmul_macs(Context& c, std::size_t a, Swapped swapped) {
  return product_macs(c, c.input(a).shape, swapped);
}

Dim product_macs(Context& c, const Shape& x, Swapped swapped) {
  if (!x.ranked() || x.rank == 0) return {};
  return c.dims().mul(c.elements(c.output(0).shape),
                      factor(x, swapped.a, FactorSide::kLeft).columns);
}

namespace {

Result<void> infer_plain(Context& c) { return infer_matmul(c, 0, 1, {}, c.input(0).dtype); }
Work work_plain(Context& c) { return {.macs = matmul_macs(c, 0, {})}; }

Result<Swapped> gemm_swaps(const Context& c) {
  return Swapped{TRY(c.int_attribute("transA", 0)) != 0, TRY(c.int_attribute("transB", 0)) != 0};
}

}  // namespace

Result<void> infer_gemm(Context& c) {
  TRY(require_inputs(c, 2));
  TRY(require_rank(c, 0, 2));
  TRY(require_rank(c, 1, 2));
  const Swapped swapped = TRY(gemm_swaps(c));
  TRY(c.float_attribute("alpha", 1));
  TRY(c.float_attribute("beta", 1));
  TRY(infer_matmul(c, 0, 1, swapped, c.input(0).dtype));
  if (c.has_input(2)) TRY(require_broadcast_to(c, c.input(2).shape, c.output(0).shape));
  return {};
}

// alpha * A * B + beta * C; a factor of 1 costs nothing.
Work work_gemm(Context& c) {
  const auto swapped = gemm_swaps(c);
  const auto alpha = c.float_attribute("alpha", 1), beta = c.float_attribute("beta", 1);
  if (!swapped.ok() || !alpha.ok() || !beta.ok()) return {};
  DimPool& p = c.dims();
  const Dim out = c.elements(c.output(0).shape);
  Dim flops(0);
  if (*alpha != 1) flops = p.add(flops, out);
  if (c.has_input(2)) flops = p.add(flops, out);
  if (c.has_input(2) && *beta != 1) flops = p.add(flops, c.elements(c.input(2).shape));
  Work w = is_integral(c.input(0).dtype) ? Work{.int_ops = flops} : Work{.flops = flops};
  w.macs = matmul_macs(c, 0, *swapped);
  return w;
}

namespace {

constexpr Operator kGemmRows[] = {
    {.name = "MatMul",
     .since = 1,
     .infer = infer_plain,
     .work = work_plain,
     .formula = "batch*M*N*K MACs"},
    {.name = "Gemm",
     .since = 1,
     .infer = infer_gemm,
     .work = work_gemm,
     .formula = "M*N*K MACs; M*N FLOPs for C and for alpha, |C| for beta, where not 1"},
};

}  // namespace

const std::span<const Operator> kGemm = kGemmRows;

}  // namespace ridge::ops
