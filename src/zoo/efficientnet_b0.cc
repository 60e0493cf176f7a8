// EfficientNet-B0 (torchvision/models/efficientnet.py).
#include <fmt/format.h>

#include "zoo/builder.h"
#include "zoo/networks.h"

namespace ridge::zoo {
namespace {

constexpr float kResidualGain = 0.5F;
/// Mean square of SiLU over a unit normal is 0.36, where ReLU's is 0.5.
constexpr float kSiluGain = 2.8F;
/// What follows squeeze-excitation: its sigmoid halves activations.
constexpr float kExcitedGain = 4 * kSiluGain;

enum class Activation { kSilu, kNone };

/// Convolution, normalisation, activation as children 0, 1, 2 of the module `name`.
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

Tensor mb_conv(Builder& b, Tensor x, const Stage& s, std::int64_t stride) {
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
  const bool residual = stride == 1 && x.width == s.out;
  return conv_bn(b, fmt::format("block.{}", child), y, {.out = s.out, .gain = kExcitedGain},
                 Activation::kNone, residual ? kResidualGain : 1);
}

Tensor features(Builder& b, Tensor x) {
  const auto scope = b.module("features");
  x = conv_bn(b, "features.0", x, {.out = 32, .kernel = 3, .stride = 2}, Activation::kSilu);
  int stage = 1;
  for (const Stage& s : kStages) {
    const std::string name = fmt::format("features.{}", stage++);
    const auto stage_scope = b.module(name);
    for (int i = 0; i < s.repeat; ++i) {
      const auto block = b.module(fmt::format("{}.{}", name, i));
      const std::int64_t stride = i == 0 ? s.stride : 1;
      const Tensor y = mb_conv(b, x, s, stride);
      x = stride == 1 && x.width == s.out ? b.add(y, x) : y;
    }
  }
  return conv_bn(b, fmt::format("features.{}", stage), x, {.out = 1280}, Activation::kSilu);
}

}  // namespace

onnx::Document efficientnet_b0() {
  Builder b("efficientnet_b0");
  Tensor x = b.input("input", onnx::DataType::kFloat, {"batch", 3, 224, 224}, 3);
  x = b.flatten(b.global_average_pool("avgpool", features(b, x)));
  const auto classifier = b.module("classifier");
  b.output("output", b.dense("classifier.1", x, 1000), {"batch", 1000});
  return std::move(b).finish();
}

}  // namespace ridge::zoo
