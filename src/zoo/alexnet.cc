// SPDX-License-Identifier: Apache-2.0
// AlexNet in one tower (torchvision/models/alexnet.py). The adaptive pooling is written as
// exporters write it: an average pooling with a 1x1 window.
#include "zoo/networks.h"

namespace ridge::zoo {
namespace {

constexpr PoolOptions kAlexnetPool{.kernel = 3, .stride = 2};

Tensor alexnet_features(Builder& b, Tensor x) {
  const auto scope = b.module("features");
  x = b.conv("features.0", x, {.out = 64, .kernel = 11, .stride = 4, .pad = 2, .bias = true});
  x = b.max_pool("features.2", b.relu("features.1", x), kAlexnetPool);
  x = b.conv("features.3", x, {.out = 192, .kernel = 5, .pad = 2, .bias = true});
  x = b.max_pool("features.5", b.relu("features.4", x), kAlexnetPool);
  x = b.conv("features.6", x, {.out = 384, .kernel = 3, .pad = 1, .bias = true});
  x = b.relu("features.7", x);
  x = b.conv("features.8", x, {.out = 256, .kernel = 3, .pad = 1, .bias = true});
  x = b.relu("features.9", x);
  x = b.conv("features.10", x, {.out = 256, .kernel = 3, .pad = 1, .bias = true});
  return b.max_pool("features.12", b.relu("features.11", x), kAlexnetPool);
}

onnx::Document build_alexnet(const Request& request) {
  Builder b(request.network);
  Tensor x = alexnet_features(b, image_input(b, request.side));
  x = b.flatten(b.average_pool("avgpool", x, {.kernel = 1, .stride = 1}));
  x.width *= 6 * 6;
  const auto classifier = b.module("classifier");
  x = b.relu("classifier.2", b.dense("classifier.1", x, 4096));
  x = b.relu("classifier.5", b.dense("classifier.4", x, 4096));
  b.output("output", b.dense("classifier.6", x, 1000), {"batch", 1000});
  return std::move(b).finish();
}

constexpr Entry kAlexnetEntries[] = {{"alexnet",
                                      "AlexNet",
                                      "AlexNet: five convolutions, three dense layers",
                                      "Krizhevsky 2014, arXiv:1404.5997",
                                      kOneImage,
                                      {.side = 224, .step = 0},
                                      build_alexnet}};

}  // namespace

Family alexnet() { return kAlexnetEntries; }

}  // namespace ridge::zoo
