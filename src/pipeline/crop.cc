// SPDX-License-Identifier: Apache-2.0
#include "pipeline/crop.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridge::pipeline {
namespace {

template <typename T>
Result<Raster<T>> crop_of(const Raster<T>& image, const Crop& crop) {
  TRY(check_crop(image.size(), crop));
  Raster<T> out = TRY(make_raster<T>(crop.size, image.channels));
  Offset at;
  if (crop.anchor == Anchor::kCenter) at = centered(image.size(), crop.size, crop.rounding);
  const int first = at.x * image.channels;
  for (int y = 0; y < out.height; ++y)
    std::copy_n(image.row(at.y + y) + first, out.row_elements(), out.row(y));
  return out;
}

template <typename T>
Result<Raster<T>> pad_of(const Raster<T>& image, const Pad& pad) {
  TRY(check_pad(image.size(), pad));
  Raster<T> out = TRY(make_raster<T>(pad.size, image.channels));
  std::fill(out.data.begin(), out.data.end(), static_cast<T>(pad.value));
  Offset at;
  if (pad.anchor == Anchor::kCenter) at = centered(pad.size, image.size(), CropRounding::kDown);
  const int first = at.x * image.channels;
  for (int y = 0; y < image.height; ++y)
    std::copy_n(image.row(y), image.row_elements(), out.row(at.y + y) + first);
  return out;
}

}  // namespace

Result<void> check_crop(Size image, const Crop& crop) {
  TRY(check_size(crop.size.width, crop.size.height));
  if (crop.size.width <= image.width && crop.size.height <= image.height) return {};
  return input_error("RIDGE-PIPE-0007",
                     fmt::format("a part of {} x {} pixels in an image of {} x {}", crop.size.width,
                                 crop.size.height, image.width, image.height))
      .hint("resize to at least that size before, or pad");
}

Result<void> check_pad(Size image, const Pad& pad) {
  TRY(check_size(pad.size.width, pad.size.height));
  if (pad.size.width >= image.width && pad.size.height >= image.height) return {};
  return input_error("RIDGE-PIPE-0008",
                     fmt::format("padding to {} x {} pixels, the image has {} x {}", pad.size.width,
                                 pad.size.height, image.width, image.height))
      .hint("resize with 'inside' before, to fit the image into that size");
}

Result<Image> cropped(const Image& image, const Crop& crop) { return crop_of(image, crop); }
Result<FloatImage> cropped(const FloatImage& image, const Crop& crop) {
  return crop_of(image, crop);
}
Result<Image> padded(const Image& image, const Pad& pad) { return pad_of(image, pad); }
Result<FloatImage> padded(const FloatImage& image, const Pad& pad) { return pad_of(image, pad); }

}  // namespace ridge::pipeline
