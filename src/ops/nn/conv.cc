// SPDX-License-Identifier: Apache-2.0
// Convolution; also the shape rule of its integer and quantized forms (quantize.cc counts their
// scaling).
#include "ops/nn/conv.h"

#include <fmt/format.h>

#include <array>

#include "ops/nn/window.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

Result<void> check_channels(Context& c, Dim channels, const Shape& w, std::int64_t group) {
  const Dim wanted = c.dims().mul(w[1], Dim(group));
  if (!channels.same(wanted))
    TRY(require_same(
        c, channels, wanted,
        fmt::format("channels of the input and {} groups of the weight's channels", group)));
  if (w[0].known() && w[0].value() % group != 0)
    return c.fail(Fault::kDivision, fmt::format("{} output channels do not divide into {} groups",
                                                w[0].value(), group));
  return {};
}

}  // namespace

Result<void> infer_conv(Context& c, ConvInputs at, DataType output) {
  TRY(require_inputs(c, at.weight + 1));
  const Shape &x = c.input(at.data).shape, &w = c.input(at.weight).shape;
  const std::int64_t group = TRY(c.int_attribute("group", 1));
  if (group < 1)
    return c.fail(Fault::kAttribute,
                  fmt::format("attribute 'group' is {}, it must be at least 1", group));
  if (!x.ranked()) {
    set_tensor(c, 0, output, Shape{});
    return {};
  }
  if (x.rank < 3)
    return c.fail(Fault::kRank,
                  fmt::format("input {} has shape {}; it needs batch, channels and at "
                              "least one spatial axis",
                              at.data, text(c, x)));
  TRY(require_rank(c, at.weight, x.rank));
  const auto spatial = static_cast<std::size_t>(x.rank - 2);
  const bool first = at.layout == Layout::kChannelsFirst;
  const std::size_t channels = first ? 1 : spatial + 1, start = first ? 2 : 1;
  if (w.ranked()) TRY(check_channels(c, x[channels], w, group));
  if (at.bias < c.input_count() && c.has_input(at.bias) && w.ranked()) {
    TRY(require_rank(c, at.bias, 1));
    if (const Shape& b = c.input(at.bias).shape; b.ranked())
      TRY(require_same(c, b[0], w[0], "size of the bias and output channels"));
  }
  std::span<const Dim> kernel;
  if (w.ranked())
    kernel = w.span().subspan(2);
  else if (!c.has_attribute("kernel_shape"))
    kernel = new_dims(c, spatial);
  const Window window = TRY(read_window(c, kernel, spatial));
  std::array<Dim, 5> few;  // temporary; c.shape() stores equal shapes once
  const std::span<Dim> out =
      spatial + 2 <= few.size() ? std::span<Dim>(few).first(spatial + 2) : new_dims(c, spatial + 2);
  out[0] = x[0];
  if (w.ranked()) out[channels] = w[0];
  for (std::size_t i = 0; i < spatial; ++i)
    out[i + start] = TRY(positions(c, window, x[i + start], i));
  set_tensor(c, 0, output, c.shape(out));
  return {};
}

Dim conv_macs(Context& c, ConvInputs at) {
  const Shape& w = c.input(at.weight).shape;
  if (w.rank < 3) return {};
  return c.dims().mul(c.elements(c.output(0).shape), c.dims().product(w.span().subspan(1)));
}

namespace {

constexpr ConvInputs kConvInputs{.data = 0, .weight = 1, .bias = 2};

Result<void> infer_plain_conv(Context& c) { return infer_conv(c, kConvInputs, c.input(0).dtype); }

Work work_conv(Context& c) {
  const Dim bias = c.has_input(2) ? c.elements(c.output(0).shape) : Dim(0);
  return {.macs = conv_macs(c, kConvInputs), .flops = bias};
}

constexpr Operator kConvRows[] = {
    {.name = "Conv",
     .since = 1,
     .infer = infer_plain_conv,
     .work = work_conv,
     .formula = "N*Cout*prod(out)*Cin/group*prod(kernel) MACs, padded positions included; "
                "1 FLOP per output element for the bias"},
};

}  // namespace

const std::span<const Operator> kConv = kConvRows;

}  // namespace ridge::ops
