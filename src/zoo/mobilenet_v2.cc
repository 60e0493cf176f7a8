// SPDX-License-Identifier: Apache-2.0
// MobileNetV2, scaled in width (torchvision/models/mobilenetv2.py, width_mult).
#include <fmt/format.h>

#include "zoo/networks.h"

namespace ridge::zoo {
namespace {

/// Convolution, normalization, ReLU6 as children 0, 1, 2 of the module `name`.
Tensor mobilenet_v2_conv_bn_relu(Builder& b, const std::string& name, Tensor x, ConvOptions o) {
  const auto scope = b.module(name);
  o.pad = o.kernel / 2;
  x = b.batch_norm(name + ".1", b.conv(name + ".0", x, o));
  return b.relu6(name + ".2", x);
}

Tensor mobilenet_v2_inverted_residual(Builder& b, Tensor x, std::int64_t out, std::int64_t stride,
                                      std::int64_t expand) {
  const auto scope = b.module("conv");
  const std::int64_t hidden = x.width * expand;
  Tensor y = x;
  int child = 0;
  if (expand != 1)
    y = mobilenet_v2_conv_bn_relu(b, fmt::format("conv.{}", child++), y, {.out = hidden});
  y = mobilenet_v2_conv_bn_relu(b, fmt::format("conv.{}", child++), y,
                                {.out = hidden, .kernel = 3, .stride = stride, .groups = hidden});
  const bool residual = stride == 1 && x.width == out;
  y = b.conv(fmt::format("conv.{}", child), y, {.out = out, .gain = 1});
  return b.batch_norm(fmt::format("conv.{}", child + 1), y, residual ? kResidualGain : 1);
}

struct MobilenetV2Stage {
  std::int64_t expand, out;
  int repeat;
  std::int64_t stride;
};
constexpr MobilenetV2Stage kMobilenetV2Stages[] = {{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2},
                                                   {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2},
                                                   {6, 320, 1, 1}};

struct MobilenetV2Scale {
  std::string_view name;
  double width;
};
constexpr MobilenetV2Scale kMobilenetV2Scales[] = {{"mobilenet_v2", 1.0},
                                                   {"mobilenet_v2_x0_5", 0.5}};

std::int64_t mobilenet_v2_widened(std::int64_t channels, const MobilenetV2Scale& scale) {
  return divisible_channels(static_cast<double>(channels) * scale.width);
}

Tensor mobilenet_v2_features(Builder& b, Tensor x, const MobilenetV2Scale& scale) {
  const auto scope = b.module("features");
  x = mobilenet_v2_conv_bn_relu(b, "features.0", x,
                                {.out = mobilenet_v2_widened(32, scale), .kernel = 3, .stride = 2});
  int index = 1;
  for (const MobilenetV2Stage& s : kMobilenetV2Stages) {
    const std::int64_t out = mobilenet_v2_widened(s.out, scale);
    for (int i = 0; i < s.repeat; ++i, ++index) {
      const auto block = b.module(fmt::format("features.{}", index));
      const std::int64_t stride = i == 0 ? s.stride : 1;
      const Tensor y = mobilenet_v2_inverted_residual(b, x, out, stride, s.expand);
      x = stride == 1 && x.width == out ? b.add(x, y) : y;
    }
  }
  return mobilenet_v2_conv_bn_relu(b, fmt::format("features.{}", index), x, {.out = 1280});
}

onnx::Document build_mobilenet_v2(const Request& request) {
  Builder b(request.network, request.batch_norm);
  Tensor x = image_input(b, request.side);
  x = mobilenet_v2_features(b, x, row_of(kMobilenetV2Scales, request.network));
  x = b.flatten(b.global_average_pool("", x));
  const auto classifier = b.module("classifier");
  b.output("output", b.dense("classifier.1", x, 1000), {"batch", 1000});
  return std::move(b).finish();
}

constexpr Entry mobilenet_v2_entry(std::string_view name, std::string_view description) {
  return {name,      "MobileNet",   description,       "Sandler et al. 2018, arXiv:1801.04381",
          kOneImage, {.side = 224}, build_mobilenet_v2};
}
constexpr Entry kMobilenetV2Entries[] = {
    mobilenet_v2_entry("mobilenet_v2",
                       "MobileNetV2 1.0: inverted residuals, depthwise convolutions"),
    mobilenet_v2_entry("mobilenet_v2_x0_5", "MobileNetV2 0.5: half the channels"),
};

}  // namespace

Family mobilenet_v2() { return kMobilenetV2Entries; }

}  // namespace ridge::zoo
