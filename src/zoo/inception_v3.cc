// SPDX-License-Identifier: Apache-2.0
// Inception v3 without its auxiliary head (torchvision/models/inception.py). Kernels are given as
// height x width; blocks A to E are named as in the original.
#include "zoo/networks.h"

namespace ridge::zoo {
namespace {

constexpr std::int64_t kLong = 7;

Tensor conv_bn_relu(Builder& b, std::string_view leaf, Tensor x, const ConvOptions& o) {
  const auto scope = b.module(leaf);
  return b.relu("", b.batch_norm("bn", b.conv("conv", x, o)));
}

/// Convolutions with a 1 x n and an n x 1 window that preserve the size.
Tensor wide_conv(Builder& b, std::string_view leaf, Tensor x, std::int64_t out, std::int64_t n) {
  return conv_bn_relu(b, leaf, x,
                      {.out = out, .kernel = 1, .pad = 0, .kernel_width = n, .pad_width = n / 2});
}
Tensor tall_conv(Builder& b, std::string_view leaf, Tensor x, std::int64_t out, std::int64_t n) {
  return conv_bn_relu(b, leaf, x,
                      {.out = out, .kernel = n, .pad = n / 2, .kernel_width = 1, .pad_width = 0});
}
Tensor square_conv(Builder& b, std::string_view leaf, Tensor x, std::int64_t out, std::int64_t n) {
  return conv_bn_relu(b, leaf, x, {.out = out, .kernel = n, .pad = n / 2});
}
Tensor halving_conv(Builder& b, std::string_view leaf, Tensor x, std::int64_t out) {
  return conv_bn_relu(b, leaf, x, {.out = out, .kernel = 3, .stride = 2});
}

Tensor pooled_conv(Builder& b, Tensor x, std::int64_t out) {
  x = b.average_pool("", x, {.kernel = 3, .stride = 1, .pad = 1});
  return square_conv(b, "branch_pool", x, out, 1);
}

Tensor block_a(Builder& b, std::string_view name, Tensor x, std::int64_t pooled) {
  const auto scope = b.module(name);
  const Tensor one = square_conv(b, "branch1x1", x, 64, 1);
  const Tensor five = square_conv(b, "branch5x5_2", square_conv(b, "branch5x5_1", x, 48, 1), 64, 5);
  Tensor y = square_conv(b, "branch3x3dbl_2", square_conv(b, "branch3x3dbl_1", x, 64, 1), 96, 3);
  y = square_conv(b, "branch3x3dbl_3", y, 96, 3);
  return b.concat({one, five, y, pooled_conv(b, x, pooled)});
}

Tensor block_b(Builder& b, std::string_view name, Tensor x) {
  const auto scope = b.module(name);
  const Tensor three = halving_conv(b, "branch3x3", x, 384);
  Tensor y = square_conv(b, "branch3x3dbl_2", square_conv(b, "branch3x3dbl_1", x, 64, 1), 96, 3);
  y = halving_conv(b, "branch3x3dbl_3", y, 96);
  return b.concat({three, y, b.max_pool("", x, {.kernel = 3, .stride = 2})});
}

Tensor block_c(Builder& b, std::string_view name, Tensor x, std::int64_t width) {
  const auto scope = b.module(name);
  const Tensor one = square_conv(b, "branch1x1", x, 192, 1);
  Tensor seven =
      wide_conv(b, "branch7x7_2", square_conv(b, "branch7x7_1", x, width, 1), width, kLong);
  seven = tall_conv(b, "branch7x7_3", seven, 192, kLong);
  Tensor y =
      tall_conv(b, "branch7x7dbl_2", square_conv(b, "branch7x7dbl_1", x, width, 1), width, kLong);
  y = tall_conv(b, "branch7x7dbl_4", wide_conv(b, "branch7x7dbl_3", y, width, kLong), width, kLong);
  y = wide_conv(b, "branch7x7dbl_5", y, 192, kLong);
  return b.concat({one, seven, y, pooled_conv(b, x, 192)});
}

Tensor block_d(Builder& b, std::string_view name, Tensor x) {
  const auto scope = b.module(name);
  const Tensor three =
      halving_conv(b, "branch3x3_2", square_conv(b, "branch3x3_1", x, 192, 1), 320);
  Tensor y = wide_conv(b, "branch7x7x3_2", square_conv(b, "branch7x7x3_1", x, 192, 1), 192, kLong);
  y = halving_conv(b, "branch7x7x3_4", tall_conv(b, "branch7x7x3_3", y, 192, kLong), 192);
  return b.concat({three, y, b.max_pool("", x, {.kernel = 3, .stride = 2})});
}

/// Concatenates a 1x3 and a 3x1 convolution of the same input.
Tensor forked(Builder& b, const std::string& name, Tensor x) {
  const Tensor left = wide_conv(b, name + "a", x, 384, 3);
  return b.concat({left, tall_conv(b, name + "b", x, 384, 3)});
}

Tensor block_e(Builder& b, std::string_view name, Tensor x) {
  const auto scope = b.module(name);
  const Tensor one = square_conv(b, "branch1x1", x, 320, 1);
  const Tensor three = forked(b, "branch3x3_2", square_conv(b, "branch3x3_1", x, 384, 1));
  const Tensor y =
      square_conv(b, "branch3x3dbl_2", square_conv(b, "branch3x3dbl_1", x, 448, 1), 384, 3);
  const Tensor twice = forked(b, "branch3x3dbl_3", y);
  return b.concat({one, three, twice, pooled_conv(b, x, 192)});
}

Tensor stem(Builder& b, Tensor x) {
  x = conv_bn_relu(b, "Conv2d_2a_3x3", halving_conv(b, "Conv2d_1a_3x3", x, 32),
                   {.out = 32, .kernel = 3});
  x = square_conv(b, "Conv2d_2b_3x3", x, 64, 3);
  x = b.max_pool("maxpool1", x, {.kernel = 3, .stride = 2});
  x = conv_bn_relu(b, "Conv2d_4a_3x3", square_conv(b, "Conv2d_3b_1x1", x, 80, 1),
                   {.out = 192, .kernel = 3});
  return b.max_pool("maxpool2", x, {.kernel = 3, .stride = 2});
}

onnx::Document build_inception(const Request& request) {
  Builder b(request.network, request.batch_norm);
  Tensor x = stem(b, image_input(b, request.side));
  x = block_a(b, "Mixed_5c", block_a(b, "Mixed_5b", x, 32), 64);
  x = block_b(b, "Mixed_6a", block_a(b, "Mixed_5d", x, 64));
  x = block_c(b, "Mixed_6c", block_c(b, "Mixed_6b", x, 128), 160);
  x = block_c(b, "Mixed_6e", block_c(b, "Mixed_6d", x, 160), 192);
  x = block_e(b, "Mixed_7c", block_e(b, "Mixed_7b", block_d(b, "Mixed_7a", x)));
  x = b.flatten(b.global_average_pool("avgpool", x));
  b.output("output", b.dense("fc", x, 1000), {"batch", 1000});
  return std::move(b).finish();
}

constexpr Entry kInceptionEntries[] = {
    {"inception_v3",
     "Inception",
     "Inception v3: factorised convolutions in parallel branches",
     "Szegedy et al. 2016, arXiv:1512.00567",
     kOneImage,
     {.side = 299, .step = 1, .least = 75},
     build_inception}};

}  // namespace

Family inception() { return kInceptionEntries; }

}  // namespace ridge::zoo
