// SPDX-License-Identifier: Apache-2.0
// MLP-Mixer (huggingface/pytorch-image-models timm/models/mlp_mixer.py): in each block, one
// perceptron over the patches of a channel, and one over the channels of a patch.
#include <fmt/format.h>

#include "zoo/networks.h"
#include "zoo/transformer.h"

namespace ridge::zoo {
namespace {

constexpr std::int64_t kSide = 224, kMixerPatch = 16,
                       kPatches = (kSide / kMixerPatch) * (kSide / kMixerPatch);
constexpr std::int64_t kMixerWidth = 768, kTokenHidden = kMixerWidth / 2,
                       kChannelHidden = 4 * kMixerWidth;
constexpr float kMixerEpsilon = 1e-6F;

Tensor perceptron(Builder& b, std::string_view name, Tensor x, std::int64_t hidden) {
  const auto scope = b.module(name);
  Tensor y = b.linear("fc1", x, hidden);
  {
    const auto activation = b.module("act");
    y = gelu(b, y);
  }
  return b.linear("fc2", y, x.width);
}

/// Swaps patches and channels.
Tensor swapped(Builder& b, Tensor x, std::int64_t width) {
  x = b.transpose(x, {0, 2, 1});
  x.width = width;
  return x;
}

Tensor mixer_block(Builder& b, Tensor x) {
  const Tensor tokens = swapped(b, b.layer_norm("norm1", x, kMixerEpsilon), kPatches);
  x = b.add(x, swapped(b, perceptron(b, "mlp_tokens", tokens, kTokenHidden), kMixerWidth));
  const Tensor channels = b.layer_norm("norm2", x, kMixerEpsilon);
  return b.add(x, perceptron(b, "mlp_channels", channels, kChannelHidden));
}

onnx::Document build_mixer(const Request& request) {
  Builder b(request.network);
  Tensor x = image_input(b, request.side);
  {
    const auto stem = b.module("stem");
    x = b.conv("proj", x,
               {.out = kMixerWidth,
                .kernel = kMixerPatch,
                .stride = kMixerPatch,
                .bias = true,
                .gain = 1});
    x = swapped(b, b.reshape(x, {0, kMixerWidth, kPatches}, kPatches), kMixerWidth);
  }
  {
    const auto blocks = b.module("blocks");
    for (int i = 0; i < 12; ++i) {
      const auto scope = b.module(fmt::format("blocks.{}", i));
      x = mixer_block(b, x);
    }
  }
  x = b.layer_norm("norm", x, kMixerEpsilon);
  x = b.op("ReduceMean", {x}, {{"axes", std::vector<std::int64_t>{1}}, {"keepdims", 0}});
  b.output("output", b.dense("head", x, 1000), {"batch", 1000});
  return std::move(b).finish();
}

constexpr Entry kMixerEntries[] = {{"mixer_b16",
                                    "Mixer",
                                    "MLP-Mixer B/16: 12 pairs of perceptrons on 16x16 patches",
                                    "Tolstikhin et al. 2021, arXiv:2105.01601",
                                    kOneImage,
                                    {.side = kSide, .step = 0},
                                    build_mixer}};

}  // namespace

Family mixer() { return kMixerEntries; }

}  // namespace ridge::zoo
