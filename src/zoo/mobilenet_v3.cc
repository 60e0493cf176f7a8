// SPDX-License-Identifier: Apache-2.0
// MobileNetV3 large and small, width 1.0 (torchvision/models/mobilenetv3.py).
#include <fmt/format.h>

#include <algorithm>

#include "zoo/networks.h"

namespace ridge::zoo {
namespace {

/// Gain after squeeze-excitation, whose gate halves activations.
constexpr float kMobilenetV3ExcitedGain = 8;

enum class MobilenetV3Activation : std::uint8_t { kRelu, kHardSwish, kNone };
enum class Excitation : std::uint8_t { kNone, kSqueezed };

struct MobilenetV3Block {
  std::int64_t kernel, expanded, out;
  Excitation excitation;
  MobilenetV3Activation activation;
  std::int64_t stride;
};
using enum MobilenetV3Activation;
constexpr Excitation kPlain = Excitation::kNone, kSqueezed = Excitation::kSqueezed;
constexpr MobilenetV3Block kLarge[] = {
    {3, 16, 16, kPlain, kRelu, 1},           {3, 64, 24, kPlain, kRelu, 2},
    {3, 72, 24, kPlain, kRelu, 1},           {5, 72, 40, kSqueezed, kRelu, 2},
    {5, 120, 40, kSqueezed, kRelu, 1},       {5, 120, 40, kSqueezed, kRelu, 1},
    {3, 240, 80, kPlain, kHardSwish, 2},     {3, 200, 80, kPlain, kHardSwish, 1},
    {3, 184, 80, kPlain, kHardSwish, 1},     {3, 184, 80, kPlain, kHardSwish, 1},
    {3, 480, 112, kSqueezed, kHardSwish, 1}, {3, 672, 112, kSqueezed, kHardSwish, 1},
    {5, 672, 160, kSqueezed, kHardSwish, 2}, {5, 960, 160, kSqueezed, kHardSwish, 1},
    {5, 960, 160, kSqueezed, kHardSwish, 1}};
constexpr MobilenetV3Block kSmall[] = {
    {3, 16, 16, kSqueezed, kRelu, 2},       {3, 72, 24, kPlain, kRelu, 2},
    {3, 88, 24, kPlain, kRelu, 1},          {5, 96, 40, kSqueezed, kHardSwish, 2},
    {5, 240, 40, kSqueezed, kHardSwish, 1}, {5, 240, 40, kSqueezed, kHardSwish, 1},
    {5, 120, 48, kSqueezed, kHardSwish, 1}, {5, 144, 48, kSqueezed, kHardSwish, 1},
    {5, 288, 96, kSqueezed, kHardSwish, 2}, {5, 576, 96, kSqueezed, kHardSwish, 1},
    {5, 576, 96, kSqueezed, kHardSwish, 1}};

/// Convolution, normalization, activation as children 0, 1, 2 of the module `name`.
Tensor mobilenet_v3_conv_bn(Builder& b, const std::string& name, Tensor x, ConvOptions o,
                            MobilenetV3Activation activation, float bn_gain = 1) {
  const auto scope = b.module(name);
  o.pad = o.kernel / 2;
  x = b.batch_norm(name + ".1", b.conv(name + ".0", x, o), bn_gain);
  if (activation == kNone) return x;
  return activation == kRelu ? b.relu(name + ".2", x) : b.hard_swish(name + ".2", x);
}

Tensor mobilenet_v3_squeeze_excitation(Builder& b, const std::string& name, Tensor x) {
  const auto scope = b.module(name);
  // Rounds a quarter of the channels to a multiple of 8, but to at least nine tenths of it.
  const std::int64_t rounded = std::max<std::int64_t>(8, (x.width / 4 + 4) / 8 * 8);
  const std::int64_t squeezed = 10 * rounded < 9 * (x.width / 4) ? rounded + 8 : rounded;
  Tensor s = b.global_average_pool("avgpool", x);
  s = b.relu("activation", b.conv("fc1", s, {.out = squeezed, .bias = true}));
  s = b.conv("fc2", s, {.out = x.width, .bias = true});
  {
    const auto gate = b.module("scale_activation");
    s = b.op("HardSigmoid", {s}, {{"alpha", 1.0F / 6}});
  }
  return b.mul(s, x);
}

Tensor mobilenet_v3_inverted_residual(Builder& b, Tensor x, const MobilenetV3Block& o) {
  const auto scope = b.module("block");
  int child = 0;
  const auto next = [&] { return fmt::format("block.{}", child++); };
  Tensor y = x;
  if (o.expanded != x.width)
    y = mobilenet_v3_conv_bn(b, next(), y, {.out = o.expanded}, o.activation);
  y = mobilenet_v3_conv_bn(
      b, next(), y,
      {.out = o.expanded, .kernel = o.kernel, .stride = o.stride, .groups = o.expanded},
      o.activation);
  const bool excited = o.excitation == kSqueezed;
  if (excited) y = mobilenet_v3_squeeze_excitation(b, next(), y);
  const bool residual = o.stride == 1 && x.width == o.out;
  return mobilenet_v3_conv_bn(b, next(), y,
                              {.out = o.out, .gain = excited ? kMobilenetV3ExcitedGain : 2.0F},
                              kNone, residual ? kResidualGain : 1);
}

Tensor mobilenet_v3_features(Builder& b, Tensor x, std::span<const MobilenetV3Block> blocks) {
  const auto scope = b.module("features");
  x = mobilenet_v3_conv_bn(b, "features.0", x, {.out = 16, .kernel = 3, .stride = 2}, kHardSwish);
  int index = 1;
  for (const MobilenetV3Block& o : blocks) {
    const auto block = b.module(fmt::format("features.{}", index++));
    const Tensor y = mobilenet_v3_inverted_residual(b, x, o);
    x = o.stride == 1 && x.width == o.out ? b.add(y, x) : y;
  }
  return mobilenet_v3_conv_bn(b, fmt::format("features.{}", index), x, {.out = 6 * x.width},
                              kHardSwish);
}

onnx::Document build_mobilenet_v3(const Request& request) {
  const bool large = request.network == "mobilenet_v3_large";
  Builder b(request.network, request.batch_norm);
  Tensor x = mobilenet_v3_features(b, image_input(b, request.side),
                                   large ? std::span<const MobilenetV3Block>(kLarge)
                                         : std::span<const MobilenetV3Block>(kSmall));
  x = b.flatten(b.global_average_pool("avgpool", x));
  const auto classifier = b.module("classifier");
  x = b.hard_swish("classifier.1", b.dense("classifier.0", x, large ? 1280 : 1024));
  b.output("output", b.dense("classifier.3", x, 1000), {"batch", 1000});
  return std::move(b).finish();
}

constexpr std::string_view kMobilenetV3Family = "MobileNet",
                           kMobilenetV3Paper = "Howard et al. 2019, arXiv:1905.02244";
constexpr Entry kMobilenetV3Entries[] = {{"mobilenet_v3_large",
                                          kMobilenetV3Family,
                                          "MobileNetV3 large: squeeze-excitation, hard swish",
                                          kMobilenetV3Paper,
                                          kOneImage,
                                          {.side = 224},
                                          build_mobilenet_v3},
                                         {"mobilenet_v3_small",
                                          kMobilenetV3Family,
                                          "MobileNetV3 small: squeeze-excitation, hard swish",
                                          kMobilenetV3Paper,
                                          kOneImage,
                                          {.side = 224},
                                          build_mobilenet_v3}};

}  // namespace

Family mobilenet_v3() { return kMobilenetV3Entries; }

}  // namespace ridge::zoo
