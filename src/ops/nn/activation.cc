// SPDX-License-Identifier: Apache-2.0
// Activations. ONNX defines most of them by a function body of simpler operators; the rows count
// the data-dependent operations of that body.
#include "ops/nn/activation.h"

#include <fmt/format.h>

#include <algorithm>

#include "ops/fold.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

struct Named {
  std::string_view name;
  Cost cost;
};
// Same counts as in the rows below and in math.cc; Affine is a multiply and an add.
constexpr Named kNamed[] = {
    {"", {}},
    {"none", {}},
    {"NONE", {}},
    {"identity", {}},
    {"Relu", {.flops = 1}},
    {"RELU", {.flops = 1}},
    {"relu", {.flops = 1}},
    {"Tanh", {.special = 1}},
    {"Sigmoid", {.special = 1}},
    {"Affine", {.flops = 2}},
    {"Clip", {.flops = 4}},
    {"LeakyRelu", {.flops = 3}},
    {"ThresholdedRelu", {.flops = 2}},
    {"ScaledTanh", {.flops = 2, .special = 1}},
    {"HardSigmoid", {.flops = 4}},
    {"HardSwish", {.flops = 5}},
    {"Elu", {.flops = 4, .special = 1}},
    {"Softsign", {.flops = 2, .special = 1}},
    {"Softplus", {.flops = 1, .special = 2}},
    {"Gelu", kGeluErf},
    {"GELU", kGeluErf},
    {"gelu", kGeluErf},
    {"silu", kSilu},
    {"swish", kSilu},
};

}  // namespace

std::optional<Cost> activation_cost(std::string_view name) {
  for (const Named& row : kNamed)
    if (row.name == name) return row.cost;
  return std::nullopt;
}

namespace {

Work work_gelu(Context& c) {
  const auto form = c.string_attribute("approximate", "none");
  const bool tanh = form.ok() && *form == "tanh";
  return elementwise(c, c.elements(c.output(0).shape), tanh ? kGeluTanh : kGeluErf,
                     c.input(0).dtype);
}

Result<void> infer_gelu(Context& c) {
  const std::string_view form = TRY(c.string_attribute("approximate", "none"));
  if (form != "none" && form != "tanh")
    return c.fail(Fault::kAttribute,
                  "attribute 'approximate' must be \"none\" or \"tanh\", it is \"" +
                      std::string(form) + "\"");
  return infer_same(c);
}

Result<void> infer_prelu(Context& c) {
  TRY(require_inputs(c, 2));
  // Before opset 7 there is one slope per channel, without broadcasting rules.
  if (c.opset() >= 7) TRY(require_broadcast_to(c, c.input(1).shape, c.input(0).shape));
  return infer_same(c);
}

// SwiGLU: inputs are a gate and a value of the same shape.
Result<void> infer_swiglu(Context& c) {
  TRY(require_inputs(c, 2));
  const Shape &a = c.input(0).shape, &b = c.input(1).shape;
  TRY(infer_same(c));
  if (!a.ranked() || !b.ranked()) return {};
  TRY(require_rank(c, 1, a.rank));
  const auto out = c.arena().copy(a.span());
  for (std::size_t i = 0; i < out.size(); ++i) {
    TRY(require_same(c, a[i], b[i], fmt::format("axis {} of both inputs", i)));
    if (!out[i].known()) out[i] = b[i].known() ? b[i] : out[i];
  }
  set_tensor(c, 0, c.input(0).dtype, out);
  return {};
}

// Bounds are attributes before opset 11; absent ones default to the limits of the type.
bool bounded(const Context& c, std::size_t input, std::string_view attribute) {
  return c.opset() < 11 ? c.has_attribute(attribute) : c.has_input(input);
}

Result<void> infer_clip(Context& c) {
  TRY(require_inputs(c, 1));
  for (std::size_t i = 1; i < 3 && c.opset() >= 11; ++i) {
    const Shape& s = c.input(i).shape;
    const bool scalar = !s.ranked() || s.rank == 0 || (s.rank == 1 && s[0].is(1));
    if (c.has_input(i) && !scalar)
      return c.fail(Fault::kRank, std::string(i == 1 ? "min" : "max") + " has shape " + text(c, s) +
                                      ", it must be a scalar");
  }
  return infer_same(c);
}

Work work_clip(Context& c) {
  const int bounds = (bounded(c, 1, "min") ? 1 : 0) + (bounded(c, 2, "max") ? 1 : 0);
  return elementwise(c, c.elements(c.output(0).shape), {.flops = 2 * bounds}, c.input(0).dtype);
}

void fold_clip(Context& c) {
  const Value* v = c.value(0);
  if (v == nullptr || c.opset() < 11 || foldable(c, 0) < 0) return;
  const Value* bounds[2] = {};
  for (std::size_t i = 0; i < 2; ++i) {
    if (!c.has_input(i + 1)) continue;
    bounds[i] = c.value(i + 1);
    const bool usable = bounds[i] != nullptr && bounds[i]->dtype == v->dtype &&
                        bounds[i]->ints.size() + bounds[i]->reals.size() == 1;
    if (!usable) return;
  }
  if (is_integral(v->dtype)) {
    const auto out = c.arena().copy(v->ints);
    for (Dim& d : out) {
      if (bounds[0] != nullptr) d = c.dims().max(d, bounds[0]->ints[0]);
      if (bounds[1] != nullptr) d = c.dims().min(d, bounds[1]->ints[0]);
    }
    set_ints(c, 0, out);
  } else if (is_floating(v->dtype)) {
    const auto out = c.arena().copy(v->reals);
    for (double& x : out) {
      if (bounds[0] != nullptr) x = std::max(x, bounds[0]->reals[0]);
      if (bounds[1] != nullptr) x = std::min(x, bounds[1]->reals[0]);
    }
    set_reals(c, 0, out);
  }
}

Dim relu(DimPool& p, Dim a) { return p.max(a, Dim(0)); }
double relu(double x) { return std::max(x, 0.0); }

template <Cost cost>
constexpr Operator activation_row(std::string_view name, std::int32_t since,
                                  std::string_view formula) {
  return {.name = name,
          .since = since,
          .infer = infer_same,
          .work = per_output<cost>,
          .formula = formula};
}

constexpr Operator kActivationRows[] = {
    {.name = "Relu",
     .since = 1,
     .infer = infer_same,
     .work = per_output<Cost{.flops = 1}>,
     .fold = fold_unary<relu, relu>,
     .formula = "max: 1 FLOP per element"},
    activation_row<Cost{.flops = 3}>("LeakyRelu", 1,
                                     "compare, multiply, select: 3 FLOPs per element"),
    {.name = "PRelu",
     .since = 1,
     .infer = infer_prelu,
     .work = per_output<Cost{.flops = 3}>,
     .formula = "compare, multiply, select: 3 FLOPs per element"},
    activation_row<Cost{.flops = 2}>("ThresholdedRelu", 10, "compare, select: 2 FLOPs per element"),
    activation_row<Cost{.flops = 4, .special = 1}>(
        "Elu", 1, "compare, subtract, multiply, select; exp: 4 FLOPs, 1 special per element"),
    activation_row<Cost{.flops = 6, .special = 1}>(
        "Selu", 1, "3 multiplies, subtract, compare, select; exp: 6 FLOPs, 1 special per element"),
    activation_row<Cost{.flops = 5, .special = 2}>(
        "Celu", 12, "Elu, multiply; division: 5 FLOPs, 2 special per element"),
    activation_row<Cost{.flops = 4}>("HardSigmoid", 1,
                                     "multiply, add, min, max: 4 FLOPs per element"),
    activation_row<Cost{.flops = 5}>("HardSwish", 14, "HardSigmoid, multiply: 5 FLOPs per element"),
    activation_row<Cost{.flops = 1, .special = 2}>("Softplus", 1,
                                                   "add; exp, log: 1 FLOP, 2 special per element"),
    activation_row<Cost{.flops = 2, .special = 1}>(
        "Softsign", 1, "abs, add; division: 2 FLOPs, 1 special per element"),
    activation_row<Cost{.flops = 2, .special = 3}>(
        "Mish", 18, "Softplus, multiply; tanh: 2 FLOPs, 3 special per element"),
    activation_row<Cost{.flops = 2, .special = 1}>(
        "Swish", 24, "2 multiplies; sigmoid: 2 FLOPs, 1 special per element"),
    {.name = "SwiGLU",
     .since = 28,
     .infer = infer_swiglu,
     .work = per_output<Cost{.flops = 3, .special = 1}>,
     .formula = "Swish of the gate, multiply: 3 FLOPs, 1 special per element"},
    activation_row<Cost{.flops = 6}>("Shrink", 9,
                                     "2 compares, add, subtract, 2 selects: 6 FLOPs per element"),
    {.name = "Gelu",
     .since = 20,
     .infer = infer_gelu,
     .work = work_gelu,
     .formula = "exact: 3 FLOPs, 2 special (division, erf) per element; tanh: 6 FLOPs, 2 special"},
    {.name = "Clip",
     .since = 1,
     .infer = infer_clip,
     .work = work_clip,
     .fold = fold_clip,
     .formula = "compare, select: 2 FLOPs per element and given bound"},
};

}  // namespace

const std::span<const Operator> kActivation = kActivationRows;

}  // namespace ridge::ops
