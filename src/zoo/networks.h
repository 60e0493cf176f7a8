// Families of the zoo, one file each: a table of members and a function that builds them. Structure
// and sizes follow the paper's own code or torchvision, Hugging Face, OpenAI and Ultralytics (named
// in each file), before BatchNormalization is folded.
#pragma once

#include "zoo/builder.h"
#include "zoo/entry.h"

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

/// Input [batch, 3, side, side] of all image networks.
inline Tensor image_input(Builder& b, std::int64_t side) {
  return b.input("input", onnx::DataType::kFloat, {"batch", 3, side, side}, 3);
}

/// Returns the row with this name of a family's table, or the first row.
template <typename Row, std::size_t N>
const Row& row_of(const Row (&table)[N], std::string_view name) {
  for (const Row& row : table)
    if (row.name == name) return row;
  return table[0];
}

/// Side after a window with `stride`, padded by half its kernel.
constexpr std::int64_t strided(std::int64_t side, std::int64_t stride) {
  return (side + stride - 1) / stride;
}

}  // namespace ridge::zoo
