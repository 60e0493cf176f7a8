// SPDX-License-Identifier: Apache-2.0
// DenseNet (torchvision/models/densenet.py): each layer reads the outputs of all earlier layers of
// its block.
#include <fmt/format.h>

#include <vector>

#include "zoo/networks.h"

namespace ridge::zoo {
namespace {

struct DensenetShape {
  std::string_view name;
  std::int64_t growth, first;
  int layers[4];
};
constexpr DensenetShape kDensenetShapes[] = {{"densenet121", 32, 64, {6, 12, 24, 16}},
                                             {"densenet161", 48, 96, {6, 12, 36, 24}},
                                             {"densenet169", 32, 64, {6, 12, 32, 32}},
                                             {"densenet201", 32, 64, {6, 12, 48, 32}}};

Tensor normalized(Builder& b, std::string_view norm, std::string_view relu, Tensor x) {
  return b.relu(relu, b.batch_norm(norm, x));
}

Tensor dense_block(Builder& b, int index, Tensor x, const DensenetShape& s) {
  const auto scope = b.module(fmt::format("denseblock{}", index + 1));
  std::vector<Tensor> made{x};
  for (int i = 0; i < s.layers[index]; ++i) {
    const auto layer = b.module(fmt::format("denselayer{}", i + 1));
    Tensor y = made.size() == 1 ? x : b.concat(made);
    y = b.conv("conv1", normalized(b, "norm1", "relu1", y), {.out = 4 * s.growth});
    y = normalized(b, "norm2", "relu2", y);
    made.push_back(b.conv("conv2", y, {.out = s.growth, .kernel = 3, .pad = 1, .gain = 1}));
  }
  return b.concat(made);
}

Tensor densenet_features(Builder& b, Tensor x, const DensenetShape& s) {
  const auto scope = b.module("features");
  x = b.conv("conv0", x, {.out = s.first, .kernel = 7, .stride = 2, .pad = 3});
  x = normalized(b, "norm0", "relu0", x);
  x = b.max_pool("pool0", x, {.kernel = 3, .stride = 2, .pad = 1});
  for (int i = 0; i < 4; ++i) {
    x = dense_block(b, i, x, s);
    if (i == 3) break;
    const auto transition = b.module(fmt::format("transition{}", i + 1));
    x = b.conv("conv", normalized(b, "norm", "relu", x), {.out = x.width / 2, .gain = 1});
    x = b.average_pool("pool", x, {.kernel = 2, .stride = 2});
  }
  return b.batch_norm("norm5", x);
}

onnx::Document build_densenet(const Request& request) {
  Builder b(request.network, request.batch_norm);
  Tensor x =
      densenet_features(b, image_input(b, request.side), row_of(kDensenetShapes, request.network));
  x = b.flatten(b.global_average_pool("", b.relu("", x)));
  b.output("output", b.dense("classifier", x, 1000), {"batch", 1000});
  return std::move(b).finish();
}

constexpr Entry densenet_entry(std::string_view name, std::string_view description) {
  return {name,      "DenseNet",    description,   "Huang et al. 2017, arXiv:1608.06993",
          kOneImage, {.side = 224}, build_densenet};
}
constexpr Entry kDensenetEntries[] = {
    densenet_entry("densenet121", "DenseNet-121: dense blocks, growth 32"),
    densenet_entry("densenet161", "DenseNet-161: dense blocks, growth 48"),
    densenet_entry("densenet169", "DenseNet-169: dense blocks, growth 32"),
    densenet_entry("densenet201", "DenseNet-201: dense blocks, growth 32")};

}  // namespace

Family densenet() { return kDensenetEntries; }

}  // namespace ridge::zoo
