// SPDX-License-Identifier: Apache-2.0
// ConvNeXt (torchvision/models/convnext.py): depthwise 7x7 convolutions, each followed by a
// transformer MLP in channels-last layout.
#include <fmt/format.h>

#include "zoo/networks.h"
#include "zoo/transformer.h"

namespace ridge::zoo {
namespace {

constexpr float kConvnextEpsilon = 1e-6F;
/// Scale of a block's branch; keeps activations bounded over many residual additions.
constexpr float kLayerScale = 0.5F;

struct ConvnextShape {
  std::string_view name;
  std::int64_t width;
  int depths[4];
};
constexpr ConvnextShape kConvnextShapes[] = {{"convnext_base", 128, {3, 3, 27, 3}},
                                             {"convnext_large", 192, {3, 3, 27, 3}},
                                             {"convnext_small", 96, {3, 3, 27, 3}},
                                             {"convnext_tiny", 96, {3, 3, 9, 3}}};

Tensor norm_channels(Builder& b, const std::string& leaf, Tensor x) {
  const auto scope = b.module(leaf);
  x = b.layer_norm("", b.transpose(x, {0, 2, 3, 1}), kConvnextEpsilon);
  return b.transpose(x, {0, 3, 1, 2});
}

Tensor convnext_block(Builder& b, Tensor x) {
  const std::int64_t width = x.width;
  Tensor y;
  {
    const auto scope = b.module("block");
    y = b.conv("block.0", x,
               {.out = width, .kernel = 7, .pad = 3, .groups = width, .bias = true, .gain = 1});
    y = b.layer_norm("block.2", b.transpose(y, {0, 2, 3, 1}), kConvnextEpsilon);
    y = b.linear("block.3", y, 4 * width);
    {
      const auto activation = b.module("block.4");
      y = gelu(b, y);
    }
    y = b.transpose(b.linear("block.5", y, width, 2), {0, 3, 1, 2});
  }
  y = b.mul(b.weight("layer_scale", {width, 1, 1}, kLayerScale, 0.1F), y);
  y.width = width;
  return b.add(y, x);
}

Tensor convnext_features(Builder& b, Tensor x, const ConvnextShape& s) {
  const auto scope = b.module("features");
  {
    const auto stem = b.module("features.0");
    x = b.conv("features.0.0", x,
               {.out = s.width, .kernel = 4, .stride = 4, .bias = true, .gain = 1});
    x = norm_channels(b, "features.0.1", x);
  }
  for (int stage = 0; stage < 4; ++stage) {
    const std::string down = fmt::format("features.{}", 2 * stage);
    if (stage > 0) {
      const auto downsample = b.module(down);
      x = norm_channels(b, down + ".0", x);
      x = b.conv(down + ".1", x,
                 {.out = 2 * x.width, .kernel = 2, .stride = 2, .bias = true, .gain = 1});
    }
    const std::string name = fmt::format("features.{}", 2 * stage + 1);
    const auto blocks = b.module(name);
    for (int i = 0; i < s.depths[stage]; ++i) {
      const auto one = b.module(fmt::format("{}.{}", name, i));
      x = convnext_block(b, x);
    }
  }
  return x;
}

onnx::Document build_convnext(const Request& request) {
  Builder b(request.network);
  Tensor x =
      convnext_features(b, image_input(b, request.side), row_of(kConvnextShapes, request.network));
  x = b.global_average_pool("avgpool", x);
  const auto classifier = b.module("classifier");
  x = b.flatten(norm_channels(b, "classifier.0", x));
  b.output("output", b.dense("classifier.2", x, 1000), {"batch", 1000});
  return std::move(b).finish();
}

constexpr Entry convnext_entry(std::string_view name, std::string_view description) {
  return {name,      "ConvNeXt",    description,   "Liu et al. 2022, arXiv:2201.03545",
          kOneImage, {.side = 224}, build_convnext};
}
constexpr Entry kConvnextEntries[] = {
    convnext_entry("convnext_tiny", "ConvNeXt-T: depthwise 7x7 convolutions and MLPs, width 96"),
    convnext_entry("convnext_small", "ConvNeXt-S: 27 blocks in its third stage, width 96"),
    convnext_entry("convnext_base", "ConvNeXt-B: 27 blocks in its third stage, width 128"),
    convnext_entry("convnext_large", "ConvNeXt-L: 27 blocks in its third stage, width 192")};

}  // namespace

Family convnext() { return kConvnextEntries; }

}  // namespace ridge::zoo
