// SPDX-License-Identifier: Apache-2.0
// BERT-base uncased with its pooler (huggingface/transformers models/bert/modeling_bert.py), for a
// single segment without a mask.
#include <fmt/format.h>

#include "zoo/networks.h"
#include "zoo/transformer.h"

namespace ridge::zoo {
namespace {

constexpr std::int64_t kBertWidth = 768, kBertHeads = 12, kBertVocabulary = 30522,
                       kBertPositions = 512, kSegments = 2;
constexpr float kBertEpsilon = 1e-12F;

Tensor bert_embeddings(Builder& b, Tensor ids) {
  const auto scope = b.module("embeddings");
  const Tensor words = b.embedding("word_embeddings", ids, kBertVocabulary, kBertWidth);
  const Tensor segment = b.embedding("token_type_embeddings", b.integer(0), kSegments, kBertWidth);
  const Tensor places =
      b.embedding("position_embeddings", positions(b, ids), kBertPositions, kBertWidth);
  return b.layer_norm("LayerNorm", b.add(b.add(words, segment), places), kBertEpsilon);
}

Tensor bert_self_attention(Builder& b, Tensor x) {
  const auto scope = b.module("self");
  const Tensor q = b.linear("query", x, kBertWidth), k = b.linear("key", x, kBertWidth),
               v = b.linear("value", x, kBertWidth);
  return attention(b, q, k, v, kBertHeads);
}

/// Projection, residual addition, then normalization.
Tensor add_and_norm(Builder& b, Tensor y, Tensor x) {
  const auto scope = b.module("output");
  return b.layer_norm("LayerNorm", b.add(b.linear("dense", y, kBertWidth), x), kBertEpsilon);
}

Tensor bert_layer(Builder& b, Tensor x) {
  {
    const auto scope = b.module("attention");
    x = add_and_norm(b, bert_self_attention(b, x), x);
  }
  Tensor y = x;
  {
    const auto scope = b.module("intermediate");
    y = b.linear("dense", y, 4 * kBertWidth);
    const auto activation = b.module("intermediate_act_fn");
    y = gelu(b, y);
  }
  return add_and_norm(b, y, x);
}

Tensor pooler(Builder& b, Tensor x) {
  const auto scope = b.module("pooler");
  const Tensor first = b.op("Gather", {x, b.integer(0)}, {{"axis", 1}});
  const Tensor y = b.dense("dense", first, kBertWidth);
  const auto activation = b.module("activation");
  return b.op("Tanh", {y});
}

onnx::Document build_bert(const Request& request) {
  Builder b(request.network);
  const Tensor ids = b.input("input_ids", onnx::DataType::kInt64, {"batch", "sequence"}, 0);
  Tensor x = bert_embeddings(b, ids);
  {
    const auto encoder = b.module("encoder");
    for (int i = 0; i < 12; ++i) {
      const auto scope = b.module(fmt::format("layer.{}", i));
      x = bert_layer(b, x);
    }
  }
  const Tensor pooled = pooler(b, x);
  b.output("last_hidden_state", x, {"batch", "sequence", kBertWidth});
  b.output("pooler_output", pooled, {"batch", kBertWidth});
  return std::move(b).finish();
}

constexpr Entry kBertEntries[] = {{"bert_base",
                                   "BERT",
                                   "BERT-base, uncased, with pooler: 12 layers of 768",
                                   "Devlin et al. 2019, arXiv:1810.04805",
                                   kOneText,
                                   {},
                                   build_bert}};

}  // namespace

Family bert() { return kBertEntries; }

}  // namespace ridge::zoo
