// SPDX-License-Identifier: Apache-2.0
// CLIP ViT-B/32 (huggingface/transformers models/clip/modeling_clip.py): the encoders of images and
// of texts, each with the projection to the space where both are compared.
#include <fmt/format.h>

#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "zoo/networks.h"
#include "zoo/transformer.h"

namespace ridge::zoo {
namespace {

constexpr std::int64_t kImageWidth = 768, kClipTextWidth = 512, kClipHeadWidth = 64,
                       kProjected = 512;
constexpr std::int64_t kClipPatch = 32, kClipVocabulary = 49408, kClipPositions = 77;
constexpr float kClipEpsilon = 1e-5F;
constexpr DefaultSize kClipOnePrompt[] = {{"batch", 1}, {"sequence", kClipPositions}};

/// x sigmoid(1.702 x), the approximation of GELU of CLIP (Hendrycks and Gimpel 2016, section 2).
Tensor quick_gelu(Builder& b, Tensor x) {
  return b.mul(x, b.op("Sigmoid", {b.mul(x, b.scalar(1.702F))}));
}

Tensor encoder_layer(Builder& b, Tensor x, Tensor mask) {
  const std::int64_t width = x.width;
  Tensor y = b.layer_norm("layer_norm1", x, kClipEpsilon);
  {
    const auto scope = b.module("self_attn");
    const Tensor q = b.linear("q_proj", y, width), k = b.linear("k_proj", y, width),
                 v = b.linear("v_proj", y, width);
    y = b.linear("out_proj", attention(b, q, k, v, width / kClipHeadWidth, mask), width,
                 kResidualGain);
  }
  x = b.add(x, y);
  y = b.layer_norm("layer_norm2", x, kClipEpsilon);
  {
    const auto scope = b.module("mlp");
    y = b.linear("fc1", y, 4 * width);
    {
      const auto activation = b.module("activation_fn");
      y = quick_gelu(b, y);
    }
    y = b.linear("fc2", y, width, 2 * kResidualGain);
  }
  return b.add(x, y);
}

Tensor clip_encoder(Builder& b, Tensor x, Tensor mask = {}) {
  const auto scope = b.module("encoder");
  for (int i = 0; i < 12; ++i) {
    const auto layer = b.module(fmt::format("layers.{}", i));
    x = encoder_layer(b, x, mask);
  }
  return x;
}

/// Patches of the image after a class token, with their positions: [N, 1 + patches, width].
Tensor image_embeddings(Builder& b, Tensor image, std::int64_t side) {
  const auto scope = b.module("embeddings");
  const std::int64_t patches = (side / kClipPatch) * (side / kClipPatch);
  Tensor x = b.conv("patch_embedding", image,
                    {.out = kImageWidth, .kernel = kClipPatch, .stride = kClipPatch, .gain = 1});
  x = b.transpose(b.reshape(x, {0, kImageWidth, patches}, 0), {0, 2, 1});
  const Tensor shape =
      b.op("Concat", {b.size_of(image, 0), b.ints({1, kImageWidth})}, {{"axis", 0}}, 0);
  const Tensor token = b.op("Expand", {b.weight("class_embedding", {kImageWidth}, 0, 1), shape});
  x = b.op("Concat", {token, x}, {{"axis", 1}}, kImageWidth);
  std::vector<std::int64_t> ids(static_cast<std::size_t>(patches) + 1);
  std::iota(ids.begin(), ids.end(), 0);
  const Tensor places =
      b.embedding("position_embedding", b.table("position_ids", ids), patches + 1, kImageWidth);
  return b.add(x, places);
}

onnx::Document build_image(const Request& request) {
  Builder b(request.network);
  const Tensor image =
      b.input("pixel_values", onnx::DataType::kFloat, {"batch", 3, request.side, request.side}, 3);
  Tensor x;
  {
    const auto scope = b.module("vision_model");
    x = b.layer_norm("pre_layrnorm", image_embeddings(b, image, request.side), kClipEpsilon);
    x = b.op("Gather", {clip_encoder(b, x), b.integer(0)}, {{"axis", 1}});
    x = b.layer_norm("post_layernorm", x, kClipEpsilon);
  }
  b.output("image_embeds", b.product("visual_projection", x, kProjected), {"batch", kProjected});
  return std::move(b).finish();
}

/// Features at the end of each text, whose token has the largest id.
Tensor end_of_text(Builder& b, Tensor x, Tensor ids) {
  constexpr auto kInt32 = static_cast<std::int64_t>(onnx::DataType::kInt32);
  const Tensor last = b.op("ArgMax", {b.op("Cast", {ids}, {{"to", kInt32}})},
                           {{"axis", -1}, {"keepdims", 0}, {"select_last_index", 0}});
  return b.op("GatherND", {x, b.op("Unsqueeze", {last, b.ints({1})})}, {{"batch_dims", 1}});
}

onnx::Document build_text(const Request& request) {
  Builder b(request.network);
  const Tensor ids = b.input("input_ids", onnx::DataType::kInt64, {"batch", "sequence"}, 0);
  Tensor x;
  {
    const auto scope = b.module("text_model");
    {
      const auto embeddings = b.module("embeddings");
      x = b.add(
          b.embedding("token_embedding", ids, kClipVocabulary, kClipTextWidth),
          b.embedding("position_embedding", positions(b, ids), kClipPositions, kClipTextWidth));
    }
    x = clip_encoder(b, x, causal_mask(b, ids, std::numeric_limits<float>::lowest()));
    x = end_of_text(b, b.layer_norm("final_layer_norm", x, kClipEpsilon), ids);
  }
  b.output("text_embeds", b.product("text_projection", x, kProjected), {"batch", kProjected});
  return std::move(b).finish();
}

constexpr const char* kClipPaper = "Radford et al. 2021, arXiv:2103.00020";
constexpr Entry kClipEntries[] = {
    {"clip_vit_b_32_image", "CLIP", "CLIP ViT-B/32, image encoder: 12 layers of 768", kClipPaper,
     kOneImage, Images{.side = 224, .step = kClipPatch}, build_image},
    {"clip_vit_b_32_text", "CLIP", "CLIP ViT-B/32, text encoder: 12 layers of 512", kClipPaper,
     kClipOnePrompt, Images{}, build_text},
};

}  // namespace

Family clip() { return kClipEntries; }

}  // namespace ridge::zoo
