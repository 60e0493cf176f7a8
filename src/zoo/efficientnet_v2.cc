// SPDX-License-Identifier: Apache-2.0
// EfficientNetV2-S and -T of timm (timm/models/efficientnet.py, efficientnetv2_rw_s and _rw_t),
// designed by its author: S from the figure of the paper before its code appeared, T smaller.
#include <fmt/format.h>

#include "zoo/networks.h"

namespace ridge::zoo {
namespace {

/// Gain of a projection after SiLU, whose mean square is 0.36 of a unit normal's variance, and more
/// of wider ones (0.5 in the limit, as of ReLU).
constexpr float kEfficientnetV2SiluGain = 2.4F;
/// Gain of a projection after squeeze-excitation, whose sigmoid halves activations.
constexpr float kEfficientnetV2ExcitedGain = 4 * kEfficientnetV2SiluGain;
/// Share of a branch's gain where its output is added to its input: each of 40 blocks adds a tenth
/// to the variance. It scales the convolution, not the normalization, so that folding keeps it.
constexpr float kResidualShare = 0.1F;

enum class BlockKind : std::uint8_t {
  kConv,      ///< one convolution (ConvBnAct)
  kEdge,      ///< 3x3 expansion, 1x1 projection (EdgeResidual)
  kInverted,  ///< 1x1 expansion, depthwise convolution, excitation, projection (InvertedResidual)
};

struct EfficientnetV2Stage {
  BlockKind block;
  int repeat;
  std::int64_t stride, expand, out;
};
constexpr EfficientnetV2Stage kStagesOfS[] = {
    {BlockKind::kEdge, 2, 1, 1, 24},      {BlockKind::kEdge, 4, 2, 4, 48},
    {BlockKind::kEdge, 4, 2, 4, 64},      {BlockKind::kInverted, 6, 2, 4, 128},
    {BlockKind::kInverted, 9, 1, 6, 160}, {BlockKind::kInverted, 15, 2, 6, 272}};
/// EfficientNetV2-S of the paper, 0.8 of its width and 0.9 of its depth.
constexpr EfficientnetV2Stage kStagesOfT[] = {
    {BlockKind::kConv, 2, 1, 1, 24},      {BlockKind::kEdge, 4, 2, 4, 40},
    {BlockKind::kEdge, 4, 2, 4, 48},      {BlockKind::kInverted, 6, 2, 4, 104},
    {BlockKind::kInverted, 9, 1, 6, 128}, {BlockKind::kInverted, 14, 2, 6, 208}};

struct EfficientnetV2Shape {
  std::string_view name;
  std::span<const EfficientnetV2Stage> stages;
  std::int64_t head;  ///< channels of the last convolution
};
constexpr EfficientnetV2Shape kEfficientnetV2Shapes[] = {{"efficientnetv2_rw_s", kStagesOfS, 1792},
                                                         {"efficientnetv2_rw_t", kStagesOfT, 1024}};

/// Convolution and normalization.
Tensor conv_norm(Builder& b, std::string_view conv, std::string_view norm, Tensor x,
                 ConvOptions o) {
  o.pad = o.kernel / 2;
  return b.batch_norm(norm, b.conv(conv, x, o));
}

/// Convolution, normalization and, as the child "act" of the normalization, SiLU.
Tensor conv_bn_silu(Builder& b, std::string_view conv, std::string_view norm, Tensor x,
                    const ConvOptions& o) {
  x = conv_norm(b, conv, norm, x, o);
  const auto scope = b.module(norm);
  return b.silu("act", x);
}

Tensor squeeze_excite(Builder& b, Tensor x, std::int64_t squeezed) {
  const auto scope = b.module("se");
  Tensor s = b.op("ReduceMean", {x}, {{"axes", std::vector<std::int64_t>{2, 3}}, {"keepdims", 1}});
  s = b.silu("act1", b.conv("conv_reduce", s, {.out = squeezed, .bias = true}));
  s = b.conv("conv_expand", s, {.out = x.width, .bias = true});
  {
    const auto gate = b.module("gate");
    s = b.op("Sigmoid", {s});
  }
  return b.mul(x, s);
}

Tensor residual_branch(Builder& b, Tensor x, const EfficientnetV2Stage& s, std::int64_t stride) {
  const float share = stride == 1 && x.width == s.out ? kResidualShare : 1;
  const std::int64_t hidden = x.width * s.expand, squeezed = x.width / 4;
  if (s.block == BlockKind::kConv)
    return conv_bn_silu(b, "conv", "bn1", x,
                        {.out = s.out, .kernel = 3, .stride = stride, .gain = 2 * share});
  if (s.block == BlockKind::kEdge) {
    x = conv_bn_silu(b, "conv_exp", "bn1", x,
                     {.out = hidden, .kernel = 3, .stride = stride, .gain = 1});
    return conv_norm(b, "conv_pwl", "bn2", x,
                     {.out = s.out, .gain = share * kEfficientnetV2SiluGain});
  }
  x = conv_bn_silu(b, "conv_pw", "bn1", x, {.out = hidden});
  x = conv_bn_silu(b, "conv_dw", "bn2", x,
                   {.out = hidden, .kernel = 3, .stride = stride, .groups = hidden, .gain = 1});
  x = squeeze_excite(b, x, squeezed);
  return conv_norm(b, "conv_pwl", "bn3", x,
                   {.out = s.out, .gain = share * kEfficientnetV2ExcitedGain});
}

Tensor all_stages(Builder& b, Tensor x, const EfficientnetV2Shape& shape) {
  const auto scope = b.module("blocks");
  int index = 0;
  for (const EfficientnetV2Stage& s : shape.stages) {
    const std::string name = fmt::format("blocks.{}", index++);
    const auto stage = b.module(name);
    for (int i = 0; i < s.repeat; ++i) {
      const auto block = b.module(fmt::format("{}.{}", name, i));
      const std::int64_t stride = i == 0 ? s.stride : 1;
      const Tensor y = residual_branch(b, x, s, stride);
      x = stride == 1 && x.width == s.out ? b.add(y, x) : y;
    }
  }
  return x;
}

onnx::Document build_efficientnet_v2(const Request& request) {
  const EfficientnetV2Shape& shape = row_of(kEfficientnetV2Shapes, request.network);
  Builder b(request.network, request.batch_norm);
  Tensor x = image_input(b, request.side);
  x = conv_bn_silu(b, "conv_stem", "bn1", x, {.out = 24, .kernel = 3, .stride = 2});
  x = conv_bn_silu(b, "conv_head", "bn2", all_stages(b, x, shape), {.out = shape.head});
  x = global_pool(b, x);
  b.output("output", b.dense("classifier", x, 1000), {"batch", 1000});
  return std::move(b).finish();
}

constexpr Entry efficientnet_v2_entry(std::string_view name, std::string_view description,
                                      std::int64_t side) {
  return {name,      "EfficientNet", description,          "Tan and Le 2021, arXiv:2104.00298",
          kOneImage, {.side = side}, build_efficientnet_v2};
}
constexpr Entry kEfficientnetV2Entries[] = {
    efficientnet_v2_entry("efficientnetv2_rw_s",
                          "EfficientNetV2-S of timm: its last stage and head wider", 288),
    efficientnet_v2_entry("efficientnetv2_rw_t",
                          "EfficientNetV2-T of timm: S, narrower and shallower", 224),
};

}  // namespace

Family efficientnet_v2() { return kEfficientnetV2Entries; }

}  // namespace ridge::zoo
