// SPDX-License-Identifier: Apache-2.0
// VGG, with and without BatchNormalization (torchvision/models/vgg.py). The input of the adaptive
// pooling before the classifier already has 7x7 positions, so it is written as exporters write it:
// an average pooling with a 1x1 window.
#include <fmt/format.h>

#include "zoo/networks.h"

namespace ridge::zoo {
namespace {

/// Number of convolutions in the five stages, whose widths double from 64 to 512.
struct VggShape {
  std::string_view name;
  int convolutions[5];
};
constexpr VggShape kVggShapes[] = {{"vgg11", {1, 1, 2, 2, 2}},
                                   {"vgg13", {2, 2, 2, 2, 2}},
                                   {"vgg16", {2, 2, 3, 3, 3}},
                                   {"vgg19", {2, 2, 4, 4, 4}}};
constexpr std::string_view kNormalized = "_bn";

Tensor vgg_features(Builder& b, Tensor x, const VggShape& s, bool normalized) {
  const auto scope = b.module("features");
  int child = 0;
  const auto next = [&] { return fmt::format("features.{}", child++); };
  std::int64_t width = 64;
  for (const int count : s.convolutions) {
    for (int i = 0; i < count; ++i) {
      x = b.conv(next(), x, {.out = width, .kernel = 3, .pad = 1, .bias = true});
      if (normalized) x = b.batch_norm(next(), x);
      x = b.relu(next(), x);
    }
    x = b.max_pool(next(), x, {.kernel = 2, .stride = 2});
    width = std::min<std::int64_t>(512, width * 2);
  }
  return x;
}

onnx::Document build_vgg(const Request& request) {
  const bool normalized = request.network.ends_with(kNormalized);
  const VggShape& s = row_of(kVggShapes, request.network.substr(0, request.network.find('_')));
  Builder b(request.network, request.batch_norm);
  Tensor x = vgg_features(b, image_input(b, request.side), s, normalized);
  x = b.flatten(b.average_pool("avgpool", x, {.kernel = 1, .stride = 1}));
  x.width *= 7 * 7;
  const auto classifier = b.module("classifier");
  x = b.relu("classifier.1", b.dense("classifier.0", x, 4096));
  x = b.relu("classifier.4", b.dense("classifier.3", x, 4096));
  b.output("output", b.dense("classifier.6", x, 1000), {"batch", 1000});
  return std::move(b).finish();
}

constexpr Entry vgg_entry(std::string_view name, std::string_view description) {
  return {name,        "VGG",
          description, "Simonyan and Zisserman 2015, arXiv:1409.1556",
          kOneImage,   {.side = 224, .step = 0},
          build_vgg};
}
constexpr Entry kVggEntries[] = {
    vgg_entry("vgg11", "VGG-11: 3x3 convolutions, three dense layers"),
    vgg_entry("vgg11_bn", "VGG-11 with BatchNormalization"),
    vgg_entry("vgg13", "VGG-13: 3x3 convolutions, three dense layers"),
    vgg_entry("vgg13_bn", "VGG-13 with BatchNormalization"),
    vgg_entry("vgg16", "VGG-16: 3x3 convolutions, three dense layers"),
    vgg_entry("vgg16_bn", "VGG-16 with BatchNormalization"),
    vgg_entry("vgg19", "VGG-19: 3x3 convolutions, three dense layers"),
    vgg_entry("vgg19_bn", "VGG-19 with BatchNormalization"),
};

}  // namespace

Family vgg() { return kVggEntries; }

}  // namespace ridge::zoo
