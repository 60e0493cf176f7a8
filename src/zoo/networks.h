// SPDX-License-Identifier: Apache-2.0
// Families of the zoo, one file each: a table of members and a function that builds them. Structure
// and sizes follow the paper's own code or torchvision, timm, Hugging Face, OpenAI and Ultralytics
// (named in each file), before BatchNormalization is folded.
#pragma once

#include "zoo/builder.h"
#include "zoo/entry.h"

namespace ridge::zoo {

inline constexpr DefaultSize kOneImage[] = {{"batch", 1}};
inline constexpr DefaultSize kOneText[] = {{"batch", 1}, {"sequence", 128}};

/// Gain of the last convolution or normalization before a residual addition; keeps activations
/// bounded over many additions.
inline constexpr float kResidualGain = 0.5F;

using Family = std::span<const Entry>;

Family alexnet();
Family vgg();
Family squeezenet();
Family googlenet();
Family inception();
Family inception_resnet();
Family resnet();
Family densenet();
Family mobilenet_v1();
Family mobilenet_v2();
Family mobilenet_v3();
Family shufflenet_v2();
Family efficientnet();
Family efficientnet_lite();
Family efficientnet_v2();
Family convnext();
Family vision_transformer();
Family vision_transformer_timm();
Family swin();
Family yolo();
Family bert();
Family gpt();
Family distilbert();
Family clip();
Family llama();
Family lstm();
Family mixer();
Family dlrm();
Family sd_unet();

/// Input [batch, 3, side, side] of all image networks.
inline Tensor image_input(Builder& b, std::int64_t side) {
  return b.input("input", onnx::DataType::kFloat, {"batch", 3, side, side}, 3);
}

/// Pooling before the classifier of timm's networks: [N, width].
inline Tensor global_pool(Builder& b, Tensor x) {
  const auto scope = b.module("global_pool");
  x = b.global_average_pool("pool", x);
  const auto flatten = b.module("flatten");
  return b.flatten(x);
}

/// Returns the row with this name of a family's table, or the first row.
template <typename Row, std::size_t N>
const Row& row_of(const Row (&table)[N], std::string_view name) {
  for (const Row& row : table)
    if (row.name == name) return row;
  return table[0];
}

/// Channels of a scaled network: a multiple of 8 near `wanted`, at least nine tenths of it
/// (make_divisible in torchvision).
constexpr std::int64_t divisible_channels(double wanted) {
  const std::int64_t rounded = static_cast<std::int64_t>(wanted + 4) / 8 * 8;
  return static_cast<double>(rounded) < 0.9 * wanted ? rounded + 8 : rounded;
}

/// Side after a window with `stride`, padded by half its kernel.
constexpr std::int64_t strided(std::int64_t side, std::int64_t stride) {
  return (side + stride - 1) / stride;
}

}  // namespace ridge::zoo
