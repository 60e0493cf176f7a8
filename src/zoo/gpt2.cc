// GPT-2 small with its language-model head (openai/gpt-2 src/model.py; names as in
// huggingface/transformers models/gpt2). The head multiplies by the transposed token embedding, a
// shared tensor that is counted once.
#include <fmt/format.h>

#include "zoo/networks.h"
#include "zoo/transformer.h"

namespace ridge::zoo {
namespace {

constexpr std::int64_t kWidth = 768, kHeads = 12, kVocabulary = 50257, kPositions = 1024;
constexpr float kEpsilon = 1e-5F;
constexpr float kResidualGain = 0.5F;
/// Added to the score of a future token (openai/gpt-2 src/model.py, mask_attn_weights).
constexpr float kMasked = -1e4F;

Tensor block(Builder& b, Tensor x, Tensor mask) {
  Tensor y = b.layer_norm("ln_1", x, kEpsilon);
  {
    const auto scope = b.module("attn");
    const std::vector<Tensor> qkv =
        b.op_many("Split", {b.linear("c_attn", y, 3 * kWidth)}, {{"axis", -1}}, 3, kWidth);
    y = b.linear("c_proj", attention(b, qkv[0], qkv[1], qkv[2], kHeads, mask), kWidth,
                 kResidualGain);
  }
  x = b.add(y, x);
  y = b.layer_norm("ln_2", x, kEpsilon);
  {
    const auto scope = b.module("mlp");
    y = b.linear("c_fc", y, 4 * kWidth);
    {
      const auto activation = b.module("act");
      y = gelu_tanh(b, y);
    }
    y = b.linear("c_proj", y, kWidth, 2 * kResidualGain);
  }
  return b.add(x, y);
}

onnx::Document build(const Request& request) {
  Builder b(request.network);
  const Tensor ids = b.input("input_ids", onnx::DataType::kInt64, {"batch", "sequence"}, 0);
  Tensor x, table;
  {
    const auto transformer = b.module("transformer");
    {
      const auto scope = b.module("wte");
      table = b.weight("weight", {kVocabulary, kWidth}, 0, 0.035F);
      x = b.op("Gather", {table, ids}, {{"axis", 0}});
    }
    x = b.add(x, b.embedding("wpe", positions(b, ids), kPositions, kWidth));
    const Tensor mask = causal_mask(b, ids, kMasked);
    for (int i = 0; i < 12; ++i) {
      const auto scope = b.module(fmt::format("h.{}", i));
      x = block(b, x, mask);
    }
    x = b.layer_norm("ln_f", x, kEpsilon);
  }
  const auto head = b.module("lm_head");
  Tensor transposed = b.transpose(table, {1, 0});
  transposed.width = kVocabulary;
  b.output("logits", b.matmul(x, transposed), {"batch", "sequence", kVocabulary});
  return std::move(b).finish();
}

constexpr Entry kEntries[] = {{"gpt2",
                               "GPT",
                               "GPT-2 small with language-model head: 12 layers of 768",
                               "Radford et al. 2019",
                               kOneText,
                               {},
                               build}};

}  // namespace

Family gpt() { return kEntries; }

}  // namespace ridge::zoo
