// DistilBERT base uncased (huggingface/transformers models/distilbert/modeling_distilbert.py), for
// a text without a mask: BERT-base with half of its layers, without segments and pooler.
#include <fmt/format.h>

#include "zoo/networks.h"
#include "zoo/transformer.h"

namespace ridge::zoo {
namespace {

constexpr std::int64_t kWidth = 768, kHeads = 12, kVocabulary = 30522, kPositions = 512;
constexpr float kEpsilon = 1e-12F;

Tensor embeddings(Builder& b, Tensor ids) {
  const auto scope = b.module("embeddings");
  const Tensor words = b.embedding("word_embeddings", ids, kVocabulary, kWidth);
  const Tensor places = b.embedding("position_embeddings", positions(b, ids), kPositions, kWidth);
  return b.layer_norm("LayerNorm", b.add(words, places), kEpsilon);
}

Tensor self_attention(Builder& b, Tensor x) {
  const auto scope = b.module("attention");
  const Tensor q = b.linear("q_lin", x, kWidth), k = b.linear("k_lin", x, kWidth),
               v = b.linear("v_lin", x, kWidth);
  return b.linear("out_lin", attention(b, q, k, v, kHeads), kWidth);
}

Tensor feed_forward(Builder& b, Tensor x) {
  const auto scope = b.module("ffn");
  x = b.linear("lin1", x, 4 * kWidth);
  {
    const auto activation = b.module("activation");
    x = gelu(b, x);
  }
  return b.linear("lin2", x, kWidth);
}

Tensor layer(Builder& b, Tensor x) {
  x = b.layer_norm("sa_layer_norm", b.add(self_attention(b, x), x), kEpsilon);
  return b.layer_norm("output_layer_norm", b.add(feed_forward(b, x), x), kEpsilon);
}

onnx::Document build(const Request& request) {
  Builder b(request.network);
  const Tensor ids = b.input("input_ids", onnx::DataType::kInt64, {"batch", "sequence"}, 0);
  Tensor x = embeddings(b, ids);
  {
    const auto transformer = b.module("transformer");
    for (int i = 0; i < 6; ++i) {
      const auto scope = b.module(fmt::format("layer.{}", i));
      x = layer(b, x);
    }
  }
  b.output("last_hidden_state", x, {"batch", "sequence", kWidth});
  return std::move(b).finish();
}

constexpr Entry kEntries[] = {{"distilbert_base",
                               "BERT",
                               "DistilBERT base, uncased: 6 layers of 768",
                               "Sanh et al. 2019, arXiv:1910.01108",
                               kOneText,
                               {},
                               build}};

}  // namespace

Family distilbert() { return kEntries; }

}  // namespace ridge::zoo
