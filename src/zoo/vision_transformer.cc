// SPDX-License-Identifier: Apache-2.0
// ViT (torchvision/models/vision_transformer.py): normalization before each half of a block, one
// projection for Q, K and V.
#include <fmt/format.h>

#include "zoo/networks.h"
#include "zoo/transformer.h"

namespace ridge::zoo {
namespace {

struct VitShape {
  std::string_view name;
  std::int64_t patch, width, heads;
  int layers;
};
constexpr VitShape kVitShapes[] = {{"vit_b_16", 16, 768, 12, 12},
                                   {"vit_b_32", 32, 768, 12, 12},
                                   {"vit_l_16", 16, 1024, 16, 24},
                                   {"vit_l_32", 32, 1024, 16, 24}};

constexpr float kVitEpsilon = 1e-6F;

Tensor encoder_block(Builder& b, Tensor x, std::int64_t heads) {
  const std::int64_t width = x.width;
  Tensor y = b.layer_norm("ln_1", x, kVitEpsilon);
  {
    const auto scope = b.module("self_attention");
    const Tensor projected = b.linear("in_proj", y, 3 * width);
    const std::vector<Tensor> qkv = b.op_many("Split", {projected}, {{"axis", -1}}, 3, width);
    y = b.linear("out_proj", attention(b, qkv[0], qkv[1], qkv[2], heads), width, kResidualGain);
  }
  x = b.add(y, x);
  y = b.layer_norm("ln_2", x, kVitEpsilon);
  {
    const auto scope = b.module("mlp");
    y = gelu(b, b.linear("mlp.0", y, 4 * width));
    y = b.linear("mlp.3", y, width, 2 * kResidualGain);
  }
  return b.add(x, y);
}

/// The class token, expanded to one per image: [N, 1, width].
Tensor vit_class_token(Builder& b, Tensor image, std::int64_t width) {
  const Tensor shape = b.op("Concat", {b.size_of(image, 0), b.ints({1, width})}, {{"axis", 0}}, 0);
  return b.op("Expand", {b.weight("class_token", {1, 1, width}, 0, 1), shape}, {}, width);
}

Tensor vit_encoder(Builder& b, Tensor x, const VitShape& s, std::int64_t tokens) {
  const auto scope = b.module("encoder");
  x = b.add(x, b.weight("pos_embedding", {1, tokens, s.width}, 0, 0.1F));
  {
    const auto layers = b.module("layers");
    for (int i = 0; i < s.layers; ++i) {
      const auto layer = b.module(fmt::format("encoder_layer_{}", i));
      x = encoder_block(b, x, s.heads);
    }
  }
  return b.layer_norm("ln", x, kVitEpsilon);
}

onnx::Document build_vit(const Request& request) {
  const VitShape& s = row_of(kVitShapes, request.network);
  const std::int64_t patches = (request.side / s.patch) * (request.side / s.patch);
  Builder b(request.network);
  const Tensor image = image_input(b, request.side);
  Tensor x =
      b.conv("conv_proj", image,
             {.out = s.width, .kernel = s.patch, .stride = s.patch, .bias = true, .gain = 1});
  x = b.transpose(b.reshape(x, {0, s.width, patches}, 0), {0, 2, 1});
  x = b.op("Concat", {vit_class_token(b, image, s.width), x}, {{"axis", 1}}, s.width);
  x = vit_encoder(b, x, s, patches + 1);
  x = b.op("Gather", {x, b.integer(0)}, {{"axis", 1}});
  const auto heads = b.module("heads");
  b.output("output", b.dense("head", x, 1000), {"batch", 1000});
  return std::move(b).finish();
}

constexpr Entry vit_entry(std::string_view name, std::string_view description, std::int64_t patch) {
  return {name,        "ViT",
          description, "Dosovitskiy et al. 2021, arXiv:2010.11929",
          kOneImage,   {.side = 224, .step = patch},
          build_vit};
}
constexpr Entry kVitEntries[] = {
    vit_entry("vit_b_16", "ViT-B/16: vision transformer on 16x16 patches", 16),
    vit_entry("vit_b_32", "ViT-B/32: vision transformer on 32x32 patches", 32),
    vit_entry("vit_l_16", "ViT-L/16: 24 layers of 1024 on 16x16 patches", 16),
    vit_entry("vit_l_32", "ViT-L/32: 24 layers of 1024 on 32x32 patches", 32),
};

}  // namespace

Family vision_transformer() { return kVitEntries; }

}  // namespace ridge::zoo
