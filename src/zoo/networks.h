// The families of the zoo, one file each: a table of members and what builds them. Structure and
// sizes are those of the paper's own code or of torchvision, Hugging Face, OpenAI and Ultralytics
// (named in each file), before BatchNormalization is folded.
#pragma once

#include "zoo/zoo.h"

namespace ridge::zoo {

inline constexpr DefaultSize kOneImage[] = {{"batch", 1}};
inline constexpr DefaultSize kOneText[] = {{"batch", 1}, {"sequence", 128}};

using Family = std::span<const Entry>;

Family alexnet();
Family vgg();
Family squeezenet();
Family googlenet();
Family inception();
Family resnet();
Family densenet();
Family mobilenet_v2();
Family mobilenet_v3();
Family shufflenet_v2();
Family efficientnet();
Family convnext();
Family vision_transformer();
Family swin();
Family yolo();
Family bert();
Family gpt();

/// The input [batch, 3, side, side] that all image networks begin with.
inline Tensor image_input(Builder& b, std::int64_t side) {
  return b.input("input", onnx::DataType::kFloat, {"batch", 3, side, side}, 3);
}

/// The row of a family's own table that has this name.
template <typename Row, std::size_t N>
const Row& row_of(const Row (&table)[N], std::string_view name) {
  for (const Row& row : table)
    if (row.name == name) return row;
  return table[0];
}

/// A side after a window of `stride`, padded by half its kernel.
constexpr std::int64_t strided(std::int64_t side, std::int64_t stride) {
  return (side + stride - 1) / stride;
}

}  // namespace ridge::zoo
