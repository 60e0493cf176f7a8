// SPDX-License-Identifier: Apache-2.0
// UNet of Stable Diffusion 1.x (huggingface/diffusers models/unets/unet_2d_condition.py), without
// the divisions by 1 that its exports contain. Four levels of latent images, from 320 to 1280
// channels; transformer blocks on all but the lowest attend to the image and to the text.
#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "zoo/networks.h"
#include "zoo/transformer.h"

namespace ridge::zoo {
namespace {

constexpr std::int64_t kLevels[] = {320, 640, 1280, 1280};
constexpr std::int64_t kLatent = 4, kUnetTextWidth = 768, kTimeWidth = 4 * kLevels[0];
constexpr std::int64_t kUnetHeads = 8, kGroups = 32;
constexpr int kResnets = 2;  // per level on the way down; one more on the way up
constexpr float kResnetEpsilon = 1e-5F, kTransformerEpsilon = 1e-6F, kLayerEpsilon = 1e-5F;
constexpr DefaultSize kUnetOnePrompt[] = {{"batch", 1}, {"sequence", 77}};

class Unet {
 public:
  Unet(Builder& b, Tensor timestep, Tensor text, std::int64_t side)
      : b_(b), text_(text), side_(side) {
    // Initializers would count as weights of InstanceNormalization, which GroupNorm does not have.
    ones_ = b.op("Expand", {b.scalar(1), b.ints({kGroups})}, {}, kGroups);
    zeros_ = b.op("Expand", {b.scalar(0), b.ints({kGroups})}, {}, kGroups);
    time_ = b.silu("nonlinearity", time_embedding(timestep));
  }

  Tensor predicted_noise(Tensor sample) {
    Tensor x = b_.conv("conv_in", sample, conv3x3(kLevels[0]));
    skips_ = {x};
    for (int level = 0; level < 4; ++level) x = down_block(x, level);
    {
      const auto scope = b_.module("mid_block");
      x = resnet(0, x, x.width);
      x = transformer(0, x);
      x = resnet(1, x, x.width);
    }
    for (int level = 3; level >= 0; --level) x = up_block(x, level);
    x = b_.silu("conv_act", group_norm("conv_norm_out", x, kResnetEpsilon));
    return b_.conv("conv_out", x, conv3x3(kLatent));
  }

 private:
  static ConvOptions conv3x3(std::int64_t out, std::int64_t stride = 1) {
    return {.out = out, .kernel = 3, .stride = stride, .pad = 1, .bias = true, .gain = 1};
  }
  static ConvOptions conv1x1(std::int64_t out) { return {.out = out, .bias = true, .gain = 1}; }

  /// Cosines and sines of t / 10000^(i / 160) (Ho et al. 2020, appendix B), then two layers. The
  /// powers come from integers: stored, they would count as weights.
  Tensor time_embedding(Tensor timestep) {
    constexpr auto kFloat = static_cast<std::int64_t>(onnx::DataType::kFloat);
    constexpr std::int64_t kHalf = kLevels[0] / 2;
    Tensor x;
    {
      const auto scope = b_.module("time_proj");
      const Tensor steps =
          b_.op("Range", {b_.integer(0), b_.integer(kHalf), b_.integer(1)}, {}, kHalf);
      const Tensor exponent = b_.mul(b_.op("Cast", {steps}, {{"to", kFloat}}),
                                     b_.scalar(-std::log(1e4F) / float{kHalf}));
      const Tensor column = b_.op("Unsqueeze", {timestep, b_.ints({1})});
      x = b_.mul(b_.op("Cast", {column}, {{"to", kFloat}}), b_.op("Exp", {exponent}));
      x = b_.op("Concat", {b_.op("Cos", {x}), b_.op("Sin", {x})}, {{"axis", -1}}, 2 * kHalf);
    }
    const auto scope = b_.module("time_embedding");
    x = b_.silu("act", b_.dense("linear_1", x, kTimeWidth));
    return b_.dense("linear_2", x, kTimeWidth);
  }

  /// Group normalization (Wu and He 2018) as exporters write it for opset 17: each group as one
  /// channel of InstanceNormalization.
  Tensor group_norm(std::string_view leaf, Tensor x, float epsilon) {
    const auto scope = b_.module(leaf);
    Tensor y = b_.reshape(x, {0, kGroups, -1}, kGroups);
    y = b_.op("InstanceNormalization", {y, ones_, zeros_}, {{"epsilon", epsilon}});
    y = b_.op("Reshape", {y, b_.op("Shape", {x})}, {}, x.width);
    y = b_.mul(y, b_.weight("weight", {x.width, 1, 1}, 1, 0.2F));
    return b_.add(y, b_.weight("bias", {x.width, 1, 1}, 0, 0.1F));
  }

  Tensor resnet(int index, Tensor x, std::int64_t out) {
    const auto scope = b_.module(fmt::format("resnets.{}", index));
    Tensor y = b_.silu("nonlinearity", group_norm("norm1", x, kResnetEpsilon));
    y = b_.conv("conv1", y, conv3x3(out));
    const Tensor time = b_.dense("time_emb_proj", time_, out);
    y = b_.add(y, b_.op("Unsqueeze", {time, b_.ints({2, 3})}));
    y = b_.silu("nonlinearity_1", group_norm("norm2", y, kResnetEpsilon));
    y = b_.conv("conv2", y, conv3x3(out));
    return b_.add(x.width == out ? x : b_.conv("conv_shortcut", x, conv1x1(out)), y);
  }

  Tensor attention_to(std::string_view name, Tensor x, Tensor context) {
    const auto scope = b_.module(name);
    const Tensor q = b_.product("to_q", x, x.width), k = b_.product("to_k", context, x.width),
                 v = b_.product("to_v", context, x.width);
    return b_.linear("to_out.0", attention(b_, q, k, v, kUnetHeads), x.width);
  }

  /// GEGLU (Shazeer 2020): one half of the features times GELU of the other.
  Tensor feed_forward(Tensor x) {
    const auto scope = b_.module("ff");
    Tensor y;
    {
      const auto gated = b_.module("net.0");
      const std::vector<Tensor> halves =
          b_.op_many("Split", {b_.linear("proj", x, 8 * x.width)}, {{"axis", -1}}, 2, 4 * x.width);
      y = b_.mul(halves[0], gelu(b_, halves[1]));
    }
    return b_.linear("net.2", y, x.width);
  }

  Tensor transformer_block(Tensor x) {
    const auto scope = b_.module("transformer_blocks.0");
    Tensor y = b_.layer_norm("norm1", x, kLayerEpsilon);
    x = b_.add(attention_to("attn1", y, y), x);
    y = b_.layer_norm("norm2", x, kLayerEpsilon);
    x = b_.add(attention_to("attn2", y, text_), x);
    return b_.add(feed_forward(b_.layer_norm("norm3", x, kLayerEpsilon)), x);
  }

  Tensor transformer(int index, Tensor x) {
    const auto scope = b_.module(fmt::format("attentions.{}", index));
    Tensor y = b_.conv("proj_in", group_norm("norm", x, kTransformerEpsilon), conv1x1(x.width));
    y = b_.reshape(b_.transpose(y, {0, 2, 3, 1}), {0, side_ * side_, x.width}, x.width);
    y = b_.reshape(transformer_block(y), {0, side_, side_, x.width}, x.width);
    return b_.add(b_.conv("proj_out", b_.transpose(y, {0, 3, 1, 2}), conv1x1(x.width)), x);
  }

  /// Two resnets with their transformers, and a halving except at the lowest level. Every result
  /// is kept for the way up.
  Tensor down_block(Tensor x, int level) {
    const auto scope = b_.module(fmt::format("down_blocks.{}", level));
    for (int i = 0; i < kResnets; ++i) {
      x = resnet(i, x, kLevels[level]);
      if (level < 3) x = transformer(i, x);
      skips_.push_back(x);
    }
    if (level == 3) return x;
    const auto sampler = b_.module("downsamplers.0");
    x = b_.conv("conv", x, conv3x3(x.width, 2));
    side_ /= 2;
    skips_.push_back(x);
    return x;
  }

  Tensor up_block(Tensor x, int level) {
    const auto scope = b_.module(fmt::format("up_blocks.{}", 3 - level));
    for (int i = 0; i <= kResnets; ++i) {
      x = b_.concat({x, skips_.back()});
      skips_.pop_back();
      x = resnet(i, x, kLevels[level]);
      if (level < 3) x = transformer(i, x);
    }
    if (level == 0) return x;
    const auto sampler = b_.module("upsamplers.0");
    side_ *= 2;
    const Tensor size =
        b_.op("Concat", {b_.size_of(x, 0), b_.ints({x.width, side_, side_})}, {{"axis", 0}}, 0);
    return b_.conv("conv", b_.op("Resize", {x, {}, {}, size}), conv3x3(x.width));
  }

  Builder& b_;
  Tensor text_, time_, ones_, zeros_;
  std::int64_t side_;
  std::vector<Tensor> skips_;
};

onnx::Document build_unet(const Request& request) {
  Builder b(request.network);
  const Tensor sample = b.input("sample", onnx::DataType::kFloat,
                                {"batch", kLatent, request.side, request.side}, kLatent);
  const Tensor timestep = b.input("timestep", onnx::DataType::kInt64, {"batch"}, 0);
  const Tensor text = b.input("encoder_hidden_states", onnx::DataType::kFloat,
                              {"batch", "sequence", kUnetTextWidth}, kUnetTextWidth);
  Unet unet(b, timestep, text, request.side);
  b.output("out_sample", unet.predicted_noise(sample),
           {"batch", kLatent, request.side, request.side});
  return std::move(b).finish();
}

/// Sides of the latent, which each level but the lowest halves.
constexpr Images kLatents = {.side = 64, .step = 8, .least = 8};

constexpr Entry kUnetEntries[] = {
    {"sd_unet", "Diffusion", "UNet of Stable Diffusion 1.x, one step on a latent of 64 x 64",
     "Rombach et al. 2022, arXiv:2112.10752", kUnetOnePrompt, kLatents, build_unet}};

}  // namespace

Family sd_unet() { return kUnetEntries; }

}  // namespace ridge::zoo
