#include "zoo/transformer.h"

#include <cmath>
#include <numbers>

namespace ridge::zoo {
namespace {

Tensor heads_first(Builder& b, Tensor x, std::int64_t heads, std::vector<std::int64_t> perm) {
  return b.transpose(b.reshape(x, {0, 0, heads, x.width / heads}, x.width / heads),
                     std::move(perm));
}

}  // namespace

Tensor attention(Builder& b, Tensor q, Tensor k, Tensor v, std::int64_t heads, Tensor mask) {
  const std::int64_t width = q.width;
  const auto head_width = static_cast<float>(width / heads);
  q = heads_first(b, q, heads, {0, 2, 1, 3});
  k = heads_first(b, k, heads, {0, 2, 3, 1});
  v = heads_first(b, v, heads, {0, 2, 1, 3});
  Tensor scores = b.op("Div", {b.matmul(q, k), b.scalar(std::sqrt(head_width))});
  if (!mask.name.empty()) scores = b.add(scores, mask);
  const Tensor context = b.matmul(b.softmax(scores), v);
  return b.reshape(b.transpose(context, {0, 2, 1, 3}), {0, 0, width}, width);
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
