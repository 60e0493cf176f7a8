// SPDX-License-Identifier: Apache-2.0
// Transposed convolution.
#include <fmt/format.h>

#include "ops/nn/window.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// Output size without an explicit output_shape (ONNX ConvTranspose): stride * (in - 1) +
// output_padding + (kernel - 1) * dilation + 1 - pads.
Result<Dim> size_out(Context& c, const Window& w, Dim in, std::int64_t extra, std::size_t axis) {
  DimPool& p = c.dims();
  const Dim stride(w.stride(axis));
  if (w.auto_pad == AutoPad::kSameUpper || w.auto_pad == AutoPad::kSameLower)
    return p.mul(in, stride);
  // Example: 4 inputs, stride 2, kernel 3, pads 1 and 1, output_padding 1: (4 - 1) * 2 + 2 + 1 + 1
  // - 2 = 8.
  const Dim reach = p.mul(p.sub(w.kernel[axis], Dim(1)), Dim(w.dilation(axis)));
  const Dim whole = p.add(p.mul(p.sub(in, Dim(1)), stride), p.add(reach, Dim(extra + 1)));
  const Dim out = p.sub(whole, Dim(w.pad_begin(axis) + w.pad_end(axis)));
  if (out.known() && out.value() < 1)
    return c.fail(Fault::kWindow,
                  fmt::format("the pads {} and {} crop all of the {} outputs on spatial axis {}",
                              w.pad_begin(axis), w.pad_end(axis), p.text(whole), axis));
  return out;
}

// The operator of com.microsoft takes the padding as input 2 and the bias as input 3.
bool dynamic_pads(const Context& c) { return !c.node().domain.empty(); }
std::size_t bias_at(const Context& c) { return dynamic_pads(c) ? 3 : 2; }

Result<void> check_transposed_channels(Context& c, const Shape& x, const Shape& w,
                                       std::int64_t group) {
  TRY(require_same(c, x[1], w[0], "channels of the input and of the weight"));
  if (w[0].known() && w[0].value() % group != 0)
    return c.fail(Fault::kDivision, fmt::format("{} input channels do not divide into {} groups",
                                                w[0].value(), group));
  const Shape& b = c.input(bias_at(c)).shape;
  if (c.has_input(bias_at(c)) && b.ranked() && b.rank == 1)
    TRY(require_same(c, b[0], c.dims().mul(w[1], Dim(group)),
                     "size of the bias and output "
                     "channels"));
  return {};
}

Result<std::span<const std::int64_t>> spatial_list(Context& c, std::string_view name,
                                                   std::size_t spatial) {
  const auto list = TRY(c.ints_attribute(name));
  if (list.empty() || list.size() == spatial) {
    for (const std::int64_t x : list)
      if (x < 0 || x > INT32_MAX)
        return c.fail(
            Fault::kWindow,
            fmt::format("attribute '{}' contains {}, it must be in [0, {}]", name, x, INT32_MAX));
    return list;
  }
  return c.fail(Fault::kWindow,
                fmt::format("attribute '{}' has {} elements, the input's shape requires {}", name,
                            list.size(), spatial));
}

Result<void> infer_conv_transpose(Context& c) {
  TRY(require_inputs(c, 2));
  const Shape &x = c.input(0).shape, &w = c.input(1).shape;
  const std::int64_t group = TRY(c.int_attribute("group", 1));
  if (group < 1)
    return c.fail(Fault::kAttribute,
                  fmt::format("attribute 'group' is {}, it must be at least 1", group));
  if (!x.ranked() || !w.ranked()) {
    set_tensor(c, 0, c.input(0).dtype, Shape{});
    return {};
  }
  if (x.rank < 3)
    return c.fail(Fault::kRank, fmt::format("input 0 has shape {}; it needs batch, channels and at "
                                            "least one spatial axis",
                                            text(c, x)));
  TRY(require_rank(c, 1, x.rank));
  TRY(check_transposed_channels(c, x, w, group));
  const auto spatial = static_cast<std::size_t>(x.rank - 2);
  Window window = TRY(read_window(c, w.span().subspan(2), spatial));
  const auto extra = TRY(spatial_list(c, "output_padding", spatial));
  const auto given = TRY(spatial_list(c, "output_shape", spatial));
  const auto out = new_dims(c, spatial + 2);
  out[0] = x[0];
  out[1] = c.dims().mul(w[1], Dim(group));
  if (dynamic_pads(c) && c.has_input(2)) {
    const auto pads = known_integers(c, 2);
    if (!pads) return set_tensor(c, 0, c.input(0).dtype, out), Result<void>();
    if (pads->size() != 2 * spatial)
      return c.fail(Fault::kWindow, fmt::format("{} amounts of padding for {} axes, it needs {}",
                                                pads->size(), spatial, 2 * spatial));
    for (const std::int64_t pad : *pads)
      if (pad < 0 || pad > INT32_MAX)
        return c.fail(Fault::kWindow, fmt::format("an amount of padding is {}", pad));
    window.pads = *pads;
  }
  for (std::size_t i = 0; i < spatial; ++i)
    out[i + 2] = !given.empty()
                     ? Dim(given[i])
                     : TRY(size_out(c, window, x[i + 2], extra.empty() ? 0 : extra[i], i));
  set_tensor(c, 0, c.input(0).dtype, out);
  return {};
}

Work work_conv_transpose(Context& c) {
  const Shape& w = c.input(1).shape;
  if (w.rank < 3) return {.macs = Dim(), .flops = Dim()};
  const Dim macs =
      c.dims().mul(c.elements(c.input(0).shape), c.dims().product(w.span().subspan(1)));
  return {.macs = macs, .flops = c.has_input(bias_at(c)) ? c.elements(c.output(0).shape) : Dim(0)};
}

constexpr std::string_view kConvTransposeFormula =
    "N*Cin*prod(in)*Cout/group*prod(kernel) MACs, cropped outputs included; 1 FLOP per output "
    "element for the bias";

constexpr Operator kConvTransposeRows[] = {
    {.name = "ConvTranspose",
     .since = 1,
     .infer = infer_conv_transpose,
     .work = work_conv_transpose,
     .formula = kConvTransposeFormula},
    row(kMicrosoft, "ConvTransposeWithDynamicPads", infer_conv_transpose, work_conv_transpose,
        kConvTransposeFormula),
};

}  // namespace

const std::span<const Operator> kConvTranspose = kConvTransposeRows;

}  // namespace ridge::ops
