// EfficientNet B0 to B7 (torchvision/models/efficientnet.py): one network, scaled in width and
// depth.
#include <fmt/format.h>

#include <cmath>

#include "zoo/networks.h"

namespace ridge::zoo {
namespace {

constexpr float kResidualGain = 0.5F;
/// Gain after SiLU, whose mean square over a unit normal is 0.36, versus 0.5 for ReLU.
constexpr float kSiluGain = 2.8F;
/// Gain after squeeze-excitation, whose sigmoid halves activations.
constexpr float kExcitedGain = 4 * kSiluGain;

enum class Activation { kSilu, kNone };

struct Scale {
  std::string_view name;
  double width, depth;
};
constexpr Scale kScales[] = {{"efficientnet_b0", 1.0, 1.0}, {"efficientnet_b1", 1.0, 1.1},
                             {"efficientnet_b2", 1.1, 1.2}, {"efficientnet_b3", 1.2, 1.4},
                             {"efficientnet_b4", 1.4, 1.8}, {"efficientnet_b5", 1.6, 2.2},
                             {"efficientnet_b6", 1.8, 2.6}, {"efficientnet_b7", 2.0, 3.1}};

/// Rounds the scaled channels to a multiple of 8, but to at least nine tenths of the exact value.
std::int64_t widened(std::int64_t channels, const Scale& scale) {
  const double wanted = static_cast<double>(channels) * scale.width;
  const std::int64_t rounded = static_cast<std::int64_t>(wanted + 4) / 8 * 8;
  return static_cast<double>(rounded) < 0.9 * wanted ? rounded + 8 : rounded;
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

struct Stage {
  std::int64_t expand, kernel, stride, out;
  int repeat;
};
constexpr Stage kStages[] = {{1, 3, 1, 16, 1}, {6, 3, 2, 24, 2},  {6, 5, 2, 40, 2},
                             {6, 3, 2, 80, 3}, {6, 5, 1, 112, 3}, {6, 5, 2, 192, 4},
                             {6, 3, 1, 320, 1}};

Tensor mb_conv(Builder& b, Tensor x, const Stage& s, std::int64_t out, std::int64_t stride) {
  const auto scope = b.module("block");
  const std::int64_t hidden = x.width * s.expand;
  int child = 0;
  Tensor y = x;
  if (s.expand != 1)
    y = conv_bn(b, fmt::format("block.{}", child++), y, {.out = hidden}, Activation::kSilu);
  y = conv_bn(b, fmt::format("block.{}", child++), y,
              {.out = hidden, .kernel = s.kernel, .stride = stride, .groups = hidden, .gain = 1},
              Activation::kSilu);
  y = squeeze_excitation(b, fmt::format("block.{}", child++), y, x.width / 4);
  const bool residual = stride == 1 && x.width == out;
  return conv_bn(b, fmt::format("block.{}", child), y, {.out = out, .gain = kExcitedGain},
                 Activation::kNone, residual ? kResidualGain : 1);
}

Tensor features(Builder& b, Tensor x, const Scale& scale) {
  const auto scope = b.module("features");
  x = conv_bn(b, "features.0", x, {.out = widened(32, scale), .kernel = 3, .stride = 2},
              Activation::kSilu);
  int stage = 1;
  for (const Stage& s : kStages) {
    const std::string name = fmt::format("features.{}", stage++);
    const auto stage_scope = b.module(name);
    const std::int64_t out = widened(s.out, scale);
    const int blocks = static_cast<int>(std::ceil(s.repeat * scale.depth));
    for (int i = 0; i < blocks; ++i) {
      const auto block = b.module(fmt::format("{}.{}", name, i));
      const std::int64_t stride = i == 0 ? s.stride : 1;
      const Tensor y = mb_conv(b, x, s, out, stride);
      x = stride == 1 && x.width == out ? b.add(y, x) : y;
    }
  }
  return conv_bn(b, fmt::format("features.{}", stage), x, {.out = 4 * x.width}, Activation::kSilu);
}

onnx::Document build(const Request& request) {
  Builder b(request.network, request.batch_norm);
  Tensor x = features(b, image_input(b, request.side), row_of(kScales, request.network));
  x = b.flatten(b.global_average_pool("avgpool", x));
  const auto classifier = b.module("classifier");
  b.output("output", b.dense("classifier.1", x, 1000), {"batch", 1000});
  return std::move(b).finish();
}

constexpr Entry member(std::string_view name, std::string_view description, std::int64_t side) {
  return {name,      "EfficientNet", description, "Tan and Le 2019, arXiv:1905.11946",
          kOneImage, {.side = side}, build};
}
constexpr Entry kEntries[] = {
    member("efficientnet_b0",
           "EfficientNet-B0: mobile inverted bottlenecks with squeeze-excitation", 224),
    member("efficientnet_b1", "EfficientNet-B1: B0, deeper", 240),
    member("efficientnet_b2", "EfficientNet-B2: B0, wider and deeper", 288),
    member("efficientnet_b3", "EfficientNet-B3: B0, wider and deeper", 300),
    member("efficientnet_b4", "EfficientNet-B4: B0, wider and deeper", 380),
    member("efficientnet_b5", "EfficientNet-B5: B0, wider and deeper", 456),
    member("efficientnet_b6", "EfficientNet-B6: B0, wider and deeper", 528),
    member("efficientnet_b7", "EfficientNet-B7: B0, wider and deeper", 600),
};

}  // namespace

Family efficientnet() { return kEntries; }

}  // namespace ridge::zoo
