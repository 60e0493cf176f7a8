// SPDX-License-Identifier: Apache-2.0
// Normalizations. Those that ONNX defines by a function body count its data-dependent operations;
// the others are counted by the equivalent computation.
#include "ops/nn/normalization.h"

#include <fmt/format.h>

#include "ops/math/reduce.h"
#include "ops/tables.h"

namespace ridge::ops {

Work normalized(Context& c, Dim n, Dim m, bool bias) {
  DimPool& p = c.dims();
  const Dim sums = p.mul(combining(c, n, m), Dim(2));
  const Dim each = p.mul(n, Dim(bias ? 4 : 3));
  return {.flops = p.add(p.add(sums, each), p.mul(m, Dim(3))),
          .special = p.add(n, p.mul(m, Dim(3)))};
}

Work rms_normalized(Context& c, Dim n, Dim m) {
  DimPool& p = c.dims();
  return {.flops = p.add(p.add(combining(c, n, m), p.mul(n, Dim(2))), m),
          .special = p.add(n, p.mul(m, Dim(2)))};
}

namespace {

// Requires input `i` to be a vector with one number per channel of input 0.
Result<void> require_per_channel(Context& c, std::size_t i) {
  TRY(require_rank(c, i, 1));
  const Shape &x = c.input(0).shape, &s = c.input(i).shape;
  if (!x.ranked() || !s.ranked() || x.rank < 2 || x[1].same(s[0])) return {};
  return require_same(c, x[1], s[0], fmt::format("channels of input 0 and size of input {}", i));
}

Result<void> infer_batch(Context& c) {
  TRY(require_inputs(c, 5));
  for (std::size_t i = 1; i < 5; ++i) TRY(require_per_channel(c, i));
  c.set_output(0, c.input(0));
  // Running mean and variance of training; the saved ones of opset 7 to 13 are per channel too.
  for (std::size_t i = 1; i < 5; ++i)
    if (c.wants_output(i)) c.set_output(i, c.input(3 + (i + 1) % 2));
  return {};
}

bool trains(const Context& c) {
  const auto mode = c.int_attribute("training_mode", 0);
  return mode.ok() && *mode != 0;
}

// Training first computes the batch statistics: mean and variance as in LayerNormalization's body,
// then two running averages with two multiplies and an add per channel.
Work work_batch(Context& c) {
  DimPool& p = c.dims();
  const Dim n = c.elements(c.input(0).shape);
  if (!trains(c)) return {.flops = p.mul(n, Dim(2))};
  const Dim m = c.elements(c.input(1).shape);
  const Dim sums = p.mul(combining(c, n, m), Dim(2));
  return {.flops = p.add(p.add(sums, p.mul(n, Dim(3))), p.mul(m, Dim(8))),
          .special = p.mul(m, Dim(2))};
}

Result<void> infer_instance(Context& c) {
  TRY(require_inputs(c, 3));
  for (std::size_t i = 1; i < 3; ++i) TRY(require_per_channel(c, i));
  return infer_same(c);
}

Result<void> infer_group(Context& c) {
  TRY(require_inputs(c, 3));
  const Shape& x = c.input(0).shape;
  const std::int64_t groups = TRY(c.int_attribute("num_groups", 0));
  if (groups < 1)
    return c.fail(Fault::kAttribute,
                  fmt::format("attribute 'num_groups' is {}, it must be at least 1", groups));
  if (x.ranked() && x.rank < 2)
    return c.fail(Fault::kRank,
                  fmt::format("input 0 has shape {}, it needs batch and channels", text(c, x)));
  if (x.ranked() && x[1].known() && x[1].value() % groups != 0)
    return c.fail(Fault::kDivision,
                  fmt::format("{} channels do not divide into {} groups", x[1].value(), groups));
  // Scale and bias have one element per channel from opset 21 on, and one per group before.
  for (std::size_t i = 1; i < 3; ++i) {
    TRY(require_rank(c, i, 1));
    const Shape& s = c.input(i).shape;
    if (!s.ranked() || !x.ranked()) continue;
    TRY(require_same(
        c, c.opset() < 21 ? Dim(groups) : x[1], s[0],
        fmt::format("{} and size of input {}", c.opset() < 21 ? "groups" : "channels", i)));
  }
  return infer_same(c);
}

Work work_instance(Context& c) {
  const Shape& x = c.input(0).shape;
  if (!x.ranked() || x.rank < 2) return {.flops = Dim(), .special = Dim()};
  return normalized(c, c.elements(x), c.dims().mul(x[0], x[1]), true);
}

Work work_group(Context& c) {
  const Shape& x = c.input(0).shape;
  const auto groups = c.int_attribute("num_groups", 1);
  if (!x.ranked() || !groups.ok()) return {.flops = Dim(), .special = Dim()};
  return normalized(c, c.elements(x), c.dims().mul(x[0], Dim(*groups)), true);
}

// Sizes of the axes before `axis`; all later axes are normalized together.
Result<std::span<const Dim>> outer(Context& c) {
  const Shape& x = c.input(0).shape;
  const std::size_t axis = TRY(axis_attribute(c, "axis", -1, x.span().size()));
  return x.span().first(axis);
}

Result<void> infer_layer(Context& c) {
  TRY(require_inputs(c, 2));
  c.set_output(0, c.input(0));
  const Shape& x = c.input(0).shape;
  const auto kept = x.ranked() ? TRY(outer(c)) : std::span<const Dim>();
  for (std::size_t i = 1; i < 3 && x.ranked(); ++i)
    if (c.has_input(i)) TRY(require_broadcast_to(c, c.input(i).shape, x));
  // Mean and inverse standard deviation, in the type of the computation.
  const auto stash = static_cast<DataType>(TRY(c.int_attribute("stash_type", 1)));
  for (std::size_t i = 1; i < 3; ++i) {
    if (!c.wants_output(i)) continue;
    const auto out = new_dims(c, x.span().size());
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = k < kept.size() ? kept[k] : Dim(1);
    set_tensor(c, i, stash, x.ranked() ? shape_of(out) : Shape{});
  }
  return {};
}

Work work_layer(Context& c) {
  const Shape& x = c.input(0).shape;
  const auto kept = outer(c);
  if (!x.ranked() || !kept.ok()) return {.flops = Dim(), .special = Dim()};
  const Dim m = c.dims().product(*kept);
  const Work inverse = {.special = c.wants_output(2) ? m : Dim(0)};
  return sum(c, normalized(c, c.elements(x), m, c.has_input(2)), inverse);
}

Work work_rms(Context& c) {
  const Shape& x = c.input(0).shape;
  const auto kept = outer(c);
  if (!x.ranked() || !kept.ok()) return {.flops = Dim(), .special = Dim()};
  return rms_normalized(c, c.elements(x), c.dims().product(*kept));
}

// The default axes are all but the channels.
Result<std::span<const bool>> mean_variance_axes(Context& c) {
  static constexpr std::int64_t kDefault[] = {0, 2, 3};
  const auto given = TRY(c.ints_attribute("axes"));
  const auto axes = c.has_attribute("axes") ? given : std::span<const std::int64_t>(kDefault);
  return mark_axes(c, axes, c.input(0).shape.span().size(), Repeats::kAllowed);
}

Result<void> infer_mean_variance(Context& c) {
  TRY(infer_same(c));
  if (c.input(0).shape.ranked()) TRY(mean_variance_axes(c));
  return {};
}

// The function body squares by Pow and divides by sqrt(variance) + epsilon.
Work work_mean_variance(Context& c) {
  const Shape& x = c.input(0).shape;
  const auto marks = mean_variance_axes(c);
  if (!x.ranked() || !marks.ok()) return {.flops = Dim(), .special = Dim()};
  DimPool& p = c.dims();
  Dim m(1);
  for (std::size_t i = 0; i < marks->size(); ++i)
    if (!(*marks)[i]) m = p.mul(m, x[i]);
  const Dim n = c.elements(x), sums = p.mul(combining(c, n, m), Dim(2));
  return {.flops = p.add(p.add(sums, n), p.mul(m, Dim(2))),
          .special = p.add(p.mul(n, Dim(2)), p.mul(m, Dim(4)))};
}

// y = x / (bias + alpha/size * sum of size squares)^beta; border windows count as full.
Work work_lrn(Context& c) {
  const auto size = c.int_attribute("size", 1);
  const Dim n = c.elements(c.input(0).shape);
  if (!size.ok()) return {.flops = Dim(), .special = Dim()};
  return {.flops = c.dims().mul(n, c.dims().add(Dim(*size), Dim(2))),
          .special = c.dims().mul(n, Dim(2))};
}

Result<void> infer_lp(Context& c) {
  TRY(infer_same(c));
  const Shape& x = c.input(0).shape;
  if (x.ranked()) TRY(axis_attribute(c, "axis", -1, x.span().size()));
  return {};
}

// Square or abs, sum, root if p = 2, divide.
Work work_lp(Context& c) {
  const Shape& x = c.input(0).shape;
  if (!x.ranked()) return {.flops = Dim(), .special = Dim()};
  const auto axis = axis_attribute(c, "axis", -1, x.span().size());
  const auto order = c.int_attribute("p", 2);
  if (!axis.ok() || !order.ok()) return {};
  DimPool& p = c.dims();
  Dim m(1);
  for (std::size_t i = 0; i < x.span().size(); ++i)
    if (i != *axis) m = p.mul(m, x[i]);
  const Dim n = c.elements(x);
  return {.flops = p.add(n, combining(c, n, m)), .special = *order == 2 ? p.add(n, m) : n};
}

constexpr std::string_view kNormalized =
    "N elements in M groups: 2(N-M) for two means, N square, 3M variance, N subtract, N scale, N "
    "bias; N+3M divisions and roots";

constexpr std::string_view kRms =
    "N elements in M groups: N square, N-M mean, M epsilon, N scale; N+2M divisions and roots";

constexpr Operator kNormalizationRows[] = {
    {.name = "BatchNormalization",
     .since = 1,
     .infer = infer_batch,
     .work = work_batch,
     .formula = "folded scale and shift: 2 FLOPs per element"},
    {.name = "InstanceNormalization",
     .since = 1,
     .infer = infer_instance,
     .work = work_instance,
     .formula = kNormalized},
    {.name = "GroupNormalization",
     .since = 18,
     .infer = infer_group,
     .work = work_group,
     .formula = kNormalized},
    {.name = "LayerNormalization",
     .since = 1,  // ONNX Runtime supports it at every opset
     .infer = infer_layer,
     .work = work_layer,
     .formula = kNormalized},
    {.name = "RMSNormalization",
     .since = 23,
     .infer = infer_layer,
     .work = work_rms,
     .formula = kRms},
    {.name = "SimplifiedLayerNormalization",  // an operator of ONNX Runtime in this domain
     .since = 1,
     .infer = infer_layer,
     .work = work_rms,
     .formula = kRms},
    {.domain = kMicrosoft,
     .name = "SimplifiedLayerNormalization",
     .infer = infer_layer,
     .work = work_rms,
     .formula = kRms},
    {.name = "MeanVarianceNormalization",
     .since = 9,
     .infer = infer_mean_variance,
     .work = work_mean_variance,
     .formula = "N elements in M groups: 2(N-M) for two means, N+2M; 2N+4M pow, divisions, roots"},
    {.name = "LRN",
     .since = 1,
     .infer = infer_same,
     .work = work_lrn,
     .formula = "square, size-1 adds, multiply, add: size+2 FLOPs; pow, division per element"},
    {.name = "LpNormalization",
     .since = 1,
     .infer = infer_lp,
     .work = work_lp,
     .formula = "N elements in M rows: N square or abs, N-M adds; N divisions, M roots for p = 2"},
};

}  // namespace

const std::span<const Operator> kNormalization = kNormalizationRows;

}  // namespace ridge::ops
