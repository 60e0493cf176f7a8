// SPDX-License-Identifier: Apache-2.0
// Attention on projected queries, keys and values, as loop nests: layouts of the vectors, rotation
// and bias.
#include <algorithm>
#include <array>

#include "accelerator/nests/attend.h"

namespace ridge::accelerator {
namespace {

/// Attention of ai.onnx: [batch, heads, length, size], or [batch, length, heads x size].
bool attention_nest(NestBuilder& b, PaddingForm /*padding*/) {
  const auto q = b.input(0), k = b.input(1), v = b.input(2), out = b.output(0);
  if (!q || !k || !v || !out) return false;
  const Sizes x = b.shape(*q), y = b.shape(*k), z = b.shape(*v);
  if ((x.size() != 3 && x.size() != 4) || y.size() != x.size() || z.size() != x.size() ||
      b.shape(*out).size() != x.size())
    return false;
  const bool flat = x.size() == 3;
  Attention a;
  Heads& h = a.h;
  h.heads = flat ? b.form().integer("q_num_heads", 0) : x[1];
  h.shared = flat ? b.form().integer("kv_num_heads", 0) : y[1];
  if (h.heads < 1 || h.shared < 1) return false;
  h.batch = x[0];
  h.queries = x[flat ? 1 : 2];
  h.now = y[flat ? 1 : 2];
  const VectorLayout layout = flat ? VectorLayout::kRows : VectorLayout::kHeads;
  a.k.size = flat ? x[2] / h.heads : x[3];
  a.v.size = flat ? z[2] / h.shared : z[3];
  const auto past = b.input(4);
  if (past && b.shape(*past).size() == 4) h.past = b.shape(*past)[2];
  a.q = {*q, layout, a.k.size};
  a.out = {*out, layout, a.v.size};
  a.k = {Vectors{*k, layout, a.k.size}, cache(b, past, h.past, a.k.size),
         cache(b, b.output(1), h.keys(), a.k.size), a.k.size};
  a.v = {Vectors{*v, layout, a.v.size}, cache(b, b.input(5), h.past, a.v.size),
         cache(b, b.output(2), h.keys(), a.v.size), a.v.size};
  a.scores = b.output(3);
  if (b.form().node().domain.empty()) a.masks = given(b, {3, 6});
  return attend(b, a);
}

/// Adds the bias of the preceding projections, which this operator takes as an input.
Vectors biased(NestBuilder& b, const Vectors& from, std::int64_t heads, const Sizes& batch_length,
               std::optional<BufferId> bias, std::int64_t first) {
  if (!bias || b.shape(*bias).size() != 1) return from;
  const Vectors out{
      b.temporary("biased", {batch_length[0], heads, batch_length[1], from.size}, from.buffer),
      VectorLayout::kHeads, from.size};
  b.add_map("bias", out.buffer, [&](Indices at) {
    const ExprId column =
        b.sum(b.number(first), b.sum(b.product(at[1], b.number(from.size)), at[3]));
    return b.sum(load(b, from, {at[0], at[1], at[2], at[3]}), b.load(*bias, std::array{column}));
  });
  return out;
}

/// Input numbers of bias, masks and past.
struct MultiHead {
  std::size_t bias, mask, added, past, past_length;
};

/// Sources of queries, keys and values: all in one row or one tensor, keys and values in one
/// tensor, or each in its own.
struct Sources {
  Vectors q, k, v;
  std::int64_t keys = 0;  ///< number of new keys
};
std::optional<Sources> sources(NestBuilder& b, std::int64_t heads, std::int64_t value_size) {
  const auto q = b.input(0), k = b.input(1), v = b.input(2);
  if (!q) return std::nullopt;
  const Sizes x = b.shape(*q);
  if (x.size() == 5)
    return Sources{{*q, VectorLayout::kThird, x[4], 0},
                   {*q, VectorLayout::kThird, x[4], 1},
                   {*q, VectorLayout::kThird, x[4], 2},
                   x[1]};
  if (x.size() != 3) return std::nullopt;
  if (!k) {
    const std::int64_t third = x[2] / 3, size = third / heads;
    return Sources{{*q, VectorLayout::kRows, size, 0},
                   {*q, VectorLayout::kRows, size, third},
                   {*q, VectorLayout::kRows, size, 2 * third},
                   x[1]};
  }
  const std::int64_t size = x[2] / heads;
  const Sizes y = b.shape(*k);
  const auto of = [&](BufferId from, std::int64_t wide, std::int64_t first) {
    const std::size_t rank = b.shape(from).size();
    const VectorLayout layout = rank == 3   ? VectorLayout::kRows
                                : rank == 4 ? VectorLayout::kHeads
                                            : VectorLayout::kThird;
    return Vectors{from, layout, wide, rank == 5 ? first : 0};
  };
  if (y.size() < 3 || y.size() > 5 || (!v && y.size() != 5)) return std::nullopt;
  if (v && (b.shape(*v).size() < 3 || b.shape(*v).size() > 4)) return std::nullopt;
  return Sources{{*q, VectorLayout::kRows, size, 0},
                 of(*k, size, 0),
                 of(v ? *v : *k, value_size, 1),
                 y[y.size() == 4 ? 2 : 1]};
}

template <const MultiHead& at>
bool multi_head_nest(NestBuilder& b, PaddingForm /*padding*/) {
  const auto q = b.input(0), out = b.output(0);
  const std::int64_t heads = b.form().integer("num_heads", 0);
  if (!q || !out || heads < 1 || b.shape(*out).size() != 3) return false;
  const std::int64_t value_size = b.shape(*out)[2] / heads;
  auto s = sources(b, heads, value_size);
  if (!s) return false;
  Attention a;
  Heads& h = a.h;
  h = {b.shape(*q)[0], heads, heads, b.shape(*q)[1], s->keys, 0};
  const auto past = b.input(at.past), bias = b.input(at.bias);
  if (past && b.shape(*past).size() == 4)
    h.past = b.form().has_input(at.past_length) ? b.form().scalar(at.past_length).value_or(-1)
                                                : b.shape(*past)[2];
  const std::int64_t row = heads * s->q.size;
  a.q = biased(b, s->q, heads, {h.batch, h.queries}, bias, 0);
  s->k = biased(b, s->k, heads, {h.batch, h.now}, bias, row);
  s->v = biased(b, s->v, heads, {h.batch, h.now}, bias, 2 * row);
  a.out = {*out, VectorLayout::kRows, value_size};
  a.k = {s->k, cache(b, past, h.past, s->q.size), cache(b, b.output(1), h.keys(), s->q.size),
         s->q.size};
  a.v = {s->v, cache(b, b.input(at.past + 1), h.past, value_size),
         cache(b, b.output(2), h.keys(), value_size), value_size};
  a.scores = b.output(3);
  a.masks = given(b, {at.mask, at.added});
  return attend(b, a);
}

/// Vectors rotated by the angles of their positions, which depend on the lengths of the sequences.
Vectors rotated(NestBuilder& b, const Vectors& from, const Sizes& sizes) {
  const auto cosines = b.input(7), sines = b.input(8), lengths = b.input(5);
  if (!cosines || !sines || b.shape(*cosines).size() != 2) return from;
  const std::int64_t turned = times({2, b.shape(*cosines)[1]});
  const Vectors out{b.temporary("rotated", sizes, from.buffer), VectorLayout::kHeads, from.size};
  b.add_map("rotate", out.buffer, [&](Indices at) {
    std::vector<ExprId> decides = {at[2]};
    if (lengths) decides.push_back(b.load_flat(*lengths, at[0]));
    const ExprId angle = b.other("angle", std::array{at[3]});
    const std::array where = {b.other("position", decides), angle};
    const ExprId plain = load(b, from, {at[0], at[1], at[2], at[3]});
    const ExprId partner =
        load(b, from, {at[0], at[1], at[2], b.other("partner", std::array{at[3]})});
    const ExprId made = b.other(
        "rotated", std::array{plain, partner, b.load(*cosines, where), b.load(*sines, where)});
    if (turned >= from.size) return made;
    return b.if_else(b.nest().combine(Expr::Kind::kLess, at[3], b.number(turned)), made, plain);
  });
  return out;
}

/// Groups of query heads share keys and values. If input 1 is missing, each row of queries also
/// contains the keys and values.
bool grouped_nest(NestBuilder& b, PaddingForm /*padding*/) {
  const auto q = b.input(0), k = b.input(1), v = b.input(2), out = b.output(0);
  Attention a;
  Heads& h = a.h;
  h.heads = b.form().integer("num_heads", 0);
  h.shared = b.form().integer("kv_num_heads", 0);
  if (!q || !out || h.heads < 1 || h.shared < 1 || b.shape(*q).size() != 3 ||
      b.shape(*out).size() != 3)
    return false;
  const std::int64_t size = b.shape(*out)[2] / h.heads;
  if (k && (!v || b.shape(*k).size() != 3 || b.shape(*v).size() != 3)) return false;
  h.batch = b.shape(*q)[0];
  h.queries = b.shape(*q)[1];
  h.now = k ? b.shape(*k)[1] : h.queries;
  const auto past = b.input(3);
  if (past && b.shape(*past).size() == 4) h.past = b.shape(*past)[2];
  // A total number of keys given by the model takes precedence over the length of a buffer.
  if (const auto total = b.form().scalar(6)) h.past = *total - h.now;
  a.q = {*q, VectorLayout::kRows, size, 0};
  Vectors keys{k ? *k : *q, VectorLayout::kRows, size, k ? 0 : times({h.heads, size})};
  const Vectors values{v && k ? *v : *q, VectorLayout::kRows, size,
                       k ? 0 : times({h.heads + h.shared, size})};
  if (b.form().integer("do_rotary", 0) != 0) {
    a.q = rotated(b, a.q, {h.batch, h.heads, h.queries, size});
    keys = rotated(b, keys, {h.batch, h.shared, h.now, size});
  }
  a.out = {*out, VectorLayout::kRows, size};
  a.k = {keys, cache(b, past, h.past, size), cache(b, b.output(1), h.keys(), size), size};
  a.v = {values, cache(b, b.input(4), h.past, size), cache(b, b.output(2), h.keys(), size), size};
  a.scores = b.output(3);
  a.masks = given(b, {5, 10});
  return attend(b, a);
}

constexpr MultiHead kMultiHead{3, 4, 5, 6, 8};
constexpr MultiHead kDecoding{10, 3, 4, 5, 7};

constexpr std::array kAttentionRows = {
    NestRow{"", "Attention", attention_nest},
    NestRow{"ai.onnx.preview", "FlexAttention", attention_nest},
    NestRow{kMicrosoft, "DecoderMaskedMultiHeadAttention", multi_head_nest<kDecoding>},
    NestRow{kMicrosoft, "GroupQueryAttention", grouped_nest},
    NestRow{kMicrosoft, "MultiHeadAttention", multi_head_nest<kMultiHead>},
};

}  // namespace

const std::span<const NestRow> kAttentionNests = kAttentionRows;

}  // namespace ridge::accelerator
