// SPDX-License-Identifier: Apache-2.0
// Training losses, counted by their function bodies.
#include <fmt/format.h>

#include "ops/math/reduce.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

enum class Reduction : std::uint8_t { kNone, kSum, kMean };

Result<Reduction> reduction(const Context& c) {
  const std::string_view name = TRY(c.string_attribute("reduction", "mean"));
  if (name == "none") return Reduction::kNone;
  if (name == "sum") return Reduction::kSum;
  if (name == "mean") return Reduction::kMean;
  return c.fail(Fault::kAttribute,
                fmt::format("attribute 'reduction' is \"{}\"; it must be none, sum or mean", name));
}

// Inputs: scores [N, C, d...], one target per position [N, d...].
Result<void> infer_loss(Context& c) {
  TRY(require_inputs(c, 2));
  const Type& x = c.input(0);
  const Shape& target = c.input(1).shape;
  if (x.shape.ranked() && x.shape.rank < 2)
    return c.fail(Fault::kRank, fmt::format("input 0 has shape {}; it needs batch and classes",
                                            text(c, x.shape)));
  if (x.shape.ranked()) TRY(require_rank(c, 1, x.shape.rank - 1));
  for (std::size_t i = 0; x.shape.ranked() && i < target.span().size(); ++i)
    TRY(require_same(c, target[i], x.shape[i == 0 ? 0 : i + 1],
                     fmt::format("axis {} of the targets and its axis of the scores", i)));
  const Reduction how = TRY(reduction(c));
  set_tensor(c, 0, x.dtype, how == Reduction::kNone ? target : c.shape({}));
  set_tensor(c, 1, x.dtype, x.shape);  // log probabilities of SoftmaxCrossEntropyLoss
  return {};
}

Work work_likelihood(Context& c) {
  const auto how = reduction(c);
  if (!how.ok()) return {.flops = Dim(), .int_ops = Dim()};
  DimPool& p = c.dims();
  const Dim n = c.elements(c.input(1).shape);
  const bool ignores = c.has_attribute("ignore_index");
  const bool weighs = c.has_input(2) || ignores;
  // Negate; with ignore_index: subtract, compare and select among the targets, select 0 for the
  // score and for the weight; multiply by the weight.
  Work out{.flops = p.mul(n, Dim(1 + (weighs ? 1 : 0) + (ignores ? 2 : 0))),
           .int_ops = p.mul(n, Dim(ignores ? 3 : 0))};
  if (*how == Reduction::kNone) return out;
  const bool mean = *how == Reduction::kMean;
  out.flops = p.add(out.flops, p.mul(combining(c, n, Dim(1)), Dim(mean && weighs ? 2 : 1)));
  out.special = Dim(mean ? 1 : 0);
  return out;
}

// LogSoftmax over the classes, then the likelihood loss.
Work work_cross_entropy(Context& c) {
  const Shape& x = c.input(0).shape;
  if (x.rank < 2) return {.flops = Dim(), .special = Dim(), .int_ops = Dim()};
  DimPool& p = c.dims();
  const Dim n = c.elements(x), rows = p.mul(x[0], p.product(x.span().subspan(2)));
  return sum(c, work_likelihood(c),
             {.flops = p.mul(p.add(n, combining(c, n, rows)), Dim(2)), .special = p.add(n, rows)});
}

constexpr Operator kLossRows[] = {
    {.name = "NegativeLogLikelihoodLoss",
     .since = 12,
     .infer = infer_loss,
     .work = work_likelihood,
     .formula = "per target: negate, multiply by a weight, add; selects where one is ignored"},
    {.name = "SoftmaxCrossEntropyLoss",
     .since = 12,
     .infer = infer_loss,
     .work = work_cross_entropy,
     .formula = "LogSoftmax over the classes, then NegativeLogLikelihoodLoss"},
};

}  // namespace

const std::span<const Operator> kLoss = kLossRows;

}  // namespace ridge::ops
