// SPDX-License-Identifier: Apache-2.0
#include "pipeline/opencv_float.h"

#include <algorithm>
#include <cmath>

namespace ridge::pipeline {
namespace {

/// Two neighbors of an output, inside the image, and the weight of the second.
struct Neighbors {
  int first = 0, second = 0;
  float rest = 0;
};

std::vector<Neighbors> neighbors_of(int inputs, int outputs) {
  const double scale = 1.0 / (static_cast<double>(outputs) / inputs);
  std::vector<Neighbors> out;
  out.reserve(static_cast<std::size_t>(outputs));
  for (int x = 0; x < outputs; ++x) {
    const auto at = static_cast<float>((x + 0.5) * scale - 0.5);
    const float whole = std::floor(at);
    const int first = static_cast<int>(whole);
    out.push_back(
        {std::clamp(first, 0, inputs - 1), std::clamp(first + 1, 0, inputs - 1), at - whole});
  }
  return out;
}

float between(float a, float b, float rest) {
  const float left = a * (1.F - rest), right = b * rest;
  return left + right;
}

void resize_float_linear(const FloatImage& image, FloatImage& out) {
  const std::vector<Neighbors> columns = neighbors_of(image.width, out.width);
  const std::vector<Neighbors> rows = neighbors_of(image.height, out.height);
  const auto channels = static_cast<std::size_t>(image.channels);
  std::vector<float> upper(out.row_elements()), lower(out.row_elements());
  const auto fill = [&](int y, std::vector<float>& line) {
    const float* row = image.row(y);
    float* to = line.data();
    for (const Neighbors& n : columns) {
      const float* a = row + static_cast<std::size_t>(n.first) * channels;
      const float* b = row + static_cast<std::size_t>(n.second) * channels;
      // OpenCV takes pixels beyond the border for those at it, with a weight of 1.
      for (std::size_t c = 0; c < channels; ++c)
        *to++ = n.first == n.second ? a[c] : between(a[c], b[c], n.rest);
    }
  };
  for (int y = 0; y < out.height; ++y) {
    const Neighbors& n = rows[static_cast<std::size_t>(y)];
    fill(n.first, upper);
    fill(n.second, lower);
    std::transform(upper.begin(), upper.end(), lower.begin(), out.row(y),
                   [&](float a, float b) { return between(a, b, n.rest); });
  }
}

/// The order of the sum is OpenCV's, which takes four outputs of one channel at once, and pixels of
/// four channels.
void halve(const FloatImage& image, FloatImage& out) {
  const auto channels = static_cast<std::size_t>(image.channels);
  const auto width = static_cast<std::size_t>(out.width);
  const std::size_t in_pairs = channels == 1 ? width / 4 * 4 : channels == 4 ? width : 0;
  for (int y = 0; y < out.height; ++y) {
    const float *upper = image.row(2 * y), *lower = image.row(2 * y + 1);
    float* to = out.row(y);
    for (std::size_t x = 0; x < width; ++x)
      for (std::size_t c = 0; c < channels; ++c) {
        const std::size_t a = 2 * x * channels + c, b = a + channels;
        const float sum = x < in_pairs ? (upper[a] + upper[b]) + (lower[a] + lower[b])
                                       : upper[a] + upper[b] + lower[a] + lower[b];
        *to++ = sum * 0.25F;
      }
  }
}

void resize_float_nearest(const FloatImage& image, FloatImage& out) {
  const double scale_x = 1.0 / (static_cast<double>(out.width) / image.width);
  const double scale_y = 1.0 / (static_cast<double>(out.height) / image.height);
  const auto channels = static_cast<std::size_t>(image.channels);
  for (int y = 0; y < out.height; ++y) {
    const float* row = image.row(std::min(static_cast<int>(y * scale_y), image.height - 1));
    for (int x = 0; x < out.width; ++x) {
      const int from = std::min(static_cast<int>(x * scale_x), image.width - 1);
      std::copy_n(row + static_cast<std::size_t>(from) * channels, channels,
                  out.row(y) + static_cast<std::size_t>(x) * channels);
    }
  }
}

}  // namespace

Result<void> check_float_filter(OpencvFilter filter) {
  if (filter == OpencvFilter::kLinear || filter == OpencvFilter::kNearest) return {};
  return input_error("RIDGE-PIPE-0015",
                     "OpenCV's area and cubic take 8-bit images here, the "
                     "values are float32")
      .hint("resize before the values are computed with, or use 'linear'");
}

Result<FloatImage> resize_opencv(const FloatImage& image, Size target, OpencvFilter filter) {
  TRY(check_float_filter(filter));
  FloatImage out = TRY(make_raster<float>(target, image.channels));
  if (target == image.size()) return image;
  if (filter == OpencvFilter::kNearest)
    resize_float_nearest(image, out);
  else if (image.width == 2 * target.width && image.height == 2 * target.height)
    halve(image, out);
  else
    resize_float_linear(image, out);
  return out;
}

}  // namespace ridge::pipeline
