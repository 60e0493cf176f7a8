// SPDX-License-Identifier: Apache-2.0
// Convolutions of com.microsoft: fused with subsequent operators, or in channels-last layout.
#include "ops/nn/conv.h"
#include "ops/nn/activation.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

constexpr ConvInputs kFirst{.data = 0, .weight = 1, .bias = 2};
constexpr ConvInputs kLast{.data = 0, .weight = 1, .bias = 2, .layout = Layout::kChannelsLast};

template <const ConvInputs& inputs>
Result<void> infer_fused_conv(Context& c) {
  return infer_conv(c, inputs, c.input(0).dtype);
}

// Bias, addition of input 3, and the activation.
template <const ConvInputs& inputs>
Work work_fused_conv(Context& c) {
  const auto name = c.string_attribute("activation", "");
  const auto cost = name.ok() ? activation_cost(*name) : std::nullopt;
  Work out{.macs = conv_macs(c, inputs), .flops = Dim(), .special = Dim()};
  if (!cost) return out;
  const Dim n = c.elements(c.output(0).shape);
  const int added = (c.has_input(2) ? 1 : 0) + (c.has_input(3) ? 1 : 0);
  out.flops = c.dims().mul(n, Dim(cost->flops + added));
  out.special = c.dims().mul(n, Dim(cost->special));
  return out;
}

constexpr std::string_view kFused = "Conv, bias, addition of input 3 and activation";

constexpr Operator kFusedConvRows[] = {
    {.domain = kMicrosoft,
     .name = "FusedConv",
     .infer = infer_fused_conv<kFirst>,
     .work = work_fused_conv<kFirst>,
     .formula = kFused},
    {.domain = kMicrosoft,
     .name = "NhwcConv",
     .infer = infer_fused_conv<kLast>,
     .work = work_fused_conv<kLast>,
     .formula = "MACs as Conv; 1 FLOP per output element for the bias"},
    {.domain = kMicrosoft,
     .name = "NhwcFusedConv",
     .infer = infer_fused_conv<kLast>,
     .work = work_fused_conv<kLast>,
     .formula = kFused},
};

}  // namespace

const std::span<const Operator> kContribConv = kFusedConvRows;

}  // namespace ridge::ops
