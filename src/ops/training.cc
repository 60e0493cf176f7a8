// SPDX-License-Identifier: Apache-2.0
// Optimizer steps (ai.onnx.preview.training): the inputs are a rate, a count, and groups with one
// tensor per trained tensor; each output has the shape of the tensor that it updates.
#include <fmt/format.h>

#include "ops/rule.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// With n trained tensors, output k updates group `renews[k / n]` of the inputs.
struct Step {
  std::size_t groups;
  std::size_t renews[3];
  std::size_t outputs;
};
constexpr Step kAdagrad{3, {0, 2, 0}, 2};   // X, G, H
constexpr Step kAdam{4, {0, 2, 3}, 3};      // X, G, V, H
constexpr Step kMomentum{3, {0, 2, 0}, 2};  // X, G, V

template <const Step& step>
Result<void> infer_step(Context& c) {
  TRY(require_inputs(c, 2 + step.groups));
  const std::size_t given = c.input_count() - 2, n = given / step.groups;
  if (given % step.groups != 0)
    return c.fail(
        Fault::kMissingInput,
        fmt::format("{} tensors cannot form {} groups of equal size", given, step.groups));
  for (std::size_t k = 0; k < step.outputs * n; ++k)
    c.set_output(k, c.input(2 + step.renews[k / n] * n + k % n));
  return {};
}

template <const Step& step>
Work per_trained(Context& c, Cost cost) {
  Dim all(0);
  const std::size_t n = (c.input_count() - 2) / step.groups;
  for (std::size_t i = 0; i < n; ++i) all = c.dims().add(all, c.elements(c.input(2 + i).shape));
  return elementwise(c, all, cost, c.input(2).dtype);
}

Work work_adagrad(Context& c) { return per_trained<kAdagrad>(c, {.flops = 7, .special = 2}); }
Work work_adam(Context& c) { return per_trained<kAdam>(c, {.flops = 13, .special = 2}); }
Work work_momentum(Context& c) {
  const auto mode = c.string_attribute("mode", "standard");
  const bool nesterov = mode.ok() && *mode == "nesterov";
  return per_trained<kMomentum>(c, {.flops = nesterov ? 9 : 7});
}

// One output per input that is differentiated by, in the order of `xs`.
Result<void> infer_gradient(Context& c) {
  for (std::size_t i = 0; i < c.output_count(); ++i)
    if (c.has_input(i)) c.set_output(i, c.input(i));
  return {};
}

Work work_gradient(Context&) { return {Dim(), Dim(), Dim(), Dim()}; }

constexpr std::string_view kDomain = "ai.onnx.preview.training";

constexpr Operator kTrainingRows[] = {
    {.domain = kDomain,
     .name = "Adagrad",
     .infer = infer_step<kAdagrad>,
     .work = work_adagrad,
     .formula = "7 FLOPs, a root and a division per trained element"},
    {.domain = kDomain,
     .name = "Adam",
     .infer = infer_step<kAdam>,
     .work = work_adam,
     .formula = "13 FLOPs, a root and a division per trained element"},
    {.domain = kDomain,
     .name = "Momentum",
     .infer = infer_step<kMomentum>,
     .work = work_momentum,
     .formula = "7 FLOPs per trained element, 9 in Nesterov's form"},
    {.domain = kDomain,
     .name = "Gradient",
     .infer = infer_gradient,
     .work = work_gradient,
     .formula = "that of the derivative of other nodes: not known"},
};

}  // namespace

const std::span<const Operator> kTraining = kTrainingRows;

}  // namespace ridge::ops
