// SPDX-License-Identifier: Apache-2.0
// Pooling over windows and over all positions.
#include "ops/nn/pool.h"

#include <fmt/format.h>

#include "ops/nn/window.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// Axis of the channels, and first axis of the positions.
struct Axis {
  std::size_t channels, positions;
};
Axis axes_in(Layout layout, std::size_t rank) {
  return layout == Layout::kChannelsFirst ? Axis{1, 2} : Axis{rank - 1, 1};
}

Result<bool> spatial_input(Context& c, std::int32_t min_rank) {
  TRY(require_inputs(c, 1));
  const Shape& x = c.input(0).shape;
  if (!x.ranked()) {
    set_tensor(c, 0, c.input(0).dtype, Shape{});
    return false;
  }
  if (x.rank < min_rank)
    return c.fail(Fault::kRank, fmt::format("input 0 has shape {}; it needs batch, channels and at "
                                            "least one spatial axis",
                                            text(c, x)));
  return true;
}

Dim window_size(Context& c) {
  const auto kernel = c.ints_attribute("kernel_shape");
  Dim size(1);
  if (kernel.ok())
    for (const std::int64_t k : *kernel) size = c.dims().mul(size, Dim(k));
  return size;
}

Dim outputs(Context& c) { return c.elements(c.output(0).shape); }

}  // namespace

Result<void> infer_pool(Context& c, Layout layout) {
  if (!TRY(spatial_input(c, 3))) return {};
  const Shape& x = c.input(0).shape;
  const auto spatial = static_cast<std::size_t>(x.rank - 2);
  const Axis at = axes_in(layout, x.span().size());
  const Window window = TRY(read_window(c, {}, spatial));
  const auto out = new_dims(c, spatial + 2);
  out[0] = x[0];
  out[at.channels] = x[at.channels];
  for (std::size_t i = 0; i < spatial; ++i)
    out[i + at.positions] = TRY(positions(c, window, x[i + at.positions], i));
  set_tensor(c, 0, c.input(0).dtype, out);
  if (c.wants_output(1)) set_tensor(c, 1, DataType::kInt64, out);  // indices of MaxPool
  return {};
}

Result<void> infer_global_pool(Context& c, Layout layout) {
  if (!TRY(spatial_input(c, 2))) return {};
  const Shape& x = c.input(0).shape;
  const Axis at = axes_in(layout, x.span().size());
  const auto out = new_dims(c, x.span().size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = i == 0 || i == at.channels ? x[i] : Dim(1);
  set_tensor(c, 0, c.input(0).dtype, out);
  return {};
}

Dim pooled(Context& c) { return c.dims().mul(outputs(c), c.dims().sub(window_size(c), Dim(1))); }
Dim pooled_globally(Context& c) { return c.dims().sub(c.elements(c.input(0).shape), outputs(c)); }

namespace {

Result<void> infer_first(Context& c) { return infer_pool(c, Layout::kChannelsFirst); }
Result<void> infer_last(Context& c) { return infer_pool(c, Layout::kChannelsLast); }
Result<void> infer_global(Context& c) { return infer_global_pool(c, Layout::kChannelsFirst); }

Dim combined(Context& c) { return pooled(c); }
Dim combined_globally(Context& c) { return pooled_globally(c); }

Work work_max(Context& c) { return elementwise(c, combined(c), {.flops = 1}, c.input(0).dtype); }
Work work_average(Context& c) { return {.flops = combined(c), .special = outputs(c)}; }
Work work_global_max(Context& c) { return {.flops = combined_globally(c)}; }
Work work_global_average(Context& c) {
  return {.flops = combined_globally(c), .special = outputs(c)};
}

// p-th root of the sum of |x|^p: abs and pow per value, and one more pow per output.
Work lp(Context& c, Dim values, Dim sums) {
  return {.flops = c.dims().add(values, sums), .special = c.dims().add(values, outputs(c))};
}
Work work_lp_pool(Context& c) {
  return lp(c, c.dims().mul(outputs(c), window_size(c)), combined(c));
}
Work work_global_lp(Context& c) {
  return lp(c, c.elements(c.input(0).shape), combined_globally(c));
}

// Inverse of a MaxPool with this window: values return to their original positions. Size: (size -
// 1)*stride + kernel - pads, unless input 2 specifies it.
Result<void> infer_unpool(Context& c) {
  TRY(require_inputs(c, 2));
  if (!TRY(spatial_input(c, 3))) return {};
  const Shape& x = c.input(0).shape;
  const auto spatial = static_cast<std::size_t>(x.rank - 2);
  const Window w = TRY(read_window(c, {}, spatial));
  const auto out = new_dims(c, spatial + 2);
  const Value* given = integral_value(c, 2);
  if (given != nullptr && given->ints.size() != out.size())
    return c.fail(Fault::kValue, fmt::format("the output's shape has {} sizes, it must have {}",
                                             given->ints.size(), out.size()));
  DimPool& p = c.dims();
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (c.has_input(2))
      out[i] = given != nullptr ? given->ints[i] : Dim();
    else if (i < 2)
      out[i] = x[i];
    else
      out[i] = p.sub(p.add(p.mul(p.sub(x[i], Dim(1)), Dim(w.stride(i - 2))), w.kernel[i - 2]),
                     Dim(w.pad_begin(i - 2) + w.pad_end(i - 2)));
    if (out[i].known() && out[i].value() < 0)
      return c.fail(Fault::kWindow, fmt::format("axis {} of the output is {}", i, out[i].value()));
  }
  set_tensor(c, 0, c.input(0).dtype, out);
  return {};
}

constexpr Operator kPoolRows[] = {
    {.name = "MaxUnpool", .since = 9, .infer = infer_unpool, .formula = kMoves},
    {.domain = kMicrosoft,
     .name = "NhwcMaxPool",
     .infer = infer_last,
     .work = work_max,
     .formula = "(prod(kernel) - 1) compares per output element, padded positions included"},
    {.domain = kMicrosoft,
     .name = "MaxpoolWithMask",
     .infer = infer_first,
     .work = work_max,
     .formula = "(prod(kernel) - 1) compares per output element, padded positions included"},
    {.name = "MaxPool",
     .since = 1,
     .infer = infer_first,
     .work = work_max,
     .formula = "(prod(kernel) - 1) compares per output element, padded positions included"},
    {.name = "AveragePool",
     .since = 1,
     .infer = infer_first,
     .work = work_average,
     .formula = "(prod(kernel) - 1) adds and 1 division per output element"},
    {.name = "LpPool",
     .since = 1,
     .infer = infer_first,
     .work = work_lp_pool,
     .formula = "abs, pow per value of a window, prod(kernel) - 1 adds, 1 pow per output element"},
    {.name = "GlobalMaxPool",
     .since = 1,
     .infer = infer_global,
     .work = work_global_max,
     .formula = "inputs - outputs compares"},
    {.name = "GlobalAveragePool",
     .since = 1,
     .infer = infer_global,
     .work = work_global_average,
     .formula = "inputs - outputs adds, 1 division per output element"},
    {.name = "GlobalLpPool",
     .since = 1,
     .infer = infer_global,
     .work = work_global_lp,
     .formula = "abs, pow per input, inputs - outputs adds, 1 pow per output element"},
};

}  // namespace

const std::span<const Operator> kPool = kPoolRows;

}  // namespace ridge::ops
