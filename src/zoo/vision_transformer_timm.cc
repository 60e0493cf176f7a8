// SPDX-License-Identifier: Apache-2.0
// ViT-Ti and ViT-S with the modules of timm (timm/models/vision_transformer.py), in the sizes of
// DeiT: a quarter and half of the width of ViT-B.
#include <fmt/format.h>

#include <cmath>

#include "zoo/networks.h"
#include "zoo/transformer.h"

namespace ridge::zoo {
namespace {

struct TimmVitShape {
  std::string_view name;
  std::int64_t width, heads;
};
constexpr TimmVitShape kTimmVitShapes[] = {{"vit_tiny_patch16_224", 192, 3},
                                           {"vit_small_patch16_224", 384, 6}};

constexpr std::int64_t kTimmVitPatch = 16;
constexpr int kTimmVitLayers = 12;
constexpr float kTimmVitEpsilon = 1e-6F;

/// Attention over queries, keys and values from one projection [N, S, 3 * width], transposed to
/// [3, N, heads, S, head] and then split.
Tensor timm_vit_self_attention(Builder& b, Tensor x, std::int64_t heads) {
  const auto scope = b.module("attn");
  const std::int64_t width = x.width, head = width / heads;
  const Tensor qkv = b.reshape(b.linear("qkv", x, 3 * width), {0, 0, 3, heads, head}, head);
  std::vector<Tensor> parts = b.op_many(
      "Split", {b.transpose(qkv, {2, 0, 3, 1, 4}), b.ints({1, 1, 1})}, {{"axis", 0}}, 3, head);
  for (Tensor& part : parts) part = b.op("Squeeze", {part, b.ints({0})});
  const Tensor q = b.mul(parts[0], b.scalar(1 / std::sqrt(static_cast<float>(head))));
  const Tensor scores = b.matmul(q, b.transpose(parts[1], {0, 1, 3, 2}));
  Tensor context = b.transpose(b.matmul(b.softmax(scores), parts[2]), {0, 2, 1, 3});
  context = b.reshape(context, {0, 0, width}, width);
  return b.linear("proj", context, width, kResidualGain);
}

Tensor timm_vit_mlp(Builder& b, Tensor x) {
  const auto scope = b.module("mlp");
  Tensor y = b.linear("fc1", x, 4 * x.width);
  {
    const auto activation = b.module("act");
    y = gelu(b, y);
  }
  return b.linear("fc2", y, x.width, 2 * kResidualGain);
}

Tensor timm_vit_blocks(Builder& b, Tensor x, std::int64_t heads) {
  const auto scope = b.module("blocks");
  for (int i = 0; i < kTimmVitLayers; ++i) {
    const auto block = b.module(fmt::format("blocks.{}", i));
    x = b.add(x, timm_vit_self_attention(b, b.layer_norm("norm1", x, kTimmVitEpsilon), heads));
    x = b.add(x, timm_vit_mlp(b, b.layer_norm("norm2", x, kTimmVitEpsilon)));
  }
  return x;
}

Tensor patch_embedding(Builder& b, Tensor image, std::int64_t width, std::int64_t patches) {
  const auto scope = b.module("patch_embed");
  const Tensor x = b.conv(
      "proj", image,
      {.out = width, .kernel = kTimmVitPatch, .stride = kTimmVitPatch, .bias = true, .gain = 1});
  Tensor tokens = b.transpose(b.reshape(x, {0, width, patches}, 0), {0, 2, 1});
  tokens.width = width;
  return tokens;
}

/// The class token, expanded to one per image: [N, 1, width].
Tensor timm_vit_class_token(Builder& b, Tensor image, std::int64_t width) {
  const Tensor shape = b.op("Concat", {b.size_of(image, 0), b.ints({1, width})}, {{"axis", 0}}, 0);
  return b.op("Expand", {b.weight("cls_token", {1, 1, width}, 0, 1), shape}, {}, width);
}

onnx::Document build_timm_vit(const Request& request) {
  const TimmVitShape& s = row_of(kTimmVitShapes, request.network);
  const std::int64_t patches = (request.side / kTimmVitPatch) * (request.side / kTimmVitPatch);
  Builder b(request.network);
  const Tensor image = image_input(b, request.side);
  const Tensor tokens = patch_embedding(b, image, s.width, patches);
  Tensor x = b.op("Concat", {timm_vit_class_token(b, image, s.width), tokens}, {{"axis", 1}});
  x = b.add(x, b.weight("pos_embed", {1, patches + 1, s.width}, 0, 0.1F));
  x = b.layer_norm("norm", timm_vit_blocks(b, x, s.heads), kTimmVitEpsilon);
  x = b.op("Gather", {x, b.integer(0)}, {{"axis", 1}});
  b.output("output", b.dense("head", x, 1000), {"batch", 1000});
  return std::move(b).finish();
}

constexpr Entry timm_vit_entry(std::string_view name, std::string_view description) {
  return {name,          "ViT",
          description,   "Touvron et al. 2021, arXiv:2012.12877",
          kOneImage,     {.side = 224, .step = kTimmVitPatch},
          build_timm_vit};
}
constexpr Entry kTimmVitEntries[] = {
    timm_vit_entry("vit_tiny_patch16_224", "ViT-Ti/16: 12 layers of 192 on 16x16 patches"),
    timm_vit_entry("vit_small_patch16_224", "ViT-S/16: 12 layers of 384 on 16x16 patches"),
};

}  // namespace

Family vision_transformer_timm() { return kTimmVitEntries; }

}  // namespace ridge::zoo
