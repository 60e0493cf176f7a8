// SPDX-License-Identifier: Apache-2.0
// Numbers of an int8 copy: scales, zero points and quantized elements.
//
//   const ActivationScale x = activation_scale({.minimum = 0, .maximum = 6});   // 6/255, 0
//   const ChannelWeights w = quantize_weights(elements, {.outer = 1, .channels = 64, .inner = 27},
//                                             {});
//   const std::vector<std::int32_t> b = quantize_bias(bias, x.scale, w.scales);
//
// real = scale * (integer - zero point), Jacob et al. 2018 (arXiv:1712.05877), equation 1, and the
// ONNX operators QuantizeLinear and DequantizeLinear: rounding to nearest even, then saturation.
//
// Scales are never 0, infinite or subnormal: what is smaller becomes 0. Thread rule: pure, in the
// default rounding mode. Cost: O(elements).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ridge::rewrite {

/// Least and greatest element of a tensor over several runs.
struct Range {
  float minimum = 0, maximum = 0;
};

/// uint8 with one scale and zero point for the tensor.
struct ActivationScale {
  float scale = 1;
  std::uint8_t zero = 0;
};

/// Scale for a finite range, widened to include 0, which padding needs as an exact value: scale =
/// (maximum - minimum) / 255, zero = round(-minimum / scale).
ActivationScale activation_scale(const Range& range);

/// Position of the channel axis in a tensor of outer x channels x inner elements.
struct ChannelAxis {
  std::size_t outer = 1, channels = 1, inner = 1;
};

/// int8 with zero point 0 and a scale for each channel.
struct ChannelWeights {
  std::vector<std::int8_t> elements;
  std::vector<float> scales;
};

/// scale = max |w| / 127 over a channel, or `min_scales` if that is greater (empty: none); 1 for
/// a channel of zeros. All elements must be finite.
ChannelWeights quantize_weights(std::span<const float> weights, const ChannelAxis& axis,
                                std::span<const double> min_scales);

/// Least scales of weights with which a bias fits into int32 beside the sum of the products, so
/// that runtimes can add it to their int32 accumulators: |bias| / (input_scale * 2^30).
std::vector<double> min_scales(std::span<const float> bias, float input_scale);

/// Scales of a bias: input_scale * weight scale, by channel.
std::vector<float> bias_scales(float input_scale, std::span<const float> weight_scales);

/// int32 with zero point 0 and these scales. As many scales as elements.
std::vector<std::int32_t> quantize_bias(std::span<const float> bias, std::span<const float> scales);

}  // namespace ridge::rewrite
