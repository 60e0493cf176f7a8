// The com.microsoft operators that ONNX Runtime's optimiser and exporters write: fused forms of
// standard ones (onnxruntime docs/ContribOperators.md).
#include <fmt/format.h>

#include "ops/activation.h"
#include "ops/conv.h"
#include "ops/gemm.h"
#include "ops/normalization.h"
#include "ops/reduce.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

constexpr ConvInputs kConvInputs{.data = 0, .weight = 1, .bias = 2};

Result<void> infer_fused_conv(Context& c) { return infer_conv(c, kConvInputs, c.input(0).dtype); }

struct ActivationCost {
  std::string_view name;
  Cost cost;
};
constexpr ActivationCost kActivations[] = {
    {"", {}},
    {"Relu", {.flops = 1}},
    {"Clip", {.flops = 4}},
    {"LeakyRelu", {.flops = 3}},
    {"HardSigmoid", {.flops = 4}},
    {"HardSwish", {.flops = 5}},
    {"Sigmoid", {.special = 1}},
    {"Tanh", {.special = 1}},
};

// Bias, what input 3 adds, and the activation.
Work work_fused_conv(Context& c) {
  const Dim n = c.elements(c.output(0).shape);
  const auto name = c.string_attribute("activation", "");
  Work out{.macs = conv_macs(c, kConvInputs), .flops = Dim(), .special = Dim()};
  for (const ActivationCost& row : kActivations) {
    if (!name.ok() || row.name != *name) continue;
    Cost each = row.cost;
    each.flops += (c.has_input(2) ? 1 : 0) + (c.has_input(3) ? 1 : 0);
    out.flops = c.dims().mul(n, Dim(each.flops));
    out.special = c.dims().mul(n, Dim(each.special));
  }
  return out;
}

Result<Swapped> swaps(const Context& c) {
  return Swapped{TRY(c.int_attribute("transA", 0)) != 0, TRY(c.int_attribute("transB", 0)) != 0};
}

// transBatchA and transBatchB bring axis 0 next to the last; a shape that they change is left open.
bool swaps_batch(const Context& c) {
  const auto a = c.int_attribute("transBatchA", 0), b = c.int_attribute("transBatchB", 0);
  return (a.ok() && *a != 0) || (b.ok() && *b != 0);
}

Result<void> infer_fused_matmul(Context& c) {
  TRY(require_inputs(c, 2));
  const Swapped swapped = TRY(swaps(c));
  if (!swaps_batch(c)) return infer_matmul(c, 0, 1, swapped, c.input(0).dtype);
  set_tensor(c, 0, c.input(0).dtype, Shape{});
  return {};
}

Work work_fused_matmul(Context& c) {
  const auto swapped = swaps(c);
  const auto alpha = c.float_attribute("alpha", 1);
  if (!swapped.ok() || !alpha.ok() || swaps_batch(c)) return {.macs = Dim(), .flops = Dim()};
  return {.macs = matmul_macs(c, 0, *swapped),
          .flops = *alpha == 1 ? Dim(0) : c.elements(c.output(0).shape)};
}

template <Cost gelu>
Work work_gelu(Context& c) {
  Cost each = gelu;
  if (c.has_input(1)) ++each.flops;
  return elementwise(c, c.elements(c.output(0).shape), each, c.input(0).dtype);
}

Result<void> infer_skip_layer(Context& c) {
  TRY(require_inputs(c, 3));
  const Type& x = c.input(0);
  c.set_output(0, x);
  // Mean and inverse deviation of every row, then the sum before normalisation.
  for (std::size_t i = 1; i < 3; ++i) {
    const auto out = c.arena().copy(x.shape.span());
    if (!out.empty()) out.back() = Dim(1);
    set_tensor(c, i, DataType::kFloat, x.shape.ranked() ? shape_of(out) : Shape{});
  }
  c.set_output(3, x);
  return {};
}

// Adds the skip and, where given, a bias, then normalises the last axis.
Work work_skip_layer(Context& c) {
  const Shape& x = c.input(0).shape;
  if (!x.ranked() || x.rank == 0) return {.flops = Dim(), .special = Dim()};
  const Dim n = c.elements(x), m = c.dims().product(x.span().first(x.span().size() - 1));
  const Work added{.flops = c.dims().mul(n, Dim(c.has_input(4) ? 2 : 1))};
  const Work inverse{.special = c.wants_output(2) ? m : Dim(0)};
  return sum(c, normalised(c, n, m, c.has_input(3)), sum(c, added, inverse));
}

constexpr std::string_view kMicrosoft = "com.microsoft";

constexpr Operator kRows[] = {
    {.domain = kMicrosoft,
     .name = "FusedConv",
     .infer = infer_fused_conv,
     .work = work_fused_conv,
     .formula = "Conv, bias, addition of input 3 and activation"},
    {.domain = kMicrosoft,
     .name = "FusedMatMul",
     .infer = infer_fused_matmul,
     .work = work_fused_matmul,
     .formula = "batch*M*N*K MACs; 1 FLOP per output for alpha not 1"},
    {.domain = kMicrosoft,
     .name = "Gelu",
     .infer = infer_same,
     .work = work_gelu<kGeluErf>,
     .formula = "3 FLOPs, 2 special (division, erf) per element"},
    {.domain = kMicrosoft,
     .name = "BiasGelu",
     .infer = infer_same,
     .work = work_gelu<kGeluErf>,
     .formula = "add; 3 FLOPs, 2 special (division, erf) per element"},
    {.domain = kMicrosoft,
     .name = "FastGelu",
     .infer = infer_same,
     .work = work_gelu<kGeluTanh>,
     .formula = "6 FLOPs, 2 special (pow, tanh) per element, 1 FLOP for a bias"},
    {.domain = kMicrosoft,
     .name = "QuickGelu",
     .infer = infer_same,
     .work = per_output<Cost{.flops = 2, .special = 1}>,
     .formula = "2 multiplies; sigmoid: 2 FLOPs, 1 special per element"},
    {.domain = kMicrosoft,
     .name = "SkipLayerNormalization",
     .infer = infer_skip_layer,
     .work = work_skip_layer,
     .formula = "1 or 2 adds per element, then LayerNormalization"},
};

}  // namespace

const std::span<const Operator> kContrib = kRows;

}  // namespace ridge::ops
