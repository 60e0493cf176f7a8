// SPDX-License-Identifier: Apache-2.0
// Attention as its projections, queries x keys and scores x values.
//
// Query heads that share keys and values are one product: their queries are its rows. The number of
// keys, past ones and buffers included, is derived from the node's multiply-accumulates, which
// ops/nn/attention.cc and related files count.
#include "accelerator/products.h"

namespace ridge::accelerator {
namespace {

/// Sizes of the heads and their number.
struct HeadSizes {
  std::int64_t batch = 0, queries = 0, size = 0, value_size = 0, heads = 0, kv_heads = 0;
};

std::int64_t attention_macs(const Gemms& gemms) {
  std::int64_t sum = 0;
  for (const Gemm& g : gemms) sum += times({g.m, g.n, g.k, g.count});
  return sum;
}

/// Appends the two products of attention to `before`; the number of keys follows from the remaining
/// MACs.
/// Example: batch 1, 8 heads that share 2 key heads, 4 queries of size 64, values of size 64,
/// 204,800 MACs. One key takes 8 * 4 * (64 + 64) = 4,096 MACs, so there are 50 keys; 4 heads share
/// a key head, so the products are 2 times (16 x 64) * (64 x 50) and 2 times (16 x 50) * (50 x 64).
std::optional<Gemms> attention_gemms(const Form& f, const HeadSizes& h, Gemms before = {}) {
  const std::int64_t each = times({h.batch, h.heads, h.queries, h.size + h.value_size});
  const std::int64_t left = f.macs() - attention_macs(before);
  if (h.kv_heads < 1 || h.heads % h.kv_heads != 0 || each < 1 || left < 1 || left % each != 0)
    return std::nullopt;
  const std::int64_t keys = left / each, rows = h.heads / h.kv_heads * h.queries;
  const std::int64_t count = h.batch * h.kv_heads;
  before.push_back(matrix_product(rows, keys, h.size, count));
  before.push_back(matrix_product(rows, h.value_size, keys, count));
  return before;
}

}  // namespace

// Attention of ai.onnx: [batch, heads, length, size], or [batch, length, heads x size].
std::optional<Gemms> attention(const Form& f) {
  const auto q = f.input(0), k = f.input(1), v = f.input(2);
  if (!q || !k || !v || k->size() != q->size() || v->size() != q->size()) return std::nullopt;
  const Sizes &x = *q, &y = *v;
  if (x.size() == 4) return attention_gemms(f, {x[0], x[2], x[3], y[3], x[1], (*k)[1]});
  const std::int64_t heads = f.integer("q_num_heads", 0), shared = f.integer("kv_num_heads", 0);
  if (x.size() != 3 || heads < 1 || shared < 1) return std::nullopt;
  return attention_gemms(f, {x[0], x[1], x[2] / heads, y[2] / shared, heads, shared});
}

// If input 1 is missing, each row of queries also contains the keys and values.
std::optional<Gemms> grouped_attention(const Form& f) {
  const auto q = f.input(0), out = f.output(0);
  const std::int64_t heads = f.integer("num_heads", 0), shared = f.integer("kv_num_heads", 0);
  if (!q || !out || q->size() != 3 || out->size() != 3 || heads < 1) return std::nullopt;
  const std::int64_t size = (*out)[2] / heads;
  return attention_gemms(f, {(*q)[0], (*q)[1], size, size, heads, shared});
}

std::optional<Gemms> multi_head_attention(const Form& f) {
  const auto q = f.input(0), out = f.output(0);
  const std::int64_t heads = f.integer("num_heads", 0);
  if (!q || !out || q->size() < 3 || out->size() != 3 || heads < 1) return std::nullopt;
  const std::int64_t row = q->size() == 5 ? q->back() * heads : (*q)[2] / (f.has_input(1) ? 1 : 3);
  return attention_gemms(f, {(*q)[0], (*q)[1], row / heads, (*out)[2] / heads, heads, heads});
}

// Input [batch, length, in], weight [in, q + k + v].
std::optional<Gemms> projecting_attention(const Form& f) {
  const auto x = f.input(0), w = f.input(1), out = f.output(0);
  const std::int64_t heads = f.integer("num_heads", 0);
  if (!x || !w || !out || x->size() != 3 || w->size() != 2 || out->size() != 3 || heads < 1)
    return std::nullopt;
  const std::int64_t width = f.listed("qkv_hidden_sizes", 0, (*w)[1] / 3);
  return attention_gemms(f, {(*x)[0], (*x)[1], width / heads, (*out)[2] / heads, heads, heads},
                         {matrix_product(times({(*x)[0], (*x)[1]}), (*w)[1], (*w)[0])});
}

// Separate weights of queries, keys and values: inputs 5 to 7.
std::optional<Gemms> ordered_attention(const Form& f) {
  const auto x = f.input(0), q = f.input(5), k = f.input(6), v = f.input(7);
  const std::int64_t heads = f.integer("num_heads", 0);
  if (!x || !q || !k || !v || x->size() != 3 || q->size() != 2 || k->size() != 2 ||
      v->size() != 2 || heads < 1)
    return std::nullopt;
  return attention_gemms(
      f, {(*x)[0], (*x)[1], (*q)[1] / heads, (*v)[1] / heads, heads, heads},
      {matrix_product(times({(*x)[0], (*x)[1]}), (*q)[1] + (*k)[1] + (*v)[1], (*x)[2])});
}

// Input [length, batch, hidden]. Inputs 8 to 10 determine whose keys are projected: the encoder's,
// unless they are cached, or the queries' own.
std::optional<Gemms> decoder_attention(const Form& f) {
  const auto q = f.input(0), k = f.input(1);
  const auto fixed = f.scalar(8), past = f.scalar(9), layer = f.scalar(10);
  const std::int64_t heads = f.integer("num_heads", 0);
  if (!q || q->size() != 3 || !fixed || !past || !layer || heads < 1) return std::nullopt;
  const std::int64_t batch = (*q)[1], hidden = (*q)[2];
  std::int64_t made = (*q)[0];
  if (*fixed != 0) {
    if (!k || k->size() != 3) return std::nullopt;
    made = *past != 0 && *layer != 0 ? 0 : (*k)[0];
  }
  Gemms before{matrix_product(times({batch, (*q)[0]}), hidden, hidden)};
  if (made > 0) before.push_back(matrix_product(times({batch, made}), 2 * hidden, hidden));
  return attention_gemms(f, {batch, (*q)[0], hidden / heads, hidden / heads, heads, heads},
                         std::move(before));
}

}  // namespace ridge::accelerator
