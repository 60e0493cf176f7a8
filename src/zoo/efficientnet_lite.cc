// SPDX-License-Identifier: Apache-2.0
// EfficientNet-Lite0 (tensorflow/tpu, models/official/efficientnet/lite): EfficientNet-B0 for
// integer processors, without squeeze-excitation and with ReLU6. Modules and parameters have the
// names of EfficientNet-PyTorch, so that its published weights fit
// (scripts/efficientnet_lite0.py).
//
// Trained in TensorFlow: the image is (x - 127) / 128 in RGB, normalization adds 0.001 to the
// variance, and a convolution pads to ceil(side / stride) positions ("SAME"), by one more at the
// end than at the beginning where the number of padded rows is odd. Example: kernel 3, stride 2,
// side 224: 112 positions span 111 * 2 + 3 = 225 rows, so that 0 are padded before and 1 after.
#include <fmt/format.h>

#include <algorithm>

#include "zoo/networks.h"

namespace ridge::zoo {
namespace {

constexpr float kEfficientnetLiteEpsilon = 1e-3F;

/// Image on its way through the network: `side` pixels in height and in width.
struct Image {
  Tensor tensor;
  std::int64_t side;
};

/// Convolution with TensorFlow's padding.
Image efficientnet_lite_conv(Builder& b, std::string_view leaf, Image x, ConvOptions o) {
  const std::int64_t positions = strided(x.side, o.stride);
  const std::int64_t padded =
      std::max((positions - 1) * o.stride + o.kernel - x.side, std::int64_t{0});
  o.pad = padded / 2;
  o.pad_after = padded - 2 * o.pad;
  return {b.conv(leaf, x.tensor, o), positions};
}

Tensor norm_relu(Builder& b, std::string_view norm, Tensor x) {
  return b.relu6("_swish", b.batch_norm(norm, x, 1, kEfficientnetLiteEpsilon));
}

struct EfficientnetLiteStage {
  std::int64_t expand, kernel, stride, out;
  int repeat;
};
constexpr EfficientnetLiteStage kEfficientnetLiteStages[] = {
    {1, 3, 1, 16, 1},  {6, 3, 2, 24, 2},  {6, 5, 2, 40, 2}, {6, 3, 2, 80, 3},
    {6, 5, 1, 112, 3}, {6, 5, 2, 192, 4}, {6, 3, 1, 320, 1}};

/// 1x1 expansion, depthwise convolution, 1x1 projection; adds its input where shapes agree.
Image efficientnet_lite_block(Builder& b, Image x, const EfficientnetLiteStage& s) {
  const std::int64_t hidden = x.tensor.width * s.expand;
  const bool residual = s.stride == 1 && x.tensor.width == s.out;
  Image y = x;
  if (s.expand != 1) {
    y = efficientnet_lite_conv(b, "_expand_conv", y, {.out = hidden});
    y.tensor = norm_relu(b, "_bn0", y.tensor);
  }
  y = efficientnet_lite_conv(
      b, "_depthwise_conv", y,
      {.out = hidden, .kernel = s.kernel, .stride = s.stride, .groups = hidden});
  y.tensor = norm_relu(b, "_bn1", y.tensor);
  y = efficientnet_lite_conv(b, "_project_conv", y, {.out = s.out, .gain = 1});
  y.tensor = b.batch_norm("_bn2", y.tensor, residual ? kResidualGain : 1, kEfficientnetLiteEpsilon);
  if (residual) y.tensor = b.add(y.tensor, x.tensor);
  return y;
}

onnx::Document build_efficientnet_lite(const Request& request) {
  Builder b(request.network, request.batch_norm);
  Image x{image_input(b, request.side), request.side};
  x = efficientnet_lite_conv(b, "_conv_stem", x, {.out = 32, .kernel = 3, .stride = 2});
  x.tensor = norm_relu(b, "_bn0", x.tensor);
  int index = 0;
  for (EfficientnetLiteStage s : kEfficientnetLiteStages) {
    for (int i = 0; i < s.repeat; ++i, s.stride = 1) {
      const auto scope = b.module(fmt::format("_blocks.{}", index++));
      x = efficientnet_lite_block(b, x, s);
    }
  }
  x = efficientnet_lite_conv(b, "_conv_head", x, {.out = 1280});
  x.tensor = b.global_average_pool("_avg_pooling", norm_relu(b, "_bn1", x.tensor));
  b.output("output", b.dense("_fc", b.flatten(x.tensor), 1000), {"batch", 1000});
  return std::move(b).finish();
}

constexpr Entry kEfficientnetLiteEntries[] = {
    {"efficientnet_lite0",
     "EfficientNet",
     "EfficientNet-Lite0: B0 without squeeze-excitation, with ReLU6",
     "Tan and Le 2019, arXiv:1905.11946",
     kOneImage,
     {.side = 224},
     build_efficientnet_lite}};

}  // namespace

Family efficientnet_lite() { return kEfficientnetLiteEntries; }

}  // namespace ridge::zoo
