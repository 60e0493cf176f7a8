// SPDX-License-Identifier: Apache-2.0
// MobileNetV1 1.0 (timm/models/efficientnet.py, mobilenetv1_100): ReLU6 as there and in the
// authors' code (tensorflow/models, slim/nets/mobilenet_v1.py), where the paper writes ReLU.
#include <fmt/format.h>

#include "zoo/networks.h"

namespace ridge::zoo {
namespace {

/// Convolution, normalization and, as the child "act" of the normalization, ReLU6.
Tensor mobilenet_v1_conv_bn_relu(Builder& b, std::string_view conv, std::string_view norm, Tensor x,
                                 ConvOptions o) {
  o.pad = o.kernel / 2;
  x = b.batch_norm(norm, b.conv(conv, x, o));
  const auto scope = b.module(norm);
  return b.relu6("act", x);
}

Tensor separable_conv(Builder& b, Tensor x, std::int64_t out, std::int64_t stride) {
  const ConvOptions depthwise{.out = x.width, .kernel = 3, .stride = stride, .groups = x.width};
  return mobilenet_v1_conv_bn_relu(b, "conv_pw", "bn2",
                                   mobilenet_v1_conv_bn_relu(b, "conv_dw", "bn1", x, depthwise),
                                   {.out = out});
}

struct MobilenetV1Stage {
  std::int64_t out;
  int repeat;
  std::int64_t stride;
};
constexpr MobilenetV1Stage kMobilenetV1Stages[] = {
    {64, 1, 1}, {128, 2, 2}, {256, 2, 2}, {512, 6, 2}, {1024, 2, 2}};

Tensor mobilenet_v1_blocks(Builder& b, Tensor x) {
  const auto scope = b.module("blocks");
  int index = 0;
  for (const MobilenetV1Stage& s : kMobilenetV1Stages) {
    const std::string name = fmt::format("blocks.{}", index++);
    const auto stage = b.module(name);
    for (int i = 0; i < s.repeat; ++i) {
      const auto block = b.module(fmt::format("{}.{}", name, i));
      x = separable_conv(b, x, s.out, i == 0 ? s.stride : 1);
    }
  }
  return x;
}

onnx::Document build_mobilenet_v1(const Request& request) {
  Builder b(request.network, request.batch_norm);
  Tensor x = image_input(b, request.side);
  x = mobilenet_v1_conv_bn_relu(b, "conv_stem", "bn1", x, {.out = 32, .kernel = 3, .stride = 2});
  x = global_pool(b, mobilenet_v1_blocks(b, x));
  b.output("output", b.dense("classifier", x, 1000), {"batch", 1000});
  return std::move(b).finish();
}

constexpr Entry kMobilenetV1Entries[] = {{"mobilenet_v1",
                                          "MobileNet",
                                          "MobileNetV1 1.0: depthwise-separable convolutions",
                                          "Howard et al. 2017, arXiv:1704.04861",
                                          kOneImage,
                                          {.side = 224},
                                          build_mobilenet_v1}};

}  // namespace

Family mobilenet_v1() { return kMobilenetV1Entries; }

}  // namespace ridge::zoo
