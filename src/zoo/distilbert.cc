// SPDX-License-Identifier: Apache-2.0
// DistilBERT base uncased (huggingface/transformers models/distilbert/modeling_distilbert.py), for
// a text without a mask: BERT-base with half of its layers, without segments and pooler.
#include <fmt/format.h>

#include "zoo/networks.h"
#include "zoo/transformer.h"

namespace ridge::zoo {
namespace {

constexpr std::int64_t kDistilbertWidth = 768, kDistilbertHeads = 12, kDistilbertVocabulary = 30522,
                       kDistilbertPositions = 512;
constexpr float kDistilbertEpsilon = 1e-12F;

Tensor distilbert_embeddings(Builder& b, Tensor ids) {
  const auto scope = b.module("embeddings");
  const Tensor words = b.embedding("word_embeddings", ids, kDistilbertVocabulary, kDistilbertWidth);
  const Tensor places =
      b.embedding("position_embeddings", positions(b, ids), kDistilbertPositions, kDistilbertWidth);
  return b.layer_norm("LayerNorm", b.add(words, places), kDistilbertEpsilon);
}

Tensor distilbert_self_attention(Builder& b, Tensor x) {
  const auto scope = b.module("attention");
  const Tensor q = b.linear("q_lin", x, kDistilbertWidth),
               k = b.linear("k_lin", x, kDistilbertWidth),
               v = b.linear("v_lin", x, kDistilbertWidth);
  return b.linear("out_lin", attention(b, q, k, v, kDistilbertHeads), kDistilbertWidth);
}

Tensor feed_forward(Builder& b, Tensor x) {
  const auto scope = b.module("ffn");
  x = b.linear("lin1", x, 4 * kDistilbertWidth);
  {
    const auto activation = b.module("activation");
    x = gelu(b, x);
  }
  return b.linear("lin2", x, kDistilbertWidth);
}

Tensor distilbert_layer(Builder& b, Tensor x) {
  x = b.layer_norm("sa_layer_norm", b.add(distilbert_self_attention(b, x), x), kDistilbertEpsilon);
  return b.layer_norm("output_layer_norm", b.add(feed_forward(b, x), x), kDistilbertEpsilon);
}

onnx::Document build_distilbert(const Request& request) {
  Builder b(request.network);
  const Tensor ids = b.input("input_ids", onnx::DataType::kInt64, {"batch", "sequence"}, 0);
  Tensor x = distilbert_embeddings(b, ids);
  {
    const auto transformer = b.module("transformer");
    for (int i = 0; i < 6; ++i) {
      const auto scope = b.module(fmt::format("layer.{}", i));
      x = distilbert_layer(b, x);
    }
  }
  b.output("last_hidden_state", x, {"batch", "sequence", kDistilbertWidth});
  return std::move(b).finish();
}

constexpr Entry kDistilbertEntries[] = {{"distilbert_base",
                                         "BERT",
                                         "DistilBERT base, uncased: 6 layers of 768",
                                         "Sanh et al. 2019, arXiv:1910.01108",
                                         kOneText,
                                         {},
                                         build_distilbert}};

}  // namespace

Family distilbert() { return kDistilbertEntries; }

}  // namespace ridge::zoo
