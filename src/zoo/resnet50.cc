// ResNet-50 v1.5: the stride of a stage stands in its 3x3 convolution
// (torchvision/models/resnet.py).
#include <fmt/format.h>

#include "zoo/builder.h"
#include "zoo/networks.h"

namespace ridge::zoo {
namespace {

constexpr std::int64_t kExpansion = 4;
/// Of the last normalisation in a block, so that sixteen additions do not blow activations up.
constexpr float kResidualGain = 0.5F;

Tensor bottleneck(Builder& b, Tensor x, std::int64_t width, std::int64_t stride) {
  Tensor y = b.relu("relu", b.batch_norm("bn1", b.conv("conv1", x, {.out = width})));
  y = b.conv("conv2", y, {.out = width, .kernel = 3, .stride = stride, .pad = 1});
  y = b.relu("relu", b.batch_norm("bn2", y));
  y = b.batch_norm("bn3", b.conv("conv3", y, {.out = width * kExpansion, .gain = 1}),
                   kResidualGain);
  if (stride != 1 || x.width != y.width) {
    const auto downsample = b.module("downsample");
    x = b.conv("downsample.0", x, {.out = y.width, .stride = stride, .gain = 1});
    x = b.batch_norm("downsample.1", x);
  }
  return b.relu("relu", b.add(y, x));
}

}  // namespace

onnx::Document resnet50() {
  Builder b("resnet50");
  Tensor x = b.input("input", onnx::DataType::kFloat, {"batch", 3, 224, 224}, 3);
  x = b.conv("conv1", x, {.out = 64, .kernel = 7, .stride = 2, .pad = 3});
  x = b.relu("relu", b.batch_norm("bn1", x));
  x = b.max_pool("maxpool", x, 3, 2, 1);
  constexpr int kBlocks[] = {3, 4, 6, 3};
  std::int64_t width = 64;
  for (int stage = 0; stage < 4; ++stage, width *= 2) {
    const std::string name = fmt::format("layer{}", stage + 1);
    const auto layer = b.module(name);
    for (int block = 0; block < kBlocks[stage]; ++block) {
      const auto scope = b.module(fmt::format("{}.{}", name, block));
      x = bottleneck(b, x, width, stage > 0 && block == 0 ? 2 : 1);
    }
  }
  x = b.flatten(b.global_average_pool("avgpool", x));
  b.output("output", b.dense("fc", x, 1000), {"batch", 1000});
  return std::move(b).finish();
}

}  // namespace ridge::zoo
