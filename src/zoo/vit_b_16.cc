// ViT-B/16 (torchvision/models/vision_transformer.py): normalisation before each half of a block,
// one projection for Q, K and V.
#include <fmt/format.h>

#include "zoo/networks.h"
#include "zoo/transformer.h"

namespace ridge::zoo {
namespace {

constexpr std::int64_t kWidth = 768, kHeads = 12, kPatch = 16,
                       kPatches = (224 / kPatch) * (224 / kPatch);
constexpr float kEpsilon = 1e-6F;
constexpr float kResidualGain = 0.5F;

Tensor encoder_block(Builder& b, Tensor x) {
  Tensor y = b.layer_norm("ln_1", x, kEpsilon);
  {
    const auto scope = b.module("self_attention");
    const Tensor projected = b.linear("in_proj", y, 3 * kWidth);
    const std::vector<Tensor> qkv = b.op_many("Split", {projected}, {{"axis", -1}}, 3, kWidth);
    y = b.linear("out_proj", attention(b, qkv[0], qkv[1], qkv[2], kHeads), kWidth, kResidualGain);
  }
  x = b.add(y, x);
  y = b.layer_norm("ln_2", x, kEpsilon);
  {
    const auto scope = b.module("mlp");
    y = gelu(b, b.linear("mlp.0", y, 4 * kWidth));
    y = b.linear("mlp.3", y, kWidth, 2 * kResidualGain);
  }
  return b.add(x, y);
}

/// The class token, once per image: [N, 1, width].
Tensor class_token(Builder& b, Tensor image) {
  const Tensor shape = b.op("Concat", {b.size_of(image, 0), b.ints({1, kWidth})}, {{"axis", 0}}, 0);
  return b.op("Expand", {b.weight("class_token", {1, 1, kWidth}, 0, 1), shape}, {}, kWidth);
}

}  // namespace

onnx::Document vit_b_16() {
  Builder b("vit_b_16");
  const Tensor image = b.input("input", onnx::DataType::kFloat, {"batch", 3, 224, 224}, 3);
  Tensor x = b.conv("conv_proj", image,
                    {.out = kWidth, .kernel = kPatch, .stride = kPatch, .bias = true, .gain = 1});
  x = b.transpose(b.reshape(x, {0, kWidth, kPatches}, 0), {0, 2, 1});
  x = b.op("Concat", {class_token(b, image), x}, {{"axis", 1}}, kWidth);
  {
    const auto scope = b.module("encoder");
    x = b.add(x, b.weight("pos_embedding", {1, kPatches + 1, kWidth}, 0, 0.1F));
    {
      const auto layers = b.module("layers");
      for (int i = 0; i < 12; ++i) {
        const auto layer = b.module(fmt::format("encoder_layer_{}", i));
        x = encoder_block(b, x);
      }
    }
    x = b.layer_norm("ln", x, kEpsilon);
  }
  x = b.op("Gather", {x, b.integer(0)}, {{"axis", 1}});
  const auto heads = b.module("heads");
  b.output("output", b.dense("head", x, 1000), {"batch", 1000});
  return std::move(b).finish();
}

}  // namespace ridge::zoo
