// SPDX-License-Identifier: Apache-2.0
// SqueezeNet 1.0 and 1.1 (torchvision/models/squeezenet.py).
#include <fmt/format.h>

#include "zoo/networks.h"

namespace ridge::zoo {
namespace {

constexpr PoolOptions kSqueezenetPool{.kernel = 3, .stride = 2, .ceil = true};

Tensor fire(Builder& b, const std::string& name, Tensor x, std::int64_t squeeze,
            std::int64_t expand) {
  const auto scope = b.module(name);
  x = b.conv("squeeze", x, {.out = squeeze, .bias = true});
  x = b.relu("squeeze_activation", x);
  const Tensor narrow = b.conv("expand1x1", x, {.out = expand, .bias = true});
  const Tensor left = b.relu("expand1x1_activation", narrow);
  const Tensor wide = b.conv("expand3x3", x, {.out = expand, .kernel = 3, .pad = 1, .bias = true});
  return b.concat({left, b.relu("expand3x3_activation", wide)});
}

/// Squeezed and expanded channels of the eight modules. Version 1.0 pools before the first, fourth
/// and eighth module, 1.1 before the first, third and fifth.
constexpr std::int64_t kFires[][2] = {{16, 64},  {16, 64},  {32, 128}, {32, 128},
                                      {48, 192}, {48, 192}, {64, 256}, {64, 256}};

Tensor squeezenet_features(Builder& b, Tensor x, bool first) {
  const auto scope = b.module("features");
  x = first ? b.conv("features.0", x, {.out = 96, .kernel = 7, .stride = 2, .bias = true})
            : b.conv("features.0", x, {.out = 64, .kernel = 3, .stride = 2, .bias = true});
  x = b.relu("features.1", x);
  int child = 2;
  for (int i = 0; i < 8; ++i) {
    const bool pooled = i == 0 || (first ? i == 3 || i == 7 : i == 2 || i == 4);
    if (pooled) x = b.max_pool(fmt::format("features.{}", child++), x, kSqueezenetPool);
    x = fire(b, fmt::format("features.{}", child++), x, kFires[i][0], kFires[i][1]);
  }
  return x;
}

onnx::Document build_squeezenet(const Request& request) {
  Builder b(request.network);
  Tensor x =
      squeezenet_features(b, image_input(b, request.side), request.network == "squeezenet1_0");
  {
    const auto classifier = b.module("classifier");
    x = b.relu("classifier.2", b.conv("classifier.1", x, {.out = 1000, .bias = true}));
    x = b.global_average_pool("classifier.3", x);
  }
  b.output("output", b.flatten(x), {"batch", 1000});
  return std::move(b).finish();
}

constexpr std::string_view kSqueezenetFamily = "SqueezeNet",
                           kSqueezenetPaper = "Iandola et al. 2016, arXiv:1602.07360";
constexpr Entry kSqueezenetEntries[] = {{"squeezenet1_0",
                                         kSqueezenetFamily,
                                         "SqueezeNet 1.0: fire modules",
                                         kSqueezenetPaper,
                                         kOneImage,
                                         {.side = 224},
                                         build_squeezenet},
                                        {"squeezenet1_1",
                                         kSqueezenetFamily,
                                         "SqueezeNet 1.1: fire modules, pooled earlier",
                                         kSqueezenetPaper,
                                         kOneImage,
                                         {.side = 224},
                                         build_squeezenet}};

}  // namespace

Family squeezenet() { return kSqueezenetEntries; }

}  // namespace ridge::zoo
