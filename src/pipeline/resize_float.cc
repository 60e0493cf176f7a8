// SPDX-License-Identifier: Apache-2.0
#include "pipeline/resize_float.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace ridge::pipeline {
namespace {

constexpr int kMaxTaps = 4;

/// Inputs of one output, inside the image, and their weights; unused ones weigh 0.
struct FloatTap {
  std::array<int, kMaxTaps> inputs{};
  std::array<float, kMaxTaps> weights{};
};

float float_position(int x, int inputs, int outputs, Coordinates coordinates) {
  const auto at = static_cast<float>(x);
  const float scale = static_cast<float>(outputs) / static_cast<float>(inputs);
  switch (coordinates) {
    case Coordinates::kHalfPixel:
      return (at + 0.5F) / scale - 0.5F;
    case Coordinates::kPytorchHalfPixel:
      return outputs > 1 ? (at + 0.5F) / scale - 0.5F : 0.F;
    case Coordinates::kAlignCorners:
      return outputs > 1 ? at * static_cast<float>(inputs - 1) / static_cast<float>(outputs - 1)
                         : 0.F;
    case Coordinates::kAsymmetric:
      break;
  }
  return at / scale;
}

/// Distance from a half up to which a position counts as one: positions in float miss it by that.
constexpr double kTie = 1e-6;

double nearest_position(double position, NearestRounding rounding) {
  switch (rounding) {
    case NearestRounding::kHalfDown:
      return std::ceil(position - 0.5 - kTie);
    case NearestRounding::kHalfUp:
      return std::floor(position + 0.5 + kTie);
    case NearestRounding::kFloor:
      return std::floor(position);
    case NearestRounding::kCeil:
      break;
  }
  return std::ceil(position);
}

FloatTap nearest(float position, int inputs, NearestRounding rounding) {
  const int input = static_cast<int>(nearest_position(double{position}, rounding));
  return {{std::clamp(input, 0, inputs - 1)}, {1.F}};
}

FloatTap linear(float position, int inputs) {
  const float at = std::clamp(position, 0.F, static_cast<float>(inputs - 1));
  const int lower = static_cast<int>(at);
  const float rest = at - static_cast<float>(lower);
  return {{lower, std::min(lower + 1, inputs - 1)}, {1.F - rest, rest}};
}

FloatTap cubic(float position, int inputs) {
  constexpr float kA = -0.75F;
  const float whole = std::floor(position), t = position - whole, u = 1.F - t;
  FloatTap tap;
  for (int i = 0; i < kMaxTaps; ++i)
    tap.inputs[static_cast<std::size_t>(i)] =
        std::clamp(static_cast<int>(whole) - 1 + i, 0, inputs - 1);
  tap.weights = {((kA * (t + 1) - 5 * kA) * (t + 1) + 8 * kA) * (t + 1) - 4 * kA,
                 ((kA + 2) * t - (kA + 3)) * t * t + 1, ((kA + 2) * u - (kA + 3)) * u * u + 1,
                 ((kA * (u + 1) - 5 * kA) * (u + 1) + 8 * kA) * (u + 1) - 4 * kA};
  return tap;
}

std::vector<FloatTap> taps_of(int inputs, int outputs, const FloatResize& how) {
  std::vector<FloatTap> taps;
  for (int x = 0; x < outputs; ++x) {
    const float position = float_position(x, inputs, outputs, how.coordinates);
    if (how.filter == FloatFilter::kNearest)
      taps.push_back(nearest(position, inputs, how.rounding));
    else if (how.filter == FloatFilter::kLinear)
      taps.push_back(linear(position, inputs));
    else
      taps.push_back(cubic(position, inputs));
  }
  return taps;
}

std::size_t count_of(FloatFilter filter) {
  if (filter == FloatFilter::kNearest) return 1;
  return filter == FloatFilter::kLinear ? 2 : kMaxTaps;
}

void resize_float_rows(const FloatImage& image, const std::vector<FloatTap>& taps,
                       std::size_t count, FloatImage& out) {
  const auto channels = static_cast<std::size_t>(image.channels);
  for (int y = 0; y < image.height; ++y) {
    const float* row = image.row(y);
    float* to = out.row(y);
    for (const FloatTap& tap : taps)
      for (std::size_t c = 0; c < channels; ++c) {
        float sum = 0;
        for (std::size_t i = 0; i < count; ++i)
          sum += row[static_cast<std::size_t>(tap.inputs[i]) * channels + c] * tap.weights[i];
        *to++ = sum;
      }
  }
}

void resize_float_columns(const FloatImage& image, const std::vector<FloatTap>& taps,
                          std::size_t count, FloatImage& out) {
  const std::size_t elements = image.row_elements();
  for (int y = 0; y < out.height; ++y) {
    const FloatTap& tap = taps[static_cast<std::size_t>(y)];
    float* to = out.row(y);
    for (std::size_t i = 0; i < count; ++i) {
      const float* row = image.row(tap.inputs[i]);
      for (std::size_t e = 0; e < elements; ++e) to[e] += row[e] * tap.weights[i];
    }
  }
}

}  // namespace

Result<FloatImage> resize_float(const FloatImage& image, Size target, const FloatResize& how) {
  FloatImage out = TRY(make_raster<float>(target, image.channels));
  if (target == image.size()) return image;
  FloatImage between = TRY(make_raster<float>({target.width, image.height}, image.channels));
  const std::size_t count = count_of(how.filter);
  resize_float_rows(image, taps_of(image.width, target.width, how), count, between);
  resize_float_columns(between, taps_of(image.height, target.height, how), count, out);
  return out;
}

}  // namespace ridge::pipeline
