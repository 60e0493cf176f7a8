// SPDX-License-Identifier: Apache-2.0
#include "rewrite/quantize_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ridge::rewrite {
namespace {

constexpr double kMin = std::numeric_limits<float>::min();
constexpr double kMax = std::numeric_limits<float>::max();
constexpr double kActivationSteps = 255;  // uint8
constexpr double kMaxWeight = 127;        // int8, symmetric: -128 is left out
constexpr double kMaxBias = 1 << 30;      // half of int32

double nearest(double value, double low, double high) {
  return std::clamp(std::nearbyint(value), low, high);
}

}  // namespace

ActivationScale activation_scale(const Range& range) {
  const double low = std::min<double>(range.minimum, 0), high = std::max<double>(range.maximum, 0);
  const double step = (high - low) / kActivationSteps;
  if (step < kMin) return {};
  const double zero = nearest(-low / step, 0, kActivationSteps);
  return {static_cast<float>(step), static_cast<std::uint8_t>(zero)};
}

ChannelWeights quantize_weights(std::span<const float> weights, const ChannelAxis& axis,
                                std::span<const double> min_scales) {
  ChannelWeights out;
  if (axis.inner == 0 || axis.channels == 0) return out;  // no elements
  const auto channel = [&](std::size_t i) { return i / axis.inner % axis.channels; };
  std::vector<double> largest(axis.channels);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    double& most = largest[channel(i)];
    most = std::max(most, std::abs(static_cast<double>(weights[i])));
  }
  for (std::size_t c = 0; c < axis.channels; ++c) {
    const double needed = min_scales.empty() ? 0 : min_scales[c];
    const double scale = std::max(largest[c] / kMaxWeight, needed);
    out.scales.push_back(scale == 0 ? 1 : static_cast<float>(std::clamp(scale, kMin, kMax)));
  }
  out.elements.reserve(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double exact = static_cast<double>(weights[i]) / out.scales[channel(i)];
    out.elements.push_back(static_cast<std::int8_t>(nearest(exact, -kMaxWeight, kMaxWeight)));
  }
  return out;
}

std::vector<double> min_scales(std::span<const float> bias, float input_scale) {
  std::vector<double> out;
  for (const float b : bias) {
    const double fits = std::abs(static_cast<double>(b)) / (input_scale * kMaxBias);
    // The scale of the bias must not be subnormal either.
    out.push_back(b == 0 ? 0 : std::max(fits, kMin / static_cast<double>(input_scale)));
  }
  return out;
}

std::vector<float> bias_scales(float input_scale, std::span<const float> weight_scales) {
  std::vector<float> out;
  for (const float w : weight_scales)
    out.push_back(static_cast<float>(std::clamp(static_cast<double>(input_scale) * w, kMin, kMax)));
  return out;
}

std::vector<std::int32_t> quantize_bias(std::span<const float> bias,
                                        std::span<const float> scales) {
  constexpr double kLow = std::numeric_limits<std::int32_t>::min();
  constexpr double kHigh = std::numeric_limits<std::int32_t>::max();
  std::vector<std::int32_t> out;
  for (std::size_t i = 0; i < bias.size(); ++i)
    out.push_back(
        static_cast<std::int32_t>(nearest(static_cast<double>(bias[i]) / scales[i], kLow, kHigh)));
  return out;
}

}  // namespace ridge::rewrite
