// Pooling over windows and over all positions.
#include <fmt/format.h>

#include "ops/tables.h"
#include "ops/window.h"

namespace ridge::ops {
namespace {

Result<bool> spatial_input(Context& c, std::int32_t least_rank) {
  TRY(require_inputs(c, 1));
  const Shape& x = c.input(0).shape;
  if (!x.ranked()) {
    set_tensor(c, 0, c.input(0).dtype, Shape{});
    return false;
  }
  if (x.rank < least_rank)
    return c.fail(Fault::kRank, fmt::format("input 0 has shape {}; it needs batch, channels and at "
                                            "least one spatial axis",
                                            text(c, x)));
  return true;
}

Result<void> infer(Context& c) {
  if (!TRY(spatial_input(c, 3))) return {};
  const Shape& x = c.input(0).shape;
  const auto spatial = static_cast<std::size_t>(x.rank - 2);
  const Window window = TRY(read_window(c, {}, spatial));
  const auto out = new_dims(c, spatial + 2);
  out[0] = x[0];
  out[1] = x[1];
  for (std::size_t i = 0; i < spatial; ++i) out[i + 2] = TRY(positions(c, window, x[i + 2], i));
  set_tensor(c, 0, c.input(0).dtype, out);
  if (c.wants_output(1)) set_tensor(c, 1, DataType::kInt64, out);  // MaxPool's indices
  return {};
}

Result<void> infer_global(Context& c) {
  if (!TRY(spatial_input(c, 2))) return {};
  const Shape& x = c.input(0).shape;
  const auto out = new_dims(c, x.span().size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = i < 2 ? x[i] : Dim(1);
  set_tensor(c, 0, c.input(0).dtype, out);
  return {};
}

Dim window_size(Context& c) {
  const auto kernel = c.ints_attribute("kernel_shape");
  Dim size(1);
  if (kernel.ok())
    for (const std::int64_t k : *kernel) size = c.dims().mul(size, Dim(k));
  return size;
}

Dim outputs(Context& c) { return c.elements(c.output(0).shape); }

// Combining k values takes k - 1 operations.
Dim combined(Context& c) { return c.dims().mul(outputs(c), c.dims().sub(window_size(c), Dim(1))); }
Dim combined_globally(Context& c) { return c.dims().sub(c.elements(c.input(0).shape), outputs(c)); }

Work work_max(Context& c) { return elementwise(c, combined(c), {.flops = 1}, c.input(0).dtype); }
Work work_average(Context& c) { return {.flops = combined(c), .special = outputs(c)}; }
Work work_global_max(Context& c) { return {.flops = combined_globally(c)}; }
Work work_global_average(Context& c) {
  return {.flops = combined_globally(c), .special = outputs(c)};
}

// The p-th root of the sum of |x|^p: abs and pow per value, one more pow per output.
Work lp(Context& c, Dim values, Dim sums) {
  return {.flops = c.dims().add(values, sums), .special = c.dims().add(values, outputs(c))};
}
Work work_lp(Context& c) { return lp(c, c.dims().mul(outputs(c), window_size(c)), combined(c)); }
Work work_global_lp(Context& c) {
  return lp(c, c.elements(c.input(0).shape), combined_globally(c));
}

constexpr Operator kRows[] = {
    {.name = "MaxPool",
     .since = 1,
     .infer = infer,
     .work = work_max,
     .formula = "(prod(kernel) - 1) compares per output element, padded positions included"},
    {.name = "AveragePool",
     .since = 1,
     .infer = infer,
     .work = work_average,
     .formula = "(prod(kernel) - 1) adds and 1 division per output element"},
    {.name = "LpPool",
     .since = 2,
     .infer = infer,
     .work = work_lp,
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
     .since = 2,
     .infer = infer_global,
     .work = work_global_lp,
     .formula = "abs, pow per input, inputs - outputs adds, 1 pow per output element"},
};

}  // namespace

const std::span<const Operator> kPool = kRows;

}  // namespace ridge::ops
