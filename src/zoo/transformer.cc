// SPDX-License-Identifier: Apache-2.0
#include "zoo/transformer.h"

#include <cmath>
#include <numbers>

namespace ridge::zoo {
namespace {

Tensor transformer_heads_first(Builder& b, Tensor x, std::int64_t heads,
                               std::vector<std::int64_t> perm) {
  return b.transpose(b.reshape(x, {0, 0, heads, x.width / heads}, x.width / heads),
                     std::move(perm));
}

}  // namespace

Tensor attention(Builder& b, Tensor q, Tensor k, Tensor v, std::int64_t heads, Tensor mask) {
  q = transformer_heads_first(b, q, heads, {0, 2, 1, 3});
  k = transformer_heads_first(b, k, heads, {0, 2, 3, 1});
  v = transformer_heads_first(b, v, heads, {0, 2, 1, 3});
  return attention_of_heads(b, q, k, v, heads, mask);
}

Tensor attention_of_heads(Builder& b, Tensor q, Tensor k, Tensor v, std::int64_t heads,
                          Tensor mask) {
  const Tensor root = b.scalar(std::sqrt(static_cast<float>(q.width)));
  Tensor scores = b.op("Div", {b.matmul(q, k), root});
  if (!mask.name.empty()) scores = b.add(scores, mask);
  const Tensor context = b.matmul(b.softmax(scores), v);
  const std::int64_t width = heads * q.width;
  return b.reshape(b.transpose(context, {0, 2, 1, 3}), {0, 0, width}, width);
}

Tensor causal_mask(Builder& b, Tensor ids, float masked) {
  const Tensor length = b.size_of(ids, 1);
  const Tensor shape = b.op("Concat", {length, length}, {{"axis", 0}}, 0);
  const Tensor past = b.op("Trilu", {b.op("Expand", {b.scalar(1), shape}, {}, 0)}, {{"upper", 0}});
  return b.mul(b.op("Sub", {b.scalar(1), past}, {}, 0), b.scalar(masked));
}

Tensor gelu(Builder& b, Tensor x) {
  const Tensor erf = b.op("Erf", {b.op("Div", {x, b.scalar(std::numbers::sqrt2_v<float>)})});
  return b.mul(b.mul(x, b.add(erf, b.scalar(1))), b.scalar(0.5F));
}

Tensor gelu_tanh(Builder& b, Tensor x) {
  const float factor = std::sqrt(2 * std::numbers::inv_pi_v<float>);
  const Tensor cube = b.op("Pow", {x, b.scalar(3)});
  const Tensor inner = b.mul(b.add(x, b.mul(cube, b.scalar(0.044715F))), b.scalar(factor));
  const Tensor half = b.mul(x, b.scalar(0.5F));
  return b.mul(half, b.add(b.op("Tanh", {inner}), b.scalar(1)));
}

Tensor positions(Builder& b, Tensor ids) {
  const Tensor length = b.op("Squeeze", {b.size_of(ids, 1), b.ints({0})}, {}, 0);
  return b.op("Range", {b.integer(0), length, b.integer(1)}, {}, 0);
}

}  // namespace ridge::zoo
