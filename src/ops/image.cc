// Sampling from images at computed positions.
#include <fmt/format.h>

#include "ops/rule.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// [N, C, in...] sampled at [N, out..., axes].
Result<void> infer_grid_sample(Context& c) {
  TRY(require_inputs(c, 2));
  const Shape &x = c.input(0).shape, &grid = c.input(1).shape;
  if (!x.ranked() || !grid.ranked()) {
    set_tensor(c, 0, c.input(0).dtype, Shape{});
    return {};
  }
  TRY(require_rank(c, 1, x.rank));
  if (x.rank < 3)
    return c.fail(Fault::kRank, fmt::format("input 0 has shape {}; it needs batch, channels and at "
                                            "least one spatial axis",
                                            text(c, x)));
  TRY(require_same(c, grid.span().back(), Dim(x.rank - 2), "coordinates and spatial axes"));
  const auto out = new_dims(c, x.span().size());
  out[0] = x[0];
  out[1] = x[1];
  for (std::size_t i = 2; i < out.size(); ++i) out[i] = grid[i - 1];
  set_tensor(c, 0, c.input(0).dtype, out);
  return {};
}

Work work_grid_sample(Context& c) {
  const auto mode = c.string_attribute("mode", "linear");
  const Shape& x = c.input(0).shape;
  if (!mode.ok() || !x.ranked()) return {.flops = Dim()};
  if (*mode == "nearest") return {};
  const bool cubic = *mode == "cubic" || *mode == "bicubic";
  Dim values(1);
  for (std::int32_t i = 2; i < x.rank; ++i) values = c.dims().mul(values, Dim(cubic ? 4 : 2));
  const Dim each = c.dims().sub(c.dims().mul(values, Dim(2)), Dim(1));
  return {.flops = c.dims().mul(c.elements(c.output(0).shape), each)};
}

Result<void> infer_roi_align(Context& c) {
  TRY(require_inputs(c, 3));
  TRY(require_rank(c, 0, 4));
  TRY(require_rank(c, 1, 2));
  const Shape &x = c.input(0).shape, &regions = c.input(1).shape;
  const Dim height(TRY(c.int_attribute("output_height", 1)));
  const Dim width(TRY(c.int_attribute("output_width", 1)));
  set_tensor(
      c, 0, c.input(0).dtype,
      c.shape({regions.ranked() ? regions[0] : Dim(), x.ranked() ? x[1] : Dim(), height, width}));
  return {};
}

// s*s bilinear samples per output, of 4 multiplies and 3 adds, then their mean. Where s is chosen
// by the size of each region, only the data knows.
Work work_roi_align(Context& c) {
  const auto ratio = c.int_attribute("sampling_ratio", 0);
  if (!ratio.ok() || *ratio <= 0) return {.flops = Dim(), .special = Dim()};
  DimPool& p = c.dims();
  const Dim n = c.elements(c.output(0).shape);
  const Dim samples = p.mul(Dim(*ratio), Dim(*ratio));
  return {.flops = p.mul(n, p.sub(p.mul(samples, Dim(8)), Dim(1))), .special = n};
}

constexpr Operator kRows[] = {
    {.name = "GridSample",
     .since = 16,
     .infer = infer_grid_sample,
     .work = work_grid_sample,
     .formula = "linear, cubic: v = 2 or 4 to the spatial axes, v multiplies and v-1 adds per "
                "output element"},
    {.name = "RoiAlign",
     .since = 10,
     .infer = infer_roi_align,
     .work = work_roi_align,
     .formula = "s = sampling_ratio: 8*s*s - 1 FLOPs and 1 division per output element"},
};

}  // namespace

const std::span<const Operator> kImage = kRows;

}  // namespace ridge::ops
