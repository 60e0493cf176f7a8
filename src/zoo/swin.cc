// SPDX-License-Identifier: Apache-2.0
// Swin Transformer (torchvision/models/swin_transformer.py): attention in 7x7 windows, shifted by
// half a window in every second block.
#include <fmt/format.h>

#include <cmath>

#include "zoo/networks.h"
#include "zoo/transformer.h"

namespace ridge::zoo {
namespace {

constexpr std::int64_t kWindow = 7, kShift = kWindow / 2, kTokens = kWindow * kWindow;
constexpr float kSwinEpsilon = 1e-5F;

struct SwinShape {
  std::string_view name;
  std::int64_t width, heads;
  int depths[4];
};
constexpr SwinShape kSwinShapes[] = {{"swin_b", 128, 4, {2, 2, 18, 2}},
                                     {"swin_s", 96, 3, {2, 2, 18, 2}},
                                     {"swin_t", 96, 3, {2, 2, 6, 2}}};

/// Rotates [N, side, side, width] by `shift` positions along both axes: for side 4 and shift 1,
/// positions 0 1 2 3 become 1 2 3 0.
Tensor rolled(Builder& b, Tensor x, std::int64_t side, std::int64_t shift) {
  const std::int64_t cut = (shift + side) % side;
  for (const std::int64_t axis : {1, 2}) {
    const Tensor tail = b.op("Slice", {x, b.ints({cut}), b.ints({side}), b.ints({axis})});
    const Tensor head = b.op("Slice", {x, b.ints({0}), b.ints({cut}), b.ints({axis})});
    x = b.op("Concat", {tail, head}, {{"axis", axis}});
  }
  return x;
}

/// Moves windows to the batch axis: [N * windows, 49, width].
Tensor windows_of(Builder& b, Tensor x, std::int64_t side) {
  const std::int64_t n = side / kWindow;
  x = b.reshape(x, {0, n, kWindow, n, kWindow, x.width}, x.width);
  return b.reshape(b.transpose(x, {0, 1, 3, 2, 4, 5}), {-1, kTokens, x.width}, x.width);
}

Tensor windows_back(Builder& b, Tensor x, std::int64_t side) {
  const std::int64_t n = side / kWindow;
  x = b.reshape(x, {-1, n, n, kWindow, kWindow, x.width}, x.width);
  return b.reshape(b.transpose(x, {0, 1, 3, 2, 4, 5}), {0, side, side, x.width}, x.width);
}

/// Position bias [1, heads, 49, 49] from a table with one entry per offset between two positions.
///
/// The index of the pair (i, j) is (row offset + 6) * 13 + column offset + 6. Example: i = j has
/// offset (0, 0) and index 84, the center of the 169 entries; i = 0 (top left), j = 48 (bottom
/// right) has offset (-6, -6) and index 0.
Tensor position_bias(Builder& b, std::int64_t heads) {
  constexpr std::int64_t kSpan = 2 * kWindow - 1;
  std::vector<std::int64_t> index;
  for (std::int64_t i = 0; i < kTokens; ++i)
    for (std::int64_t j = 0; j < kTokens; ++j)
      index.push_back((i / kWindow - j / kWindow + kWindow - 1) * kSpan + i % kWindow -
                      j % kWindow + kWindow - 1);
  const Tensor table = b.weight("relative_position_bias_table", {kSpan * kSpan, heads}, 0, 0.02F);
  const Tensor picked =
      b.op("Gather", {table, b.table("relative_position_index", index)}, {{"axis", 0}}, heads);
  const Tensor square = b.reshape(picked, {kTokens, kTokens, heads}, heads);
  return b.op("Unsqueeze", {b.transpose(square, {2, 0, 1}), b.ints({0})});
}

/// Mask [windows, 1, 49, 49] of 0 and -100, added to scores so that tokens of different regions of
/// a rolled image do not attend to each other. It is computed from the region of each token.
///
/// Example: side 56. Rows 0-48 form band 0, rows 49-52 band 1, rows 53-55 (rolled in from the other
/// side) band 2, and likewise columns; the region is 3 * row band + column band.
Tensor shift_mask(Builder& b, std::int64_t side) {
  const std::int64_t n = side / kWindow;
  const auto band = [&](std::int64_t at) {
    return at < side - kWindow ? 0 : at < side - kShift ? 1 : 2;
  };
  std::vector<std::int64_t> regions;
  for (std::int64_t w = 0; w < n * n; ++w)
    for (std::int64_t t = 0; t < kTokens; ++t)
      regions.push_back(3 * band(w / n * kWindow + t / kWindow) +
                        band(w % n * kWindow + t % kWindow));
  const Tensor numbers = b.table(fmt::format("regions_{}", side), regions);
  const Tensor row = b.reshape(numbers, {n * n, 1, 1, kTokens}, 0);
  const Tensor column = b.reshape(numbers, {n * n, 1, kTokens, 1}, 0);
  return b.op("Where", {b.op("Equal", {row, column}), b.scalar(0), b.scalar(-100)});
}

Tensor window_attention(Builder& b, Tensor x, std::int64_t heads, std::int64_t side,
                        std::int64_t shift) {
  const auto scope = b.module("attn");
  const std::int64_t width = x.width, head = width / heads, n = side / kWindow;
  if (shift > 0) x = rolled(b, x, side, shift);
  Tensor y = b.linear("qkv", windows_of(b, x, side), 3 * width);
  y = b.transpose(b.reshape(y, {0, kTokens, 3, heads, head}, head), {2, 0, 3, 1, 4});
  const auto part = [&](std::int64_t i) {
    return b.op("Gather", {y, b.integer(i)}, {{"axis", 0}}, head);
  };
  const Tensor q = b.mul(part(0), b.scalar(1 / std::sqrt(static_cast<float>(head))));
  Tensor keys = b.transpose(part(1), {0, 1, 3, 2});
  keys.width = kTokens;
  Tensor scores = b.add(b.matmul(q, keys), position_bias(b, heads));
  if (shift > 0) {
    scores = b.reshape(scores, {-1, n * n, heads, kTokens, kTokens}, kTokens);
    scores = b.add(scores, shift_mask(b, side));
    scores = b.reshape(scores, {-1, heads, kTokens, kTokens}, kTokens);
  }
  Tensor context = b.matmul(b.softmax(scores), part(2));
  context = b.reshape(b.transpose(context, {0, 2, 1, 3}), {0, kTokens, width}, width);
  x = windows_back(b, b.linear("proj", context, width, kResidualGain), side);
  return shift > 0 ? rolled(b, x, side, side - shift) : x;
}

Tensor swin_block(Builder& b, Tensor x, std::int64_t heads, std::int64_t side, std::int64_t shift) {
  const std::int64_t width = x.width;
  x = b.add(x, window_attention(b, b.layer_norm("norm1", x, kSwinEpsilon), heads, side, shift));
  Tensor y = b.layer_norm("norm2", x, kSwinEpsilon);
  const auto mlp = b.module("mlp");
  y = gelu(b, b.linear("mlp.0", y, 4 * width));
  return b.add(x, b.linear("mlp.3", y, width, 2 * kResidualGain));
}

/// Concatenates the pixels of 2x2 patches, and projects 4 * width to 2 * width features.
Tensor merged(Builder& b, const std::string& name, Tensor x) {
  const auto scope = b.module(name);
  const auto every_second = [&](std::int64_t row, std::int64_t column) {
    return b.op("Slice", {x, b.ints({row, column}), b.ints({1 << 20, 1 << 20}), b.ints({1, 2}),
                          b.ints({2, 2})});
  };
  const Tensor y = b.op(
      "Concat", {every_second(0, 0), every_second(1, 0), every_second(0, 1), every_second(1, 1)},
      {{"axis", -1}}, 4 * x.width);
  return b.product("reduction", b.layer_norm("norm", y, kSwinEpsilon), 2 * x.width);
}

Tensor swin_features(Builder& b, Tensor x, const SwinShape& s, std::int64_t side) {
  const auto scope = b.module("features");
  {
    const auto stem = b.module("features.0");
    x = b.conv("features.0.0", x,
               {.out = s.width, .kernel = 4, .stride = 4, .bias = true, .gain = 1});
    x = b.layer_norm("features.0.2", b.transpose(x, {0, 2, 3, 1}), kSwinEpsilon);
  }
  side /= 4;
  std::int64_t heads = s.heads;
  for (int stage = 0; stage < 4; ++stage, side /= 2, heads *= 2) {
    if (stage > 0) x = merged(b, fmt::format("features.{}", 2 * stage), x);
    const std::string name = fmt::format("features.{}", 2 * stage + 1);
    const auto blocks = b.module(name);
    for (int i = 0; i < s.depths[stage]; ++i) {
      const auto one = b.module(fmt::format("{}.{}", name, i));
      x = swin_block(b, x, heads, side, i % 2 == 1 && side > kWindow ? kShift : 0);
    }
  }
  return x;
}

onnx::Document build_swin(const Request& request) {
  Builder b(request.network);
  Tensor x = swin_features(b, image_input(b, request.side), row_of(kSwinShapes, request.network),
                           request.side);
  x = b.transpose(b.layer_norm("norm", x, kSwinEpsilon), {0, 3, 1, 2});
  x = b.flatten(b.global_average_pool("avgpool", x));
  b.output("output", b.dense("head", x, 1000), {"batch", 1000});
  return std::move(b).finish();
}

constexpr Entry swin_entry(std::string_view name, std::string_view description) {
  return {name,        "Swin",
          description, "Liu et al. 2021, arXiv:2103.14030",
          kOneImage,   {.side = 224, .step = 224},
          build_swin};
}
constexpr Entry kSwinEntries[] = {
    swin_entry("swin_t", "Swin-T: attention in shifted windows, width 96"),
    swin_entry("swin_s", "Swin-S: 18 blocks in its third stage, width 96"),
    swin_entry("swin_b", "Swin-B: 18 blocks in its third stage, width 128")};

}  // namespace

Family swin() { return kSwinEntries; }

}  // namespace ridge::zoo
