// SPDX-License-Identifier: Apache-2.0
// Sampling from images at computed positions, and folding columns back into images.
#include "ops/nn/image.h"

#include <fmt/format.h>

#include "ops/nn/image_header.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// Samples [N, C, in...] at positions [N, out..., axes].
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
  if (x.rank < 2) return {.flops = Dim()};
  const bool cubic = *mode == "cubic" || *mode == "bicubic";
  const Dim each = sample_flops(c, x.span().size() - 2, cubic ? 4 : 2);
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

// Each output is the mean of s*s bilinear samples of 4 multiplies and 3 adds. If s is adaptive, it
// depends on the size of each region, and so on the data.
Work work_roi_align(Context& c) {
  const auto ratio = c.int_attribute("sampling_ratio", 0);
  if (!ratio.ok() || *ratio <= 0) return {.flops = Dim(), .special = Dim()};
  DimPool& p = c.dims();
  const Dim n = c.elements(c.output(0).shape);
  // Samples of 7 FLOPs and the adds between them: 7 s^2 + s^2 - 1. For s = 2 that is 28 + 3 = 31.
  const Dim samples = p.mul(Dim(*ratio), Dim(*ratio));
  return {.flops = p.mul(n, p.sub(p.mul(samples, Dim(8)), Dim(1))), .special = n};
}

// Inputs: affine matrices [N, 2, 3] or [N, 3, 4], and the size [N, C, (D,) H, W] of an image.
Result<void> infer_affine_grid(Context& c) {
  TRY(require_inputs(c, 2));
  TRY(require_rank(c, 0, 3));
  const Shape &theta = c.input(0).shape, &length = c.input(1).shape;
  const Value* size = integral_value(c, 1);
  std::size_t rank = 0;
  if (size != nullptr)
    rank = size->ints.size();
  else if (length.rank == 1 && length[0].known() && length[0].value() <= 5)
    rank = static_cast<std::size_t>(length[0].value());
  if (rank == 0 && size == nullptr) {
    set_tensor(c, 0, c.input(0).dtype, Shape{});
    return {};
  }
  if (rank != 4 && rank != 5)
    return c.fail(Fault::kValue,
                  fmt::format("the size has {} elements, it must have 4 or 5", rank));
  const auto out = new_dims(c, rank);
  out[0] = size != nullptr ? size->ints[0] : theta.ranked() ? theta[0] : Dim();
  for (std::size_t i = 2; i < rank && size != nullptr; ++i) out[i - 1] = size->ints[i];
  out.back() = Dim(static_cast<std::int64_t>(rank) - 2);
  set_tensor(c, 0, c.input(0).dtype, out);
  return {};
}

// The function body multiplies a [3, 4] matrix (extended from [2, 3] for images) with every
// position of the grid; extending adds a 1 to a row of zeros per matrix.
Work work_affine_grid(Context& c) {
  const Shape& y = c.output(0).shape;
  if (y.rank != 4 && y.rank != 5) return {.macs = Dim(), .flops = Dim()};
  const Dim positions = c.dims().product(y.span().first(y.span().size() - 1));
  return {.macs = c.dims().mul(positions, Dim(12)), .flops = y.rank == 4 ? y[0] : Dim(0)};
}

// Shape rule: [N, C*prod(block), columns] -> [N, C, image...].
Result<void> infer_col2im(Context& c) {
  TRY(require_inputs(c, 3));
  TRY(require_rank(c, 0, 3));
  const Shape& x = c.input(0).shape;
  const Value *image = integral_value(c, 1), *block = integral_value(c, 2);
  std::optional<std::size_t> spatial;
  for (std::size_t i = 1; i < 3; ++i) {
    const Shape& length = c.input(i).shape;
    if (const Value* v = integral_value(c, i); v != nullptr)
      spatial = v->ints.size();
    else if (length.rank == 1 && length[0].known() && length[0].value() <= kMaxFolded)
      spatial = static_cast<std::size_t>(length[0].value());
  }
  if (!spatial) {
    set_tensor(c, 0, c.input(0).dtype, Shape{});
    return {};
  }
  const auto out = new_dims(c, *spatial + 2);
  if (x.ranked()) out[0] = x[0];
  if (x.ranked() && block != nullptr) {
    // Example: 27 rows in blocks of 3 x 3 are 27 / 9 = 3 channels.
    const Dim size = c.dims().product(block->ints);
    if (size.is(0) || (x[1].known() && size.known() && x[1].value() % size.value() != 0))
      return c.fail(Fault::kDivision,
                    fmt::format("{} rows do not divide into blocks of {} elements",
                                c.dims().text(x[1]), c.dims().text(size)));
    out[1] = c.dims().floor_div(x[1], size);
  }
  for (std::size_t i = 0; image != nullptr && i < image->ints.size() && i < *spatial; ++i)
    out[i + 2] = image->ints[i];
  set_tensor(c, 0, c.input(0).dtype, out);
  return {};
}

Result<void> infer_max_roi_pool(Context& c) {
  TRY(require_inputs(c, 2));
  TRY(require_rank(c, 0, 4));
  TRY(require_rank(c, 1, 2));
  const Shape &x = c.input(0).shape, &regions = c.input(1).shape;
  const auto pooled = TRY(c.ints_attribute("pooled_shape"));
  if (pooled.size() != 2)
    return c.fail(Fault::kAttribute, fmt::format("attribute 'pooled_shape' has {} elements, it "
                                                 "must have 2",
                                                 pooled.size()));
  set_tensor(c, 0, c.input(0).dtype,
             c.shape({regions.ranked() ? regions[0] : Dim(), x.ranked() ? x[1] : Dim(),
                      Dim(pooled[0]), Dim(pooled[1])}));
  return {};
}

// The sizes of the regions depend on the data.
Work work_max_roi_pool(Context&) { return {.flops = Dim()}; }

Result<void> infer_image_decoder(Context& c) {
  TRY(require_inputs(c, 1));
  TRY(require_rank(c, 0, 1));
  const std::string_view format = TRY(c.string_attribute("pixel_format", "RGB"));
  if (format != "RGB" && format != "BGR" && format != "Grayscale")
    return c.fail(Fault::kAttribute, fmt::format("attribute 'pixel_format' is \"{}\"; it must be "
                                                 "RGB, BGR or Grayscale",
                                                 format));
  const Dim channels(format == "Grayscale" ? 1 : 3);
  const Value* file = integral_value(c, 0);
  const ImageSize size = file == nullptr ? ImageSize{} : image_size(file->ints);
  set_tensor(c, 0, DataType::kUint8, c.shape({size.height, size.width, channels}));
  return {};
}

constexpr std::string_view kSample =
    "linear, cubic: v = 2 or 4 to the spatial axes, v multiplies and v-1 adds per "
    "output element";

constexpr Operator kImageRows[] = {
    {.name = "AffineGrid",
     .since = 20,
     .infer = infer_affine_grid,
     .work = work_affine_grid,
     .formula = "N*positions*12 MACs: a matrix of 3 x 4, also for images, per position"},
    {.name = "Col2Im",
     .since = 18,
     .infer = infer_col2im,
     .work = per_input<Cost{.flops = 1}>,
     .formula = "1 add per input element"},
    {.name = "MaxRoiPool",
     .since = 1,
     .infer = infer_max_roi_pool,
     .work = work_max_roi_pool,
     .formula = "the data decides how large the regions are: not known"},
    {.name = "ImageDecoder",
     .since = 20,
     .infer = infer_image_decoder,
     .formula = "decodes bytes: no arithmetic of the definition"},
    {.name = "GridSample",
     .since = 16,
     .infer = infer_grid_sample,
     .work = work_grid_sample,
     .formula = kSample},
    row(kMicrosoft, "GridSample", infer_grid_sample, work_grid_sample, kSample),
    {.name = "RoiAlign",
     .since = 10,
     .infer = infer_roi_align,
     .work = work_roi_align,
     .formula = "s = sampling_ratio: 8*s*s - 1 FLOPs and 1 division per output element"},
};

}  // namespace

const std::span<const Operator> kImage = kImageRows;

}  // namespace ridge::ops
