// What the transformers of the zoo share, in the plain form that exporters write: attention as
// MatMul, scale, Softmax, MatMul.
//
// Sequences are [batch, tokens, width]; every shape follows the free sizes of the inputs.
#pragma once

#include "zoo/builder.h"

namespace ridge::zoo {

/// [N, S, width] queries, keys and values to [N, S, width], in `heads` heads. `mask`: added to the
/// scores before Softmax; none where its name is empty.
Tensor attention(Builder& b, Tensor q, Tensor k, Tensor v, std::int64_t heads, Tensor mask = {});

/// 0.5 x (1 + erf(x / sqrt 2)) (Hendrycks and Gimpel 2016, exact form).
Tensor gelu(Builder& b, Tensor x);
/// 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) (the same, equation 2), which GPT-2 uses.
Tensor gelu_tanh(Builder& b, Tensor x);

/// 0, 1, ... up to the length of the sequence that `ids` [N, S] hold.
Tensor positions(Builder& b, Tensor ids);

}  // namespace ridge::zoo
