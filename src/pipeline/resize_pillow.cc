// SPDX-License-Identifier: Apache-2.0
#include "pipeline/resize_pillow.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "pipeline/pillow_sums.h"
#include "pipeline/pillow_taps.h"

namespace ridge::pipeline {
namespace {

void resize_pillow_rows(const Image& image, const PillowTaps& taps, Image& out) {
  const std::uint8_t* end = image.data.data() + image.data.size();
  for (int y = 0; y < image.height; ++y)
    sum_pixels(image.row(y), end, taps, image.channels, out.row(y));
}

void resize_pillow_columns(const Image& image, const PillowTaps& taps, Image& out) {
  for (int y = 0; y < out.height; ++y)
    sum_rows(image.data.data(), image.row_elements(), taps, static_cast<std::size_t>(y),
             out.row(y));
}

/// Inputs of the outputs along one axis. The position is a running sum, as in Pillow: its rounding
/// decides ties.
std::vector<int> nearest_inputs(int inputs, int outputs) {
  const double scale = static_cast<double>(inputs) / outputs;
  std::vector<int> from;
  double position = scale * 0.5;
  for (int x = 0; x < outputs; ++x, position += scale)
    from.push_back(std::min(static_cast<int>(position), inputs - 1));
  return from;
}

void resize_pillow_nearest(const Image& image, Image& out) {
  const std::vector<int> columns = nearest_inputs(image.width, out.width);
  const std::vector<int> rows = nearest_inputs(image.height, out.height);
  const auto channels = static_cast<std::size_t>(image.channels);
  for (int y = 0; y < out.height; ++y) {
    const std::uint8_t* row = image.row(rows[static_cast<std::size_t>(y)]);
    std::uint8_t* to = out.row(y);
    for (const int x : columns) {
      std::memcpy(to, row + static_cast<std::size_t>(x) * channels, channels);
      to += channels;
    }
  }
}

bool columns_first(Size from, Size to, PillowRelease release) {
  const int less_height = from.height - to.height, less_width = from.width - to.width;
  if (release == PillowRelease::kSince13) return less_height > 0 && less_height > less_width * 2;
  return less_height > 0 && from.height > std::int64_t{from.width} * 100;
}

Result<Image> resized_rows(const Image& image, int width, PillowFilter filter) {
  if (width == image.width) return image;
  Image out = TRY(make_raster<std::uint8_t>({width, image.height}, image.channels));
  resize_pillow_rows(image, pillow_taps(image.width, width, filter), out);
  return out;
}

Result<Image> resized_columns(const Image& image, int height, PillowFilter filter) {
  if (height == image.height) return image;
  Image out = TRY(make_raster<std::uint8_t>({image.width, height}, image.channels));
  resize_pillow_columns(image, pillow_taps(image.height, height, filter), out);
  return out;
}

}  // namespace

Result<Image> resize_pillow(const Image& image, Size target, PillowFilter filter,
                            PillowRelease release) {
  TRY(check_size(target.width, target.height));
  if (filter == PillowFilter::kNearest) {
    Image out = TRY(make_raster<std::uint8_t>(target, image.channels));
    resize_pillow_nearest(image, out);
    return out;
  }
  if (columns_first(image.size(), target, release))
    return resized_rows(TRY(resized_columns(image, target.height, filter)), target.width, filter);
  return resized_columns(TRY(resized_rows(image, target.width, filter)), target.height, filter);
}

}  // namespace ridge::pipeline
