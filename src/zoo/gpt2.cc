// SPDX-License-Identifier: Apache-2.0
// GPT-2 small with its language-model head (openai/gpt-2 src/model.py; names as in
// huggingface/transformers models/gpt2). The head multiplies by the transposed token embedding, a
// shared tensor that is counted once.
#include <fmt/format.h>

#include "zoo/networks.h"
#include "zoo/transformer.h"

namespace ridge::zoo {
namespace {

constexpr std::int64_t kGpt2Width = 768, kGpt2Heads = 12, kGpt2Vocabulary = 50257,
                       kGpt2Positions = 1024;
constexpr float kGpt2Epsilon = 1e-5F;
/// Added to the score of a future token (openai/gpt-2 src/model.py, mask_attn_weights).
constexpr float kMasked = -1e4F;

Tensor gpt2_block(Builder& b, Tensor x, Tensor mask) {
  Tensor y = b.layer_norm("ln_1", x, kGpt2Epsilon);
  {
    const auto scope = b.module("attn");
    const std::vector<Tensor> qkv =
        b.op_many("Split", {b.linear("c_attn", y, 3 * kGpt2Width)}, {{"axis", -1}}, 3, kGpt2Width);
    y = b.linear("c_proj", attention(b, qkv[0], qkv[1], qkv[2], kGpt2Heads, mask), kGpt2Width,
                 kResidualGain);
  }
  x = b.add(y, x);
  y = b.layer_norm("ln_2", x, kGpt2Epsilon);
  {
    const auto scope = b.module("mlp");
    y = b.linear("c_fc", y, 4 * kGpt2Width);
    {
      const auto activation = b.module("act");
      y = gelu_tanh(b, y);
    }
    y = b.linear("c_proj", y, kGpt2Width, 2 * kResidualGain);
  }
  return b.add(x, y);
}

onnx::Document build_gpt2(const Request& request) {
  Builder b(request.network);
  const Tensor ids = b.input("input_ids", onnx::DataType::kInt64, {"batch", "sequence"}, 0);
  Tensor x, table;
  {
    const auto transformer = b.module("transformer");
    {
      const auto scope = b.module("wte");
      table = b.weight("weight", {kGpt2Vocabulary, kGpt2Width}, 0, 0.035F);
      x = b.op("Gather", {table, ids}, {{"axis", 0}});
    }
    x = b.add(x, b.embedding("wpe", positions(b, ids), kGpt2Positions, kGpt2Width));
    const Tensor mask = causal_mask(b, ids, kMasked);
    for (int i = 0; i < 12; ++i) {
      const auto scope = b.module(fmt::format("h.{}", i));
      x = gpt2_block(b, x, mask);
    }
    x = b.layer_norm("ln_f", x, kGpt2Epsilon);
  }
  const auto head = b.module("lm_head");
  Tensor transposed = b.transpose(table, {1, 0});
  transposed.width = kGpt2Vocabulary;
  b.output("logits", b.matmul(x, transposed), {"batch", "sequence", kGpt2Vocabulary});
  return std::move(b).finish();
}

constexpr Entry kGpt2Entries[] = {{"gpt2",
                                   "GPT",
                                   "GPT-2 small with language-model head: 12 layers of 768",
                                   "Radford et al. 2019",
                                   kOneText,
                                   {},
                                   build_gpt2}};

}  // namespace

Family gpt() { return kGpt2Entries; }

}  // namespace ridge::zoo
