// SPDX-License-Identifier: Apache-2.0
// Mixtures of experts (com.microsoft): every token passes through k experts. The router decides
// which ones, so the amount of work is known.
#include <fmt/format.h>

#include <algorithm>

#include "ops/math/reduce.h"
#include "ops/nn/activation.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// Positions of the three matrices and their biases; the third is optional.
struct ExpertInputs {
  std::size_t weights[3], biases[3];
};
constexpr ExpertInputs kFloating{{2, 4, 6}, {3, 5, 7}};
constexpr ExpertInputs kQuantized{{2, 5, 8}, {4, 7, 10}};

struct Mixture {
  Dim tokens, hidden, chosen;
};

Result<std::optional<Mixture>> mixture(Context& c) {
  TRY(require_inputs(c, 2));
  const Shape& x = c.input(0).shape;
  const std::int64_t k = TRY(c.int_attribute("k", 1));
  if (k < 1)
    return c.fail(Fault::kAttribute, fmt::format("attribute 'k' is {}, it must be at least 1", k));
  if (!x.ranked()) return std::optional<Mixture>();
  if (x.rank != 2 && x.rank != 3)
    return c.fail(Fault::kRank,
                  fmt::format("input 0 has shape {}; it must have rank 2 or 3", text(c, x)));
  return std::optional(
      Mixture{c.dims().product(x.span().first(x.span().size() - 1)), x.span().back(), Dim(k)});
}

Result<void> infer_experts(Context& c) {
  TRY(mixture(c));
  return infer_same(c);
}

// Weights per stored element: 8 / bits in a byte. Each of the three matrices (inputs 2, 5, 8) may
// have its own number of bits.
Dim per_element(Context& c, std::size_t i) {
  constexpr std::string_view kOwn[] = {"fc1_expert_weight_bits", "fc2_expert_weight_bits",
                                       "fc3_expert_weight_bits"};
  const auto all = c.int_attribute("expert_weight_bits", 4);
  const auto own = c.int_attribute(kOwn[std::min<std::size_t>((i - 2) / 3, 2)], 0);
  const auto& bits = own.ok() && *own > 0 ? own : all;
  const bool packs = c.input(i).dtype == DataType::kUint8 && bits.ok() && *bits > 0 && *bits < 8;
  return packs ? Dim(8 / *bits) : Dim(1);
}

struct Matrix {
  Dim rows;  ///< per expert
  Dim each;  ///< weights of one expert
};

Matrix matrix(Context& c, std::size_t i) {
  const Shape& w = c.input(i).shape;
  if (w.rank != 3) return {};
  DimPool& p = c.dims();
  return {w[1], p.mul(p.mul(w[1], w[2]), per_element(c, i))};
}

// Experts of which at least one token may choose one: at most k per token. Input 2 holds the first
// matrix of each expert.
Part experts(Context& c, const Mixture& m) {
  const Shape& first = c.input(2).shape;
  if (!first.ranked() || first.rank < 1) return {Dim(), Dim()};
  DimPool& p = c.dims();
  return {.of = first[0],
          .read = p.min(first[0], p.mul(m.tokens, m.chosen)),
          .per_token = p.min(first[0], m.chosen)};
}

// The weights, scales, zero points and biases of the experts that no token chooses are not read.
// These inputs have the experts as their first axis; `past` is the position after the last of them.
template <std::size_t past>
std::optional<Part> part(Context& c, std::size_t i) {
  if (i < 2 || i >= past) return std::nullopt;
  const auto found = mixture(c);
  if (!found.ok() || !*found) return std::nullopt;
  const Part chosen = experts(c, **found);
  const Shape& shape = c.input(i).shape;
  const bool each = shape.ranked() && shape.rank > 0 && shape[0].same(chosen.of);
  return each ? std::optional(chosen) : std::nullopt;
}

// Softmax of the router scores, the matrices with their biases, the activation of the first result
// (SwiGLU: half of it gates the other, with clamping), the weighted sum of the k results.
template <const ExpertInputs& at>
Work work_experts(Context& c) {
  const Work unknown{.macs = Dim(), .flops = Dim(), .special = Dim(), .int_ops = Dim()};
  const auto found = mixture(c);
  const auto name = c.string_attribute("activation_type", "relu");
  const auto fusion = c.int_attribute("swiglu_fusion", 0);
  if (!found.ok() || !*found || !name.ok() || !fusion.ok()) return unknown;
  const bool swiglu = *name == "swiglu";
  const auto cost = swiglu ? std::optional(Cost{.flops = 8, .special = 1}) : activation_cost(*name);
  if (!cost) return unknown;
  DimPool& p = c.dims();
  const Mixture& m = **found;
  const Dim passes = p.mul(m.tokens, m.chosen);
  const Dim router = c.elements(c.input(1).shape);
  Work out{.flops = p.add(router, p.mul(combining(c, router, m.tokens), Dim(2))),
           .special = p.mul(router, Dim(2))};
  for (std::size_t i = 0; i < 3; ++i) {
    if (!c.has_input(at.weights[i])) continue;
    const Matrix w = matrix(c, at.weights[i]);
    out.macs = p.add(out.macs, p.mul(passes, w.each));
    if (c.has_input(at.biases[i])) out.flops = p.add(out.flops, p.mul(passes, w.rows));
    // Weights stored as integers are dequantized once per expert that is read: zero point, scale.
    if (is_integral(c.input(at.weights[i]).dtype)) {
      const Dim weights = p.mul(experts(c, m).read, w.each);
      out = sum(c, out, {.flops = weights, .int_ops = weights});
    }
  }
  const bool halves = swiglu && *fusion != 0;
  const Dim first = matrix(c, at.weights[0]).rows;
  const Dim inner = halves ? p.floor_div(first, Dim(2)) : first;
  Cost each = *cost;
  if (!swiglu && c.has_input(at.weights[2])) ++each.flops;
  out = sum(c, out, elementwise(c, p.mul(passes, inner), each, DataType::kFloat));
  const Dim mixed = p.sub(p.mul(m.chosen, Dim(2)), Dim(1));
  out.flops = p.add(out.flops, p.mul(p.mul(m.tokens, m.hidden), mixed));
  return out;
}

// Inputs 11 to 13 are the zero points of the three matrices, one per scale.
Dim packed(Context& c, std::size_t i) {
  if (i >= 11 && i <= 13 && c.input(i).dtype == DataType::kUint8)
    return c.elements(c.input(3 * (i - 10)).shape);
  const bool weight = i == 2 || i == 5 || i == 8;
  return weight ? c.dims().mul(c.elements(c.input(i).shape), per_element(c, i)) : Dim(0);
}

constexpr std::string_view kExpertFormula =
    "tokens*k*(weights of one expert) MACs; the router's softmax, biases, activation, the mix of k "
    "results; at most min(experts, tokens*k) experts are dequantized";

constexpr Operator kExpertMixtureRows[] = {
    {.domain = kMicrosoft,
     .name = "MoE",
     .infer = infer_experts,
     .work = work_experts<kFloating>,
     .part = part<8>,
     .formula = kExpertFormula},
    {.domain = kMicrosoft,
     .name = "QMoE",
     .infer = infer_experts,
     .work = work_experts<kQuantized>,
     .packed = packed,
     .part = part<14>,
     .formula = kExpertFormula},
};

}  // namespace

const std::span<const Operator> kMoe = kExpertMixtureRows;

}  // namespace ridge::ops
