// SPDX-License-Identifier: Apache-2.0
#include "pipeline/thumbnail.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cmath>

namespace ridge::pipeline {
namespace {

/// Positions of an element: row * y + column * x + channel * c.
struct Strides {
  std::int64_t height = 0, width = 0, channels = 1;
  std::int64_t row = 0, column = 1, channel = 0;
};

bool colors(std::int64_t n) { return n == 1 || n == 3; }

std::optional<Strides> strides_of(std::vector<std::int64_t> dims) {
  while (dims.size() > 2 && dims.front() == 1) dims.erase(dims.begin());
  if (dims.size() == 2) return Strides{.height = dims[0], .width = dims[1], .row = dims[1]};
  if (dims.size() != 3) return std::nullopt;
  if (colors(dims[0]))
    return Strides{.height = dims[1],
                   .width = dims[2],
                   .channels = dims[0],
                   .row = dims[2],
                   .channel = dims[1] * dims[2]};
  if (colors(dims[2]))
    return Strides{.height = dims[0],
                   .width = dims[1],
                   .channels = dims[2],
                   .row = dims[1] * dims[2],
                   .column = dims[2],
                   .channel = 1};
  return std::nullopt;
}

/// Least sides of a picture: a vector of numbers is none.
constexpr std::int64_t kMinSide = 4;

template <typename T>
std::optional<Image> picture(std::span<const T> values, const std::vector<std::int64_t>& dims,
                             int longest) {
  const std::optional<Strides> s = strides_of(dims);
  if (!s || s->height < kMinSide || s->width < kMinSide || longest < 1) return std::nullopt;
  if (!check_size(s->width, s->height).ok() ||
      values.size() != static_cast<std::size_t>(s->height * s->width * s->channels))
    return std::nullopt;
  const auto [least, most] = std::ranges::minmax(values);
  const double low = least, high = most;
  if (!std::ranges::all_of(values, [](T v) { return std::isfinite(static_cast<double>(v)); }))
    return std::nullopt;
  const std::int64_t larger = std::max(s->height, s->width);
  const std::int64_t by = (larger + longest - 1) / longest;  // pixels that become one
  const auto side = [by](std::int64_t n) { return static_cast<int>((n + by - 1) / by); };
  Image out{side(s->width), side(s->height), static_cast<int>(s->channels), {}};
  for (std::int64_t y = 0; y < s->height; y += by)
    for (std::int64_t x = 0; x < s->width; x += by)
      for (std::int64_t c = 0; c < s->channels; ++c) {
        double sum = 0, count = 0;
        for (std::int64_t j = y; j < std::min(y + by, s->height); ++j)
          for (std::int64_t i = x; i < std::min(x + by, s->width); ++i, ++count)
            sum += static_cast<double>(
                values[static_cast<std::size_t>(s->row * j + s->column * i + s->channel * c)]);
        const double share = high > low ? (sum / count - low) / (high - low) : 0;
        out.data.push_back(static_cast<std::uint8_t>(std::lround(255 * share)));
      }
  return out;
}

}  // namespace

std::optional<Image> thumbnail(std::span<const float> values, const std::vector<std::int64_t>& dims,
                               int longest) {
  return picture(values, dims, longest);
}

std::optional<Image> thumbnail(std::span<const std::uint8_t> values,
                               const std::vector<std::int64_t>& dims, int longest) {
  return picture(values, dims, longest);
}

Result<std::string> encode_png(const Image& image) {
  png_image png = {};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = image.channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  std::string out(PNG_IMAGE_PNG_SIZE_MAX(png), '\0');
  png_alloc_size_t size = out.size();
  if (png_image_write_to_memory(&png, out.data(), &size, 0, image.data.data(), 0, nullptr) == 0)
    return bug(fmt::format("libpng cannot write an image: {}", png.message), "encode_png");
  out.resize(size);
  return out;
}

}  // namespace ridge::pipeline
