// SPDX-License-Identifier: Apache-2.0
// Two redesigns of ShuffleNetV2 1.0 (Ma et al. 2018), written as ONNX files.
//
//   redesign swap FILE        no shuffle: the halves change places instead of being interleaved
//   redesign residual FILE    no shuffle, split or concatenation in the units that keep the size
//
// Both are drawn over the builder of the zoo, so they have the names that PyTorch's exporter would
// give and `ridge diff` finds what they share with zoo:shufflenet_v2_x1_0. See README.md.
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "onnx/writer.h"
#include "zoo/builder.h"

namespace {

using ridge::zoo::Builder;
using ridge::zoo::ConvOptions;
using ridge::zoo::Tensor;

enum class Design { kSwap, kResidual };

constexpr std::int64_t kWidths[] = {116, 232, 464};
constexpr int kRepeats[] = {4, 8, 4};

Tensor pointwise(Builder& b, const std::string& branch, int child, Tensor x, std::int64_t out,
                 bool activate = true) {
  x = b.conv(fmt::format("{}.{}", branch, child), x, {.out = out});
  x = b.batch_norm(fmt::format("{}.{}", branch, child + 1), x);
  return activate ? b.relu(fmt::format("{}.{}", branch, child + 2), x) : x;
}

Tensor depthwise(Builder& b, const std::string& branch, int child, Tensor x, std::int64_t stride) {
  x = b.conv(
      fmt::format("{}.{}", branch, child), x,
      {.out = x.width, .kernel = 3, .stride = stride, .pad = 1, .groups = x.width, .gain = 1});
  return b.batch_norm(fmt::format("{}.{}", branch, child + 1), x);
}

Tensor transforming_branch(Builder& b, Tensor x, std::int64_t inside, std::int64_t out,
                           std::int64_t stride, bool activate = true) {
  const auto scope = b.module("branch2");
  x = depthwise(b, "branch2", 3, pointwise(b, "branch2", 0, x, inside), stride);
  return pointwise(b, "branch2", 5, x, out, activate);
}

Tensor projecting_branch(Builder& b, Tensor x, std::int64_t out) {
  const auto scope = b.module("branch1");
  return pointwise(b, "branch1", 2, depthwise(b, "branch1", 0, x, 2), out);
}

/// Halves the size; the same in both designs but for the shuffle, which is gone.
Tensor shrinking_unit(Builder& b, Tensor x, std::int64_t out) {
  const Tensor left = projecting_branch(b, x, out / 2);
  return b.concat({left, transforming_branch(b, x, out / 2, out / 2, 2)});
}

/// The half that passed by comes second, so that the next unit transforms it.
Tensor swapping_unit(Builder& b, Tensor x) {
  const std::int64_t half = x.width / 2;
  const std::vector<Tensor> halves = b.op_many("Split", {x}, {{"axis", 1}}, 2, half);
  return b.concat({transforming_branch(b, halves[1], half, half, 1), halves[0]});
}

/// All channels meet in both pointwise convolutions, so nothing has to be mixed.
Tensor residual_unit(Builder& b, Tensor x) {
  const Tensor branch = transforming_branch(b, x, x.width / 2, x.width, 1, false);
  return b.relu("relu", b.add(x, branch));
}

Tensor conv_bn_relu(Builder& b, const std::string& name, Tensor x, const ConvOptions& o) {
  const auto scope = b.module(name);
  x = b.batch_norm(name + ".1", b.conv(name + ".0", x, o));
  return b.relu(name + ".2", x);
}

ridge::onnx::Document draw(Design design) {
  Builder b("shufflenet_v2_x1_0");
  Tensor x = b.input("input", ridge::onnx::DataType::kFloat, {"batch", 3, 224, 224}, 3);
  x = conv_bn_relu(b, "conv1", x, {.out = 24, .kernel = 3, .stride = 2, .pad = 1});
  x = b.max_pool("maxpool", x, {.kernel = 3, .stride = 2, .pad = 1});
  for (int stage = 0; stage < 3; ++stage) {
    const std::string name = fmt::format("stage{}", stage + 2);
    const auto scope = b.module(name);
    for (int i = 0; i < kRepeats[stage]; ++i) {
      const auto unit = b.module(fmt::format("{}.{}", name, i));
      x = i == 0                    ? shrinking_unit(b, x, kWidths[stage])
          : design == Design::kSwap ? swapping_unit(b, x)
                                    : residual_unit(b, x);
    }
  }
  x = conv_bn_relu(b, "conv5", x, {.out = 1024});
  x = b.op("ReduceMean", {x}, {{"axes", std::vector<std::int64_t>{2, 3}}, {"keepdims", 0}});
  b.output("output", b.dense("fc", x, 1000), {"batch", 1000});
  return std::move(b).finish();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view design = argc == 3 ? argv[1] : "";
  if (design != "swap" && design != "residual") {
    std::fputs("usage: redesign swap|residual FILE\n", stderr);
    return 2;
  }
  const ridge::Result<void> written =
      ridge::onnx::write_file(draw(design == "swap" ? Design::kSwap : Design::kResidual), argv[2]);
  if (written.ok()) return 0;
  std::fputs(written.error().text().c_str(), stderr);
  return 3;
}
