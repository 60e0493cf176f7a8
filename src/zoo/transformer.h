// SPDX-License-Identifier: Apache-2.0
// Layers shared by the transformers of the zoo, in the plain form that exporters write: attention
// as MatMul, scale, Softmax, MatMul.
//
// Sequences are [batch, tokens, width]; all shapes follow from the free sizes of the inputs.
#pragma once

#include "zoo/builder.h"

namespace ridge::zoo {

/// Multi-head attention of queries, keys and values [N, S, width]; returns [N, S, width]. `mask` is
/// added to the scores before Softmax; no mask if its name is empty.
Tensor attention(Builder& b, Tensor q, Tensor k, Tensor v, std::int64_t heads, Tensor mask = {});

/// Attention of split heads: q [N, heads, S, d], k [N, heads, d, T], v [N, heads, T, d]; returns
/// [N, S, heads * d].
Tensor attention_of_heads(Builder& b, Tensor q, Tensor k, Tensor v, std::int64_t heads,
                          Tensor mask = {});
/// Mask [S, S] for the sequences `ids` [N, S]: 0 on and below the diagonal, `masked` above it.
Tensor causal_mask(Builder& b, Tensor ids, float masked);

/// 0.5 x (1 + erf(x / sqrt 2)) (Hendrycks and Gimpel 2016, exact form).
Tensor gelu(Builder& b, Tensor x);
/// 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) (same paper, equation 2), used by GPT-2.
Tensor gelu_tanh(Builder& b, Tensor x);

/// Positions 0, 1, ... for the sequences `ids` [N, S].
Tensor positions(Builder& b, Tensor ids);

}  // namespace ridge::zoo
