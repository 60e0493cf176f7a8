// SPDX-License-Identifier: Apache-2.0
// Inception-ResNet-v2 (timm/models/inception_resnet_v2.py). Blocks are named as in the original.
#include <fmt/format.h>

#include <initializer_list>

#include "zoo/networks.h"

namespace ridge::zoo {
namespace {

/// Convolutions that preserve the size, with an n x n, a 1 x n or an n x 1 window (height x width).
ConvOptions square(std::int64_t out, std::int64_t n) {
  return {.out = out, .kernel = n, .pad = n / 2};
}
ConvOptions wide(std::int64_t out, std::int64_t n) {
  return {.out = out, .kernel = 1, .pad = 0, .kernel_width = n, .pad_width = n / 2};
}
ConvOptions tall(std::int64_t out, std::int64_t n) {
  return {.out = out, .kernel = n, .pad = n / 2, .kernel_width = 1, .pad_width = 0};
}
ConvOptions halved(std::int64_t out) { return {.out = out, .kernel = 3, .stride = 2}; }

/// Convolution, normalization and, as the child "act" of the normalization, ReLU.
Tensor normalized_conv(Builder& b, std::string_view leaf, Tensor x, const ConvOptions& o) {
  const auto scope = b.module(leaf);
  x = b.batch_norm("bn", b.conv("conv", x, o));
  const auto norm = b.module("bn");
  return b.relu("act", x);
}

using Layers = std::initializer_list<ConvOptions>;

/// Convolutions in sequence; several are children 0, 1, ... of the module `name`.
Tensor chain(Builder& b, const std::string& name, Tensor x, Layers layers) {
  if (layers.size() == 1) return normalized_conv(b, name, x, *layers.begin());
  const auto scope = b.module(name);
  int child = 0;
  for (const ConvOptions& o : layers)
    x = normalized_conv(b, fmt::format("{}.{}", name, child++), x, o);
  return x;
}

/// The branches named branch0, branch1, ... of the same input.
std::vector<Tensor> branches(Builder& b, Tensor x, std::initializer_list<Layers> all) {
  std::vector<Tensor> parts;
  for (const Layers& layers : all)
    parts.push_back(chain(b, fmt::format("branch{}", parts.size()), x, layers));
  return parts;
}

/// A 1x1 convolution of 3x3 averages, in which padded positions do not count.
Tensor pooled_branch(Builder& b, const std::string& name, Tensor x) {
  const auto scope = b.module(name);
  {
    const auto pool = b.module(name + ".0");
    x = b.op("AveragePool", {x},
             {{"ceil_mode", 0},
              {"count_include_pad", 0},
              {"kernel_shape", std::vector<std::int64_t>{3, 3}},
              {"pads", std::vector<std::int64_t>{1, 1, 1, 1}},
              {"strides", std::vector<std::int64_t>{1, 1}}});
  }
  return normalized_conv(b, name + ".1", x, square(64, 1));
}

Tensor mixed_5b(Builder& b, Tensor x) {
  const auto scope = b.module("mixed_5b");
  std::vector<Tensor> parts = branches(b, x,
                                       {{square(96, 1)},
                                        {square(48, 1), square(64, 5)},
                                        {square(64, 1), square(96, 3), square(96, 3)}});
  parts.push_back(pooled_branch(b, "branch3", x));
  return b.concat(parts);
}

/// A block that halves the size, with a pooled branch.
Tensor reduction(Builder& b, std::string_view name, Tensor x, std::initializer_list<Layers> all) {
  const auto scope = b.module(name);
  std::vector<Tensor> parts = branches(b, x, all);
  parts.push_back(b.max_pool(fmt::format("branch{}", parts.size()), x, {.kernel = 3, .stride = 2}));
  return b.concat(parts);
}

struct Residual {
  float scale;                  ///< factor of what is added to the input
  std::string_view activation;  ///< name of the ReLU's module; empty: no activation
};

Tensor residual(Builder& b, std::string_view name, Tensor x, const Residual& r,
                std::initializer_list<Layers> all) {
  const auto scope = b.module(name);
  Tensor y = b.concat(branches(b, x, all));
  y = b.conv("conv2d", y, {.out = x.width, .bias = true, .gain = 1});
  y = b.add(b.mul(y, b.scalar(r.scale)), x);
  return r.activation.empty() ? y : b.relu(r.activation, y);
}

Tensor block35(Builder& b, std::string_view name, Tensor x) {
  return residual(b, name, x, {0.17F, "act"},
                  {{square(32, 1)},
                   {square(32, 1), square(32, 3)},
                   {square(32, 1), square(48, 3), square(64, 3)}});
}
Tensor block17(Builder& b, std::string_view name, Tensor x) {
  return residual(b, name, x, {0.1F, "act"},
                  {{square(192, 1)}, {square(128, 1), wide(160, 7), tall(192, 7)}});
}
Tensor block8(Builder& b, std::string_view name, Tensor x, const Residual& r) {
  return residual(b, name, x, r, {{square(192, 1)}, {square(192, 1), wide(224, 3), tall(256, 3)}});
}
Tensor block8_relu(Builder& b, std::string_view name, Tensor x) {
  return block8(b, name, x, {0.2F, "relu"});
}

Tensor repeat_block(Builder& b, const std::string& name, Tensor x, int times,
                    Tensor (*block)(Builder&, std::string_view, Tensor)) {
  const auto scope = b.module(name);
  for (int i = 0; i < times; ++i) x = block(b, fmt::format("{}.{}", name, i), x);
  return x;
}

Tensor inception_resnet_stem(Builder& b, Tensor x) {
  x = normalized_conv(b, "conv2d_2a", normalized_conv(b, "conv2d_1a", x, halved(32)),
                      {.out = 32, .kernel = 3});
  x = normalized_conv(b, "conv2d_2b", x, square(64, 3));
  x = b.max_pool("maxpool_3a", x, {.kernel = 3, .stride = 2});
  x = normalized_conv(b, "conv2d_4a", normalized_conv(b, "conv2d_3b", x, square(80, 1)),
                      {.out = 192, .kernel = 3});
  return b.max_pool("maxpool_5a", x, {.kernel = 3, .stride = 2});
}

onnx::Document build_inception_resnet(const Request& request) {
  Builder b(request.network, request.batch_norm);
  Tensor x = mixed_5b(b, inception_resnet_stem(b, image_input(b, request.side)));
  x = repeat_block(b, "repeat", x, 10, block35);
  x = reduction(b, "mixed_6a", x, {{halved(384)}, {square(256, 1), square(256, 3), halved(384)}});
  x = repeat_block(b, "repeat_1", x, 20, block17);
  x = reduction(b, "mixed_7a", x,
                {{square(256, 1), halved(384)},
                 {square(256, 1), halved(288)},
                 {square(256, 1), square(288, 3), halved(320)}});
  x = repeat_block(b, "repeat_2", x, 9, block8_relu);
  x = block8(b, "block8", x, {1, ""});
  x = global_pool(b, normalized_conv(b, "conv2d_7b", x, square(1536, 1)));
  b.output("output", b.dense("classif", x, 1000), {"batch", 1000});
  return std::move(b).finish();
}

constexpr Entry kInceptionResnetEntries[] = {
    {"inception_resnet_v2",
     "Inception",
     "Inception-ResNet-v2: residual blocks of parallel branches",
     "Szegedy et al. 2017, arXiv:1602.07261",
     kOneImage,
     {.side = 299, .step = 1, .least = 75},
     build_inception_resnet}};

}  // namespace

Family inception_resnet() { return kInceptionResnetEntries; }

}  // namespace ridge::zoo
