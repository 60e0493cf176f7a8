// SPDX-License-Identifier: Apache-2.0
// GoogLeNet (Inception v1) with BatchNormalization, without its auxiliary heads
// (torchvision/models/googlenet.py, whose "5x5" branch is a 3x3 convolution).
#include "zoo/networks.h"

namespace ridge::zoo {
namespace {

Tensor googlenet_conv_bn_relu(Builder& b, std::string_view leaf, Tensor x, const ConvOptions& o) {
  const auto scope = b.module(leaf);
  return b.relu("", b.batch_norm("bn", b.conv("conv", x, o)));
}

Tensor reduced_branch(Builder& b, std::string_view name, Tensor x, std::int64_t reduced,
                      std::int64_t out) {
  const auto scope = b.module(name);
  x = googlenet_conv_bn_relu(b, std::string(name) + ".0", x, {.out = reduced});
  return googlenet_conv_bn_relu(b, std::string(name) + ".1", x,
                                {.out = out, .kernel = 3, .pad = 1});
}

struct Inception {
  std::string_view name;
  std::int64_t one, reduced_three, three, reduced_five, five, pooled;
};

Tensor inception_block(Builder& b, Tensor x, const Inception& o) {
  const auto scope = b.module(o.name);
  const Tensor one = googlenet_conv_bn_relu(b, "branch1", x, {.out = o.one});
  const Tensor three = reduced_branch(b, "branch2", x, o.reduced_three, o.three);
  const Tensor five = reduced_branch(b, "branch3", x, o.reduced_five, o.five);
  const auto branch = b.module("branch4");
  Tensor y = b.max_pool("branch4.0", x, {.kernel = 3, .stride = 1, .pad = 1, .ceil = true});
  y = googlenet_conv_bn_relu(b, "branch4.1", y, {.out = o.pooled});
  return b.concat({one, three, five, y});
}

constexpr Inception kInceptions[] = {
    {"inception3a", 64, 96, 128, 16, 32, 32},     {"inception3b", 128, 128, 192, 32, 96, 64},
    {"inception4a", 192, 96, 208, 16, 48, 64},    {"inception4b", 160, 112, 224, 24, 64, 64},
    {"inception4c", 128, 128, 256, 24, 64, 64},   {"inception4d", 112, 144, 288, 32, 64, 64},
    {"inception4e", 256, 160, 320, 32, 128, 128}, {"inception5a", 256, 160, 320, 32, 128, 128},
    {"inception5b", 384, 192, 384, 48, 128, 128}};

onnx::Document build_googlenet(const Request& request) {
  constexpr PoolOptions kHalve{.kernel = 3, .stride = 2, .ceil = true};
  Builder b(request.network, request.batch_norm);
  Tensor x = image_input(b, request.side);
  x = googlenet_conv_bn_relu(b, "conv1", x, {.out = 64, .kernel = 7, .stride = 2, .pad = 3});
  x = b.max_pool("maxpool1", x, kHalve);
  x = googlenet_conv_bn_relu(b, "conv2", x, {.out = 64});
  x = googlenet_conv_bn_relu(b, "conv3", x, {.out = 192, .kernel = 3, .pad = 1});
  x = b.max_pool("maxpool2", x, kHalve);
  for (const Inception& o : kInceptions) {
    if (o.name == "inception4a") x = b.max_pool("maxpool3", x, kHalve);
    if (o.name == "inception5a")
      x = b.max_pool("maxpool4", x, {.kernel = 2, .stride = 2, .ceil = true});
    x = inception_block(b, x, o);
  }
  x = b.flatten(b.global_average_pool("avgpool", x));
  b.output("output", b.dense("fc", x, 1000), {"batch", 1000});
  return std::move(b).finish();
}

constexpr Entry kGooglenetEntries[] = {{"googlenet",
                                        "Inception",
                                        "GoogLeNet (Inception v1) with BatchNormalization",
                                        "Szegedy et al. 2015, arXiv:1409.4842",
                                        kOneImage,
                                        {.side = 224},
                                        build_googlenet}};

}  // namespace

Family googlenet() { return kGooglenetEntries; }

}  // namespace ridge::zoo
