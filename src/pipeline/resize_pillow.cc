#include "pipeline/resize_pillow.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "pipeline/pillow_taps.h"

namespace ridge::pipeline {
namespace {

constexpr std::int32_t kHalf = 1 << (kPillowBits - 1);

std::uint8_t clipped(std::int32_t sum) {
  return static_cast<std::uint8_t>(std::clamp(sum >> kPillowBits, 0, 255));
}

template <int kChannels>
void resize_row(const std::uint8_t* from, const PillowTaps& taps, std::uint8_t* to) {
  for (std::size_t x = 0; x < taps.first.size(); ++x, to += kChannels) {
    const std::uint8_t* pixel = from + static_cast<std::ptrdiff_t>(taps.first[x]) * kChannels;
    std::int32_t sums[kChannels];
    std::fill_n(sums, kChannels, kHalf);
    for (const std::int32_t weight : taps.weights(x)) {
      for (int c = 0; c < kChannels; ++c) sums[c] += pixel[c] * weight;
      pixel += kChannels;
    }
    for (int c = 0; c < kChannels; ++c) to[c] = clipped(sums[c]);
  }
}

void resize_rows(const Image& image, const PillowTaps& taps, Image& out) {
  for (int y = 0; y < image.height; ++y) {
    switch (image.channels) {
      case 1:
        resize_row<1>(image.row(y), taps, out.row(y));
        break;
      case 2:
        resize_row<2>(image.row(y), taps, out.row(y));
        break;
      case 3:
        resize_row<3>(image.row(y), taps, out.row(y));
        break;
      default:
        resize_row<4>(image.row(y), taps, out.row(y));
    }
  }
}

void resize_columns(const Image& image, const PillowTaps& taps, Image& out) {
  const std::size_t elements = image.row_elements();
  std::vector<std::int32_t> sums(elements);
  for (int y = 0; y < out.height; ++y) {
    std::fill(sums.begin(), sums.end(), kHalf);
    const auto output = static_cast<std::size_t>(y);
    int from = taps.first[output];
    for (const std::int32_t weight : taps.weights(output)) {
      const std::uint8_t* row = image.row(from++);
      for (std::size_t i = 0; i < elements; ++i) sums[i] += row[i] * weight;
    }
    std::uint8_t* to = out.row(y);
    for (std::size_t i = 0; i < elements; ++i) to[i] = clipped(sums[i]);
  }
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

void resize_nearest(const Image& image, Image& out) {
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
  resize_rows(image, pillow_taps(image.width, width, filter), out);
  return out;
}

Result<Image> resized_columns(const Image& image, int height, PillowFilter filter) {
  if (height == image.height) return image;
  Image out = TRY(make_raster<std::uint8_t>({image.width, height}, image.channels));
  resize_columns(image, pillow_taps(image.height, height, filter), out);
  return out;
}

}  // namespace

Result<Image> resize_pillow(const Image& image, Size target, PillowFilter filter,
                            PillowRelease release) {
  TRY(check_size(target.width, target.height));
  if (filter == PillowFilter::kNearest) {
    Image out = TRY(make_raster<std::uint8_t>(target, image.channels));
    resize_nearest(image, out);
    return out;
  }
  if (columns_first(image.size(), target, release))
    return resized_rows(TRY(resized_columns(image, target.height, filter)), target.width, filter);
  return resized_columns(TRY(resized_rows(image, target.width, filter)), target.height, filter);
}

}  // namespace ridge::pipeline
