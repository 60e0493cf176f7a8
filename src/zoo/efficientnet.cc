// SPDX-License-Identifier: Apache-2.0
// EfficientNet B0 to B7 (torchvision/models/efficientnet.py): one network, scaled in width and
// depth; EfficientNetV2-S (same file).
#include <fmt/format.h>

#include <cmath>

#include "zoo/networks.h"

namespace ridge::zoo {
namespace {

/// Gain after SiLU, whose mean square over a unit normal is 0.36, versus 0.5 for ReLU.
constexpr float kEfficientnetSiluGain = 2.8F;
/// Gain after squeeze-excitation, whose sigmoid halves activations.
constexpr float kEfficientnetExcitedGain = 4 * kEfficientnetSiluGain;

enum class Activation { kSilu, kNone };

enum class EfficientnetBlock : std::uint8_t {
  kMbConv,       ///< 1x1 expansion, depthwise convolution, squeeze-excitation, 1x1 projection
  kFusedMbConv,  ///< one convolution instead of the first three
};

struct EfficientnetStage {
  std::int64_t expand, kernel, stride, out;
  int repeat;
  EfficientnetBlock block = EfficientnetBlock::kMbConv;
};
constexpr EfficientnetStage kEfficientnetStages[] = {
    {1, 3, 1, 16, 1},  {6, 3, 2, 24, 2},  {6, 5, 2, 40, 2}, {6, 3, 2, 80, 3},
    {6, 5, 1, 112, 3}, {6, 5, 2, 192, 4}, {6, 3, 1, 320, 1}};
constexpr EfficientnetStage kStagesOfV2S[] = {{1, 3, 1, 24, 2, EfficientnetBlock::kFusedMbConv},
                                              {4, 3, 2, 48, 4, EfficientnetBlock::kFusedMbConv},
                                              {4, 3, 2, 64, 4, EfficientnetBlock::kFusedMbConv},
                                              {4, 3, 2, 128, 6},
                                              {6, 3, 1, 160, 9},
                                              {6, 3, 2, 256, 15}};

struct EfficientnetScale {
  std::string_view name;
  double width, depth;
  std::span<const EfficientnetStage> stages = kEfficientnetStages;
  std::int64_t stem = 32;  ///< channels of the first convolution, before scaling
  std::int64_t head = 4;   ///< channels of the last convolution / channels of the last stage
  float share = 1;         ///< share of a projection's gain where a block adds its input
};
constexpr EfficientnetScale kEfficientnetScales[] = {
    {"efficientnet_b0", 1.0, 1.0},
    {"efficientnet_b1", 1.0, 1.1},
    {"efficientnet_b2", 1.1, 1.2},
    {"efficientnet_b3", 1.2, 1.4},
    {"efficientnet_b4", 1.4, 1.8},
    {"efficientnet_b5", 1.6, 2.2},
    {"efficientnet_b6", 1.8, 2.6},
    {"efficientnet_b7", 2.0, 3.1},
    {"efficientnet_v2_s", 1.0, 1.0, kStagesOfV2S, 24, 5, 0.1F}};

std::int64_t widened(std::int64_t channels, const EfficientnetScale& scale) {
  return divisible_channels(static_cast<double>(channels) * scale.width);
}

/// Convolution, normalization, activation as children 0, 1, 2 of the module `name`.
Tensor conv_bn(Builder& b, const std::string& name, Tensor x, ConvOptions o, Activation activation,
               float bn_gain = 1) {
  const auto scope = b.module(name);
  o.pad = o.kernel / 2;
  x = b.batch_norm(name + ".1", b.conv(name + ".0", x, o), bn_gain);
  return activation == Activation::kSilu ? b.silu(name + ".2", x) : x;
}

Tensor squeeze_excitation(Builder& b, const std::string& name, Tensor x, std::int64_t squeezed) {
  const auto scope = b.module(name);
  Tensor s = b.global_average_pool("avgpool", x);
  s = b.silu("activation", b.conv("fc1", s, {.out = squeezed, .bias = true}));
  s = b.conv("fc2", s, {.out = x.width, .bias = true});
  {
    const auto gate = b.module("scale_activation");
    s = b.op("Sigmoid", {s});
  }
  return b.mul(s, x);
}

bool is_residual(Tensor x, const EfficientnetStage& s) { return s.stride == 1 && x.width == s.out; }

Tensor mb_conv(Builder& b, Tensor x, const EfficientnetStage& s, float share) {
  const auto scope = b.module("block");
  const std::int64_t hidden = x.width * s.expand;
  int child = 0;
  Tensor y = x;
  if (s.expand != 1)
    y = conv_bn(b, fmt::format("block.{}", child++), y, {.out = hidden}, Activation::kSilu);
  y = conv_bn(b, fmt::format("block.{}", child++), y,
              {.out = hidden, .kernel = s.kernel, .stride = s.stride, .groups = hidden, .gain = 1},
              Activation::kSilu);
  y = squeeze_excitation(b, fmt::format("block.{}", child++), y, x.width / 4);
  return conv_bn(b, fmt::format("block.{}", child), y,
                 {.out = s.out, .gain = share * kEfficientnetExcitedGain}, Activation::kNone,
                 is_residual(x, s) ? kResidualGain : 1);
}

Tensor fused_mb_conv(Builder& b, Tensor x, const EfficientnetStage& s, float share) {
  const auto scope = b.module("block");
  const float bn_gain = is_residual(x, s) ? kResidualGain : 1;
  const ConvOptions window{
      .out = x.width * s.expand, .kernel = s.kernel, .stride = s.stride, .gain = 1};
  if (s.expand == 1) return conv_bn(b, "block.0", x, window, Activation::kSilu, bn_gain);
  x = conv_bn(b, "block.0", x, window, Activation::kSilu);
  return conv_bn(b, "block.1", x, {.out = s.out, .gain = share * kEfficientnetSiluGain},
                 Activation::kNone, bn_gain);
}

Tensor efficientnet_features(Builder& b, Tensor x, const EfficientnetScale& scale) {
  const auto scope = b.module("features");
  x = conv_bn(b, "features.0", x, {.out = widened(scale.stem, scale), .kernel = 3, .stride = 2},
              Activation::kSilu);
  int index = 1;
  for (EfficientnetStage s : scale.stages) {
    const std::string name = fmt::format("features.{}", index++);
    const auto stage_scope = b.module(name);
    s.out = widened(s.out, scale);
    const int blocks = static_cast<int>(std::ceil(s.repeat * scale.depth));
    for (int i = 0; i < blocks; ++i, s.stride = 1) {
      const auto block = b.module(fmt::format("{}.{}", name, i));
      const auto branch = s.block == EfficientnetBlock::kMbConv ? mb_conv : fused_mb_conv;
      x = is_residual(x, s) ? b.add(branch(b, x, s, scale.share), x) : branch(b, x, s, 1);
    }
  }
  return conv_bn(b, fmt::format("features.{}", index), x, {.out = scale.head * x.width},
                 Activation::kSilu);
}

onnx::Document build_efficientnet(const Request& request) {
  Builder b(request.network, request.batch_norm);
  Tensor x = efficientnet_features(b, image_input(b, request.side),
                                   row_of(kEfficientnetScales, request.network));
  x = b.flatten(b.global_average_pool("avgpool", x));
  const auto classifier = b.module("classifier");
  b.output("output", b.dense("classifier.1", x, 1000), {"batch", 1000});
  return std::move(b).finish();
}

constexpr Entry efficientnet_entry(std::string_view name, std::string_view description,
                                   std::int64_t side,
                                   std::string_view paper = "Tan and Le 2019, arXiv:1905.11946") {
  return {name, "EfficientNet", description, paper, kOneImage, {.side = side}, build_efficientnet};
}
constexpr Entry kEfficientnetEntries[] = {
    efficientnet_entry("efficientnet_b0",
                       "EfficientNet-B0: mobile inverted bottlenecks with squeeze-excitation", 224),
    efficientnet_entry("efficientnet_b1", "EfficientNet-B1: B0, deeper", 240),
    efficientnet_entry("efficientnet_b2", "EfficientNet-B2: B0, wider and deeper", 288),
    efficientnet_entry("efficientnet_b3", "EfficientNet-B3: B0, wider and deeper", 300),
    efficientnet_entry("efficientnet_b4", "EfficientNet-B4: B0, wider and deeper", 380),
    efficientnet_entry("efficientnet_b5", "EfficientNet-B5: B0, wider and deeper", 456),
    efficientnet_entry("efficientnet_b6", "EfficientNet-B6: B0, wider and deeper", 528),
    efficientnet_entry("efficientnet_b7", "EfficientNet-B7: B0, wider and deeper", 600),
    efficientnet_entry("efficientnet_v2_s",
                       "EfficientNetV2-S: fused inverted bottlenecks in its first stages", 384,
                       "Tan and Le 2021, arXiv:2104.00298"),
};

}  // namespace

Family efficientnet() { return kEfficientnetEntries; }

}  // namespace ridge::zoo
