// SPDX-License-Identifier: Apache-2.0
// ShuffleNetV2 (torchvision/models/shufflenetv2.py): half of the channels bypass the block, then
// the two halves are interleaved.
#include <fmt/format.h>

#include "zoo/networks.h"

namespace ridge::zoo {
namespace {

struct ShufflenetShape {
  std::string_view name;
  std::int64_t widths[3], last;
};
constexpr ShufflenetShape kShufflenetShapes[] = {{"shufflenet_v2_x0_5", {48, 96, 192}, 1024},
                                                 {"shufflenet_v2_x1_0", {116, 232, 464}, 1024},
                                                 {"shufflenet_v2_x1_5", {176, 352, 704}, 1024},
                                                 {"shufflenet_v2_x2_0", {244, 488, 976}, 2048}};
constexpr int kRepeats[] = {4, 8, 4};

/// The children of a branch have consecutive numbers; `child`: the convolution's number.
Tensor pointwise(Builder& b, const std::string& branch, int child, Tensor x, std::int64_t out) {
  x = b.conv(fmt::format("{}.{}", branch, child), x, {.out = out});
  x = b.batch_norm(fmt::format("{}.{}", branch, child + 1), x);
  return b.relu(fmt::format("{}.{}", branch, child + 2), x);
}

Tensor depthwise(Builder& b, const std::string& branch, int child, Tensor x, std::int64_t stride) {
  x = b.conv(
      fmt::format("{}.{}", branch, child), x,
      {.out = x.width, .kernel = 3, .stride = stride, .pad = 1, .groups = x.width, .gain = 1});
  return b.batch_norm(fmt::format("{}.{}", branch, child + 1), x);
}

Tensor transforming_branch(Builder& b, Tensor x, std::int64_t out, std::int64_t stride) {
  const auto scope = b.module("branch2");
  x = depthwise(b, "branch2", 3, pointwise(b, "branch2", 0, x, out), stride);
  return pointwise(b, "branch2", 5, x, out);
}

Tensor projecting_branch(Builder& b, Tensor x, std::int64_t out) {
  const auto scope = b.module("branch1");
  return pointwise(b, "branch1", 2, depthwise(b, "branch1", 0, x, 2), out);
}

Tensor shuffled(Builder& b, Tensor x, std::int64_t side) {
  const std::int64_t width = x.width;
  x = b.reshape(x, {0, 2, width / 2, side, side}, width);
  return b.reshape(b.transpose(x, {0, 2, 1, 3, 4}), {0, width, side, side}, width);
}

Tensor shufflenet_block(Builder& b, Tensor x, std::int64_t out, std::int64_t stride,
                        std::int64_t side) {
  if (stride == 2) {
    const Tensor left = projecting_branch(b, x, out / 2);
    return shuffled(b, b.concat({left, transforming_branch(b, x, out / 2, 2)}), side);
  }
  const std::vector<Tensor> halves = b.op_many("Split", {x}, {{"axis", 1}}, 2, out / 2);
  return shuffled(b, b.concat({halves[0], transforming_branch(b, halves[1], out / 2, 1)}), side);
}

Tensor shufflenet_conv_bn_relu(Builder& b, const std::string& name, Tensor x,
                               const ConvOptions& o) {
  const auto scope = b.module(name);
  x = b.batch_norm(name + ".1", b.conv(name + ".0", x, o));
  return b.relu(name + ".2", x);
}

onnx::Document build_shufflenet(const Request& request) {
  const ShufflenetShape& s = row_of(kShufflenetShapes, request.network);
  Builder b(request.network, request.batch_norm);
  Tensor x = image_input(b, request.side);
  x = shufflenet_conv_bn_relu(b, "conv1", x, {.out = 24, .kernel = 3, .stride = 2, .pad = 1});
  x = b.max_pool("maxpool", x, {.kernel = 3, .stride = 2, .pad = 1});
  std::int64_t side = strided(strided(request.side, 2), 2);
  for (int stage = 0; stage < 3; ++stage) {
    const std::string name = fmt::format("stage{}", stage + 2);
    const auto scope = b.module(name);
    side = strided(side, 2);
    for (int i = 0; i < kRepeats[stage]; ++i) {
      const auto unit = b.module(fmt::format("{}.{}", name, i));
      x = shufflenet_block(b, x, s.widths[stage], i == 0 ? 2 : 1, side);
    }
  }
  x = shufflenet_conv_bn_relu(b, "conv5", x, {.out = s.last});
  x = b.op("ReduceMean", {x}, {{"axes", std::vector<std::int64_t>{2, 3}}, {"keepdims", 0}});
  b.output("output", b.dense("fc", x, 1000), {"batch", 1000});
  return std::move(b).finish();
}

constexpr Entry shufflenet_entry(std::string_view name, std::string_view description) {
  return {name,      "ShuffleNet",  description,     "Ma et al. 2018, arXiv:1807.11164",
          kOneImage, {.side = 224}, build_shufflenet};
}
constexpr Entry kShufflenetEntries[] = {
    shufflenet_entry("shufflenet_v2_x0_5", "ShuffleNetV2 0.5: channels split and shuffled"),
    shufflenet_entry("shufflenet_v2_x1_0", "ShuffleNetV2 1.0: channels split and shuffled"),
    shufflenet_entry("shufflenet_v2_x1_5", "ShuffleNetV2 1.5: channels split and shuffled"),
    shufflenet_entry("shufflenet_v2_x2_0", "ShuffleNetV2 2.0: channels split and shuffled"),
};

}  // namespace

Family shufflenet_v2() { return kShufflenetEntries; }

}  // namespace ridge::zoo
