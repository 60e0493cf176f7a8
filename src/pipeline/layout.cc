// SPDX-License-Identifier: Apache-2.0
#include "pipeline/layout.h"

#include <utility>

namespace ridge::pipeline {
namespace {

template <typename T>
std::vector<T> planes(const Raster<T>& image) {
  const auto channels = static_cast<std::size_t>(image.channels);
  const std::size_t pixels = image.data.size() / channels;
  std::vector<T> out(image.data.size());
  for (std::size_t c = 0; c < channels; ++c) {
    T* to = out.data() + c * pixels;
    const T* from = image.data.data() + c;
    for (std::size_t i = 0; i < pixels; ++i) to[i] = from[i * channels];
  }
  return out;
}

template <typename T>
Tensor arrange(const Raster<T>& image, Layout layout) {
  const bool interleaved = layout == Layout::kHwc || layout == Layout::kNhwc;
  return {arranged_dims(image.width, image.height, image.channels, layout),
          interleaved ? image.data : planes(image)};
}

}  // namespace

Tensor arranged(const Image& image, Layout layout) { return arrange(image, layout); }
Tensor arranged(const FloatImage& image, Layout layout) { return arrange(image, layout); }

std::vector<std::int64_t> arranged_dims(std::int64_t width, std::int64_t height,
                                        std::int64_t channels, Layout layout) {
  switch (layout) {
    case Layout::kHwc:
      return {height, width, channels};
    case Layout::kChw:
      return {channels, height, width};
    case Layout::kNhwc:
      return {1, height, width, channels};
    case Layout::kNchw:
      break;
  }
  return {1, channels, height, width};
}

}  // namespace ridge::pipeline
