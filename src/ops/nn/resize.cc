// SPDX-License-Identifier: Apache-2.0
// Resampling on a grid: Resize and its predecessor Upsample.
#include <fmt/format.h>

#include <cmath>

#include "ops/rule.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// Positions of the scales and sizes inputs: Upsample, and Resize of opset 10, have no region input.
struct ResizeInputs {
  std::size_t scales, sizes;
};

constexpr std::size_t kNowhere = 1000;

ResizeInputs inputs_of(const Context& c) {
  const bool has_region = c.node().op_type == "Resize" && c.opset() >= 11;
  return has_region ? ResizeInputs{2, 3} : ResizeInputs{1, kNowhere};
}

// Scales from the attributes (Upsample 1 and 7) or from a constant input; empty if unknown.
std::span<const double> scale_factors(Context& c, ResizeInputs at) {
  if (c.opset() < 7) {  // images only
    const auto height = c.float_attribute("height_scale", 0);
    const auto width = c.float_attribute("width_scale", 0);
    const auto out = c.arena().array<double>(4);
    out[0] = out[1] = 1, out[2] = height.ok() ? *height : 0, out[3] = width.ok() ? *width : 0;
    return out;
  }
  if (const onnx::Attribute* a = graph::attribute(c.node(), "scales"); a != nullptr) {
    const auto out = c.arena().array<double>(a->floats.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<double>(a->floats[i]);
    return out;
  }
  const Value* v = floating_value(c, at.scales);
  return v == nullptr ? std::span<const double>() : v->reals;
}

std::span<const Dim> resized_sizes(Context& c, ResizeInputs at) {
  const Value* v = integral_value(c, at.sizes);
  return v == nullptr ? std::span<const Dim>() : v->ints;
}

// ONNX computes floor(size * factor) in single precision.
Result<Dim> scaled(Context& c, Dim size, double factor) {
  if (!(factor > 0) || factor > 1e9)
    return c.fail(Fault::kValue, fmt::format("the scale {} is not in (0, 1e9]", factor));
  if (!size.known()) return factor == 1 ? size : Dim();
  const double out = std::floor(
      static_cast<double>(static_cast<float>(size.value()) * static_cast<float>(factor)));
  return out < 9e18 ? Dim(static_cast<std::int64_t>(out)) : Dim();
}

// keep_aspect_ratio_policy: all axes use the smallest or the largest factor implied by the sizes.
Result<void> keep_ratio(Context& c, std::string_view policy, std::span<const std::size_t> axes,
                        std::span<Dim> out) {
  const Shape& x = c.input(0).shape;
  double factor = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Dim from = x[axes[i]], to = out[axes[i]];
    if (!from.known() || !to.known() || from.is(0)) {
      for (const std::size_t axis : axes) out[axis] = Dim();
      return {};
    }
    const double f = static_cast<double>(to.value()) / static_cast<double>(from.value());
    const bool better = policy == "not_larger" ? f < factor : f > factor;
    if (i == 0 || better) factor = f;
  }
  for (const std::size_t axis : axes)
    out[axis] = Dim(std::llround(factor * static_cast<double>(x[axis].value())));
  return {};
}

Result<std::span<const std::size_t>> resized_axes(Context& c, std::size_t rank) {
  const auto given = TRY(c.ints_attribute("axes"));
  const auto out = c.arena().array<std::size_t>(c.has_attribute("axes") ? given.size() : rank);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = c.has_attribute("axes") ? TRY(axis_of(c, given[i], rank)) : i;
  return std::span<const std::size_t>(out);
}

Result<void> infer_resize(Context& c) {
  TRY(require_inputs(c, 1));
  const Type& x = c.input(0);
  if (!x.shape.ranked()) {
    set_tensor(c, 0, x.dtype, Shape{});
    return {};
  }
  const ResizeInputs at = inputs_of(c);
  const auto axes = TRY(resized_axes(c, x.shape.span().size()));
  const auto by = scale_factors(c, at);
  const auto to = resized_sizes(c, at);
  const auto out = c.arena().copy(x.shape.span());
  const std::size_t given = to.empty() ? by.size() : to.size();
  if (given != 0 && given != axes.size())
    return c.fail(Fault::kValue, fmt::format("{} scales or sizes for {} axes", given, axes.size()));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (!to.empty())
      out[axes[i]] = to[i];
    else
      out[axes[i]] = by.empty() ? Dim() : TRY(scaled(c, x.shape[axes[i]], by[i]));
  }
  const std::string_view policy = TRY(c.string_attribute("keep_aspect_ratio_policy", "stretch"));
  if (!to.empty() && policy != "stretch") TRY(keep_ratio(c, policy, axes, out));
  set_tensor(c, 0, x.dtype, out);
  return {};
}

// Interpolation between k points per resized axis multiplies k^axes values and sums them.
Work work_resize(Context& c) {
  const auto mode = c.string_attribute("mode", "nearest");
  const Shape &x = c.input(0).shape, &y = c.output(0).shape;
  const Dim n = c.elements(y);
  if (!mode.ok() || *mode == "nearest") return {};
  if (!x.ranked() || !y.ranked() || x.rank != y.rank) return {.flops = Dim()};
  const Dim points(*mode == "cubic" ? 4 : 2);
  Dim values(1);
  for (std::size_t i = 0; i < x.span().size(); ++i) {
    if (x[i].unknown() || y[i].unknown()) return {.flops = Dim()};
    if (!x[i].same(y[i])) values = c.dims().mul(values, points);
  }
  if (values.is(1)) return {};
  const Dim each = c.dims().sub(c.dims().mul(values, Dim(2)), Dim(1));
  return elementwise(c, c.dims().mul(n, each), {.flops = 1}, c.input(0).dtype);
}

constexpr std::string_view kResizeFormula =
    "nearest: none; linear, cubic: v = 2 or 4 to the resized axes, v multiplies and v-1 adds per "
    "output element";

constexpr Operator kResizeRows[] = {
    {.name = "Resize",
     .since = 10,
     .infer = infer_resize,
     .work = work_resize,
     .formula = kResizeFormula},
    {.name = "Upsample",
     .since = 1,
     .infer = infer_resize,
     .work = work_resize,
     .formula = kResizeFormula},
};

}  // namespace

const std::span<const Operator> kResize = kResizeRows;

}  // namespace ridge::ops
