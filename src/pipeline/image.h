// SPDX-License-Identifier: Apache-2.0
// Pixels and tensors as plain data, with the bounds that every step respects.
//
//   Image image = TRY(make_raster<std::uint8_t>({640, 480}, 3));
//   image.row(0)[2] = 255;                          // third channel of the top left pixel
//
// Pixels are interleaved, rows follow each other without padding: channel c of pixel (x, y) is
// data[(y * width + x) * channels + c]. Ownership: each value owns its elements. No thread rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace ridge::pipeline {

/// Bound on width x height of every image; with three channels a quarter of a GiB. Pillow warns
/// from here on (Image.MAX_IMAGE_PIXELS).
inline constexpr std::int64_t kMaxPixels = 89'478'485;
inline constexpr int kLongestSide = 1 << 20;

struct Size {
  int width = 0, height = 0;

  bool operator==(const Size&) const = default;
};

template <typename T>
struct Raster {
  int width = 0, height = 0, channels = 0;
  std::vector<T> data;

  Size size() const { return {width, height}; }
  std::size_t row_elements() const {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(channels);
  }
  T* row(int y) { return data.data() + row_elements() * static_cast<std::size_t>(y); }
  const T* row(int y) const { return data.data() + row_elements() * static_cast<std::size_t>(y); }

  bool operator==(const Raster&) const = default;
};

using Image = Raster<std::uint8_t>;
using FloatImage = Raster<float>;

/// Fails (RIDGE-PIPE-0001) unless both sides are within 1 and kLongestSide and the product is at
/// most kMaxPixels.
Result<void> check_size(std::int64_t width, std::int64_t height);

/// Returns a raster of zeros. Errors as check_size(). 1 <= channels <= 4.
template <typename T>
Result<Raster<T>> make_raster(Size size, int channels) {
  TRY(check_size(size.width, size.height));
  Raster<T> raster{size.width, size.height, channels, {}};
  raster.data.resize(raster.row_elements() * static_cast<std::size_t>(size.height));
  return raster;
}

/// Values for the input of a model, in row-major order of `dims`.
struct Tensor {
  std::vector<std::int64_t> dims;
  std::variant<std::vector<float>, std::vector<std::uint8_t>> elements;

  std::vector<float>& floats() { return std::get<std::vector<float>>(elements); }
  const std::vector<float>& floats() const { return std::get<std::vector<float>>(elements); }
  bool is_float() const { return elements.index() == 0; }
  std::size_t count() const;
};

}  // namespace ridge::pipeline
