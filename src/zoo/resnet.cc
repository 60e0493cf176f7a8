// SPDX-License-Identifier: Apache-2.0
// ResNet v1.5, ResNeXt and Wide ResNet: the stride of a stage is in its 3x3 convolution
// (torchvision/models/resnet.py).
#include <fmt/format.h>

#include "zoo/networks.h"

namespace ridge::zoo {
namespace {

struct ResnetShape {
  std::string_view name;
  int blocks[4];
  std::int64_t expansion;  ///< 1: two 3x3 convolutions; 4: a bottleneck of three convolutions
  std::int64_t groups = 1, group_width = 64;
};
constexpr ResnetShape kResnetShapes[] = {{"resnet101", {3, 4, 23, 3}, 4},
                                         {"resnet152", {3, 8, 36, 3}, 4},
                                         {"resnet18", {2, 2, 2, 2}, 1},
                                         {"resnet34", {3, 4, 6, 3}, 1},
                                         {"resnet50", {3, 4, 6, 3}, 4},
                                         {"resnext101_32x8d", {3, 4, 23, 3}, 4, 32, 8},
                                         {"resnext101_64x4d", {3, 4, 23, 3}, 4, 64, 4},
                                         {"resnext50_32x4d", {3, 4, 6, 3}, 4, 32, 4},
                                         {"wide_resnet101_2", {3, 4, 23, 3}, 4, 1, 128},
                                         {"wide_resnet50_2", {3, 4, 6, 3}, 4, 1, 128}};

Tensor conv3x3(Builder& b, std::string_view leaf, Tensor x, std::int64_t out, std::int64_t stride,
               std::int64_t groups = 1, float gain = 2) {
  return b.conv(
      leaf, x,
      {.out = out, .kernel = 3, .stride = stride, .pad = 1, .groups = groups, .gain = gain});
}

Tensor plain(Builder& b, Tensor x, std::int64_t planes, std::int64_t stride) {
  const Tensor y = b.relu("relu", b.batch_norm("bn1", conv3x3(b, "conv1", x, planes, stride)));
  return b.batch_norm("bn2", conv3x3(b, "conv2", y, planes, 1, 1, 1), kResidualGain);
}

Tensor resnet_bottleneck(Builder& b, Tensor x, const ResnetShape& s, std::int64_t planes,
                         std::int64_t stride) {
  const std::int64_t width = planes * s.group_width / 64 * s.groups;
  Tensor y = b.relu("relu", b.batch_norm("bn1", b.conv("conv1", x, {.out = width})));
  y = conv3x3(b, "conv2", y, width, stride, s.groups);
  y = b.relu("relu", b.batch_norm("bn2", y));
  return b.batch_norm("bn3", b.conv("conv3", y, {.out = planes * s.expansion, .gain = 1}),
                      kResidualGain);
}

Tensor resnet_block(Builder& b, Tensor x, const ResnetShape& s, std::int64_t planes,
                    std::int64_t stride) {
  const Tensor y =
      s.expansion == 1 ? plain(b, x, planes, stride) : resnet_bottleneck(b, x, s, planes, stride);
  if (stride != 1 || x.width != y.width) {
    const auto downsample = b.module("downsample");
    x = b.conv("downsample.0", x, {.out = y.width, .stride = stride, .gain = 1});
    x = b.batch_norm("downsample.1", x);
  }
  return b.relu("relu", b.add(y, x));
}

onnx::Document build_resnet(const Request& request) {
  const ResnetShape& s = row_of(kResnetShapes, request.network);
  Builder b(request.network, request.batch_norm);
  Tensor x = image_input(b, request.side);
  x = b.conv("conv1", x, {.out = 64, .kernel = 7, .stride = 2, .pad = 3});
  x = b.relu("relu", b.batch_norm("bn1", x));
  x = b.max_pool("maxpool", x, {.kernel = 3, .stride = 2, .pad = 1});
  std::int64_t planes = 64;
  for (int stage = 0; stage < 4; ++stage, planes *= 2) {
    const std::string name = fmt::format("layer{}", stage + 1);
    const auto layer = b.module(name);
    for (int i = 0; i < s.blocks[stage]; ++i) {
      const auto scope = b.module(fmt::format("{}.{}", name, i));
      x = resnet_block(b, x, s, planes, stage > 0 && i == 0 ? 2 : 1);
    }
  }
  x = b.flatten(b.global_average_pool("avgpool", x));
  b.output("output", b.dense("fc", x, 1000), {"batch", 1000});
  return std::move(b).finish();
}

constexpr Entry resnet_entry(std::string_view name, std::string_view description,
                             std::string_view paper = "He et al. 2016, arXiv:1512.03385") {
  return {name, "ResNet", description, paper, kOneImage, {.side = 224}, build_resnet};
}
constexpr std::string_view kNext = "Xie et al. 2017, arXiv:1611.05431";
constexpr std::string_view kWide = "Zagoruyko and Komodakis 2016, arXiv:1605.07146";
constexpr Entry kResnetEntries[] = {
    resnet_entry("resnet18", "ResNet-18: residual pairs of 3x3 convolutions"),
    resnet_entry("resnet34", "ResNet-34: residual pairs of 3x3 convolutions"),
    resnet_entry("resnet50", "ResNet-50 v1.5: residual bottlenecks"),
    resnet_entry("resnet101", "ResNet-101 v1.5: residual bottlenecks"),
    resnet_entry("resnet152", "ResNet-152 v1.5: residual bottlenecks"),
    resnet_entry("resnext50_32x4d", "ResNeXt-50: bottlenecks in 32 groups of 4", kNext),
    resnet_entry("resnext101_32x8d", "ResNeXt-101: bottlenecks in 32 groups of 8", kNext),
    resnet_entry("resnext101_64x4d", "ResNeXt-101: bottlenecks in 64 groups of 4", kNext),
    resnet_entry("wide_resnet50_2", "Wide ResNet-50-2: bottlenecks twice as wide", kWide),
    resnet_entry("wide_resnet101_2", "Wide ResNet-101-2: bottlenecks twice as wide", kWide),
};

}  // namespace

Family resnet() { return kResnetEntries; }

}  // namespace ridge::zoo
