// Attention in all its forms as loop nests: what is projected, rotated and biased before, and where
// the vectors lie.
#include <algorithm>
#include <array>

#include "accelerator/nest_attend.h"

namespace ridge::accelerator {
namespace {

void add_given(NestBuilder& b, std::vector<BufferId>& to, std::initializer_list<std::size_t> at) {
  for (const std::size_t i : at)
    if (const auto given = b.input(i)) to.push_back(*given);
}

/// [batch, heads, length, size] at an input or output, where it holds vectors of `size` for all
/// `length` keys.
std::optional<Vectors> cache(const NestBuilder& b, std::optional<BufferId> buffer,
                             std::int64_t length, std::int64_t size) {
  if (!buffer || b.shape(*buffer).size() != 4 || b.shape(*buffer)[2] < length ||
      b.shape(*buffer)[3] != size)
    return std::nullopt;
  return Vectors{*buffer, Layout::kHeads, size};
}
/// Keys and values in one tensor, [2, batch, heads, length, size].
std::optional<Vectors> half(const NestBuilder& b, std::optional<BufferId> buffer,
                            std::int64_t which, std::int64_t length, std::int64_t size) {
  if (!buffer || b.shape(*buffer).size() != 5 || b.shape(*buffer)[3] < length ||
      b.shape(*buffer)[4] != size)
    return std::nullopt;
  return Vectors{*buffer, Layout::kHalf, size, which};
}

/// Of ai.onnx: [batch, heads, length, size], or [batch, length, heads x size].
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
  const Layout layout = flat ? Layout::kRows : Layout::kHeads;
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
  if (b.form().node().domain.empty()) add_given(b, a.masks, {3, 6});
  return attend(b, a);
}

/// A matrix of weights, and what is taken from or joined to what it makes.
struct Projection {
  std::size_t weight = 1, bias = kNoInput;
  std::size_t zero_of_data = kNoInput, zero_of_weight = kNoInput;
  std::array<std::size_t, 3> scales = {kNoInput, kNoInput, kNoInput};
};

/// [.., .., inputs] by [inputs, columns]; nullopt where that is not what they are.
std::optional<BufferId> project(NestBuilder& b, std::string name, BufferId x, const Projection& p,
                                BufferId like) {
  const auto weight = b.input(p.weight);
  if (!weight || b.shape(x).size() != 3 || b.shape(*weight).size() != 2) return std::nullopt;
  Sizes shape = b.shape(x);
  shape[2] = b.shape(*weight)[1];
  const BufferId sums = b.temporary(name, shape, like);
  b.add_product(name, sums, {"k", b.shape(x)[2], true}, [&](Indices i) {
    const ExprId data = b.load(x, std::array{i[0], i[1], i[3]});
    const ExprId w = b.load(*weight, std::array{i[3], i[2]});
    return NestBuilder::Factors{without_zero(b, data, p.zero_of_data, i.first(3), 2),
                                without_zero(b, w, p.zero_of_weight, i.first(3), 2)};
  });
  std::vector<Parameter> joined = {{p.bias, 2}};
  for (const std::size_t scale : p.scales) joined.push_back({scale, 2});
  if (std::any_of(joined.begin(), joined.end(),
                  [&](const Parameter& j) { return b.form().has_input(j.input); }))
    add_function(b, "projected", sums, sums, joined);
  return sums;
}

/// Where an operator has what it projects, masks and remembers.
struct Projected {
  Projection projection;
  std::size_t mask = kNoInput, past = kNoInput, added = kNoInput, past_length = kNoInput;
};

/// One weight for queries, keys and values: [inputs, q + k + v].
template <const Projected& at>
bool projecting_nest(NestBuilder& b, PaddingForm /*padding*/) {
  const auto x = b.input(0), weight = b.input(at.projection.weight), out = b.output(0);
  const std::int64_t heads = b.form().integer("num_heads", 0);
  if (!x || !weight || !out || heads < 1 || b.shape(*x).size() != 3 ||
      b.shape(*weight).size() != 2 || b.shape(*out).size() != 3)
    return false;
  const std::int64_t third = b.shape(*weight)[1] / 3;
  const std::int64_t q = b.form().listed("qkv_hidden_sizes", 0, third);
  const std::int64_t k = b.form().listed("qkv_hidden_sizes", 1, third);
  const auto made = project(b, "projection", *x, at.projection, *out);
  if (!made) return false;
  Attention a;
  Heads& h = a.h;
  h = {b.shape(*x)[0], heads, heads, b.shape(*x)[1], b.shape(*x)[1], 0};
  const auto past = b.input(at.past);
  if (past && b.shape(*past).size() == 5)
    h.past = b.form().has_input(at.past_length) ? b.form().scalar(at.past_length).value_or(-1)
                                                : b.shape(*past)[3];
  const std::int64_t size = q / heads, value_size = b.shape(*out)[2] / heads;
  a.q = {*made, Layout::kRows, size};
  a.out = {*out, Layout::kRows, value_size};
  a.k = {Vectors{*made, Layout::kRows, size, q}, half(b, past, 0, h.past, size),
         half(b, b.output(1), 0, h.keys(), size), size};
  a.v = {Vectors{*made, Layout::kRows, value_size, q + k}, half(b, past, 1, h.past, value_size),
         half(b, b.output(1), 1, h.keys(), value_size), value_size};
  add_given(b, a.masks, {at.mask, at.added});
  return attend(b, a);
}

/// A weight each: inputs 5 to 7, scales 8 to 10, biases 11 to 13.
bool ordered_nest(NestBuilder& b, PaddingForm /*padding*/) {
  const auto x = b.input(0), out = b.output(0);
  const std::int64_t heads = b.form().integer("num_heads", 0);
  if (!x || !out || heads < 1 || b.shape(*x).size() != 3 || b.shape(*out).size() != 3) return false;
  std::array<std::optional<BufferId>, 3> made;
  for (std::size_t i = 0; i < 3; ++i) {
    made[i] = project(b, "projection", *x,
                      {.weight = 5 + i, .bias = 11 + i, .scales = {1, 2 + i, 8 + i}}, *out);
    if (!made[i]) return false;
  }
  Attention a;
  a.h = {b.shape(*x)[0], heads, heads, b.shape(*x)[1], b.shape(*x)[1], 0};
  const auto past = b.input(18);
  if (past && b.shape(*past).size() == 5) a.h.past = b.shape(*past)[3];
  const std::int64_t size = b.shape(*made[0])[2] / heads, wide = b.shape(*made[2])[2] / heads;
  a.q = {*made[0], Layout::kRows, size};
  a.out = {*out, Layout::kRows, wide};
  a.k = {Vectors{*made[1], Layout::kRows, size}, half(b, past, 0, a.h.past, size), {}, size};
  a.v = {Vectors{*made[2], Layout::kRows, wide}, half(b, past, 1, a.h.past, wide), {}, wide};
  add_given(b, a.masks, {17, 19});
  return attend(b, a);
}

/// Flags say whose keys are projected: the encoder's, unless they are cached, or the queries' own.
/// Steps come first; the bias is that of queries, keys and values behind each other.
bool decoder_nest(NestBuilder& b, PaddingForm /*padding*/) {
  const auto q = b.input(0), k = b.input(1), out = b.output(0);
  const auto fixed = b.form().scalar(8), use = b.form().scalar(9), layer = b.form().scalar(10);
  const std::int64_t heads = b.form().integer("num_heads", 0);
  if (!q || !k || !out || !fixed || !use || !layer || heads < 1 || b.shape(*q).size() != 3 ||
      b.shape(*k).size() != 3 || b.shape(*out).size() != 3)
    return false;
  const bool cached = *use != 0 && *layer != 0, own = *fixed == 0;
  const std::int64_t hidden = b.shape(*q)[2], size = hidden / heads;
  const auto queries = project(b, "queries", *q, {.weight = 2, .bias = kNoInput}, *out);
  if (!queries) return false;
  Attention a;
  Heads& h = a.h;
  h = {b.shape(*q)[1], heads, heads, b.shape(*q)[0], 0, 0};
  std::optional<BufferId> made;
  if (own || !cached) {
    made = project(b, "keys and values", own ? *q : *k, {.weight = 3}, *out);
    if (!made) return false;
    h.now = b.shape(*made)[0];
  }
  if (const auto bias = b.input(4); bias && b.shape(*bias).size() == 1)
    for (const auto& [to, first] : {std::pair(queries, std::int64_t{0}), std::pair(made, hidden)})
      if (to)
        b.add_map("bias", *to, [&, at_first = first](Indices at) {
          const std::array column = {b.sum(at[2], b.number(at_first))};
          return b.sum(b.load(*to, at), b.load(*bias, column));
        });
  const auto past = b.input(6);
  if (cached && past && b.shape(*past).size() == 4) h.past = b.shape(*past)[2];
  a.q = {*queries, Layout::kStepsFirst, size};
  a.out = {*out, Layout::kStepsFirst, size};
  const auto side = [&](std::int64_t which, std::size_t input, std::size_t output) {
    Side s{{},
           cached ? cache(b, b.input(input), h.past, size) : std::nullopt,
           cache(b, b.output(output), h.keys(), size),
           size};
    if (made) s.now = Vectors{*made, Layout::kStepsFirst, size, which * hidden};
    return s;
  };
  a.k = side(0, 6, 1);
  a.v = side(1, 7, 2);
  add_given(b, a.masks, {5});
  return attend(b, a);
}

/// Vectors with the bias of the projections before, which stands here.
Vectors biased(NestBuilder& b, const Vectors& from, std::int64_t heads, const Sizes& batch_length,
               std::optional<BufferId> bias, std::int64_t first) {
  if (!bias || b.shape(*bias).size() != 1) return from;
  const Vectors out{
      b.temporary("biased", {batch_length[0], heads, batch_length[1], from.size}, from.buffer),
      Layout::kHeads, from.size};
  b.add_map("bias", out.buffer, [&](Indices at) {
    const ExprId column =
        b.sum(b.number(first), b.sum(b.product(at[1], b.number(from.size)), at[3]));
    return b.sum(load(b, from, {at[0], at[1], at[2], at[3]}), b.load(*bias, std::array{column}));
  });
  return out;
}

/// Where an operator has what it adds and remembers.
struct MultiHead {
  std::size_t bias, mask, added, past, past_length;
};

/// Queries, keys and values in one row or one tensor, keys and values in one, or each alone.
struct Sources {
  Vectors q, k, v;
  std::int64_t keys = 0;  ///< new ones
};
std::optional<Sources> sources(NestBuilder& b, std::int64_t heads, std::int64_t value_size) {
  const auto q = b.input(0), k = b.input(1), v = b.input(2);
  if (!q) return std::nullopt;
  const Sizes x = b.shape(*q);
  if (x.size() == 5)
    return Sources{{*q, Layout::kThird, x[4], 0},
                   {*q, Layout::kThird, x[4], 1},
                   {*q, Layout::kThird, x[4], 2},
                   x[1]};
  if (x.size() != 3) return std::nullopt;
  if (!k) {
    const std::int64_t third = x[2] / 3, size = third / heads;
    return Sources{{*q, Layout::kRows, size, 0},
                   {*q, Layout::kRows, size, third},
                   {*q, Layout::kRows, size, 2 * third},
                   x[1]};
  }
  const std::int64_t size = x[2] / heads;
  const Sizes y = b.shape(*k);
  const auto of = [&](BufferId from, std::int64_t wide, std::int64_t first) {
    const std::size_t rank = b.shape(from).size();
    const Layout layout = rank == 3 ? Layout::kRows : rank == 4 ? Layout::kHeads : Layout::kThird;
    return Vectors{from, layout, wide, rank == 5 ? first : 0};
  };
  if (y.size() < 3 || y.size() > 5 || (!v && y.size() != 5)) return std::nullopt;
  if (v && (b.shape(*v).size() < 3 || b.shape(*v).size() > 4)) return std::nullopt;
  return Sources{{*q, Layout::kRows, size, 0},
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
  a.out = {*out, Layout::kRows, value_size};
  a.k = {s->k, cache(b, past, h.past, s->q.size), cache(b, b.output(1), h.keys(), s->q.size),
         s->q.size};
  a.v = {s->v, cache(b, b.input(at.past + 1), h.past, value_size),
         cache(b, b.output(2), h.keys(), value_size), value_size};
  a.scores = b.output(3);
  add_given(b, a.masks, {at.mask, at.added});
  return attend(b, a);
}

/// Vectors turned by the angles of their positions, which the lengths of the sequences decide.
Vectors rotated(NestBuilder& b, const Vectors& from, const Sizes& sizes) {
  const auto cosines = b.input(7), sines = b.input(8), lengths = b.input(5);
  if (!cosines || !sines || b.shape(*cosines).size() != 2) return from;
  const std::int64_t turned = times({2, b.shape(*cosines)[1]});
  const Vectors out{b.temporary("rotated", sizes, from.buffer), Layout::kHeads, from.size};
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

/// Query heads share keys and values in groups; a row of queries has them behind it where input 1 is
/// not given.
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
  // What the model says of all keys goes before the length of a buffer.
  if (const auto total = b.form().scalar(6)) h.past = *total - h.now;
  a.q = {*q, Layout::kRows, size, 0};
  Vectors keys{k ? *k : *q, Layout::kRows, size, k ? 0 : times({h.heads, size})};
  const Vectors values{v && k ? *v : *q, Layout::kRows, size,
                       k ? 0 : times({h.heads + h.shared, size})};
  if (b.form().integer("do_rotary", 0) != 0) {
    a.q = rotated(b, a.q, {h.batch, h.heads, h.queries, size});
    keys = rotated(b, keys, {h.batch, h.shared, h.now, size});
  }
  a.out = {*out, Layout::kRows, size};
  a.k = {keys, cache(b, past, h.past, size), cache(b, b.output(1), h.keys(), size), size};
  a.v = {values, cache(b, b.input(4), h.past, size), cache(b, b.output(2), h.keys(), size), size};
  a.scores = b.output(3);
  add_given(b, a.masks, {5, 10});
  return attend(b, a);
}

constexpr Projected kProjected{{.bias = 2}, 3, 4, 5, 6};
constexpr Projected kQuantised{
    {.bias = 2, .zero_of_data = 6, .zero_of_weight = 7, .scales = {3, 4, kNoInput}}, 5, 8};
constexpr MultiHead kMultiHead{3, 4, 5, 6, 8};
constexpr MultiHead kDecoding{10, 3, 4, 5, 7};

constexpr std::array kRows = {
    NestRow{"", "Attention", attention_nest},
    NestRow{"ai.onnx.preview", "FlexAttention", attention_nest},
    NestRow{kMicrosoft, "Attention", projecting_nest<kProjected>},
    NestRow{kMicrosoft, "DecoderAttention", decoder_nest},
    NestRow{kMicrosoft, "DecoderMaskedMultiHeadAttention", multi_head_nest<kDecoding>},
    NestRow{kMicrosoft, "DecoderMaskedSelfAttention", projecting_nest<kProjected>},
    NestRow{kMicrosoft, "GroupQueryAttention", grouped_nest},
    NestRow{kMicrosoft, "MultiHeadAttention", multi_head_nest<kMultiHead>},
    NestRow{kMicrosoft, "QAttention", projecting_nest<kQuantised>},
    NestRow{kMicrosoft, "QOrderedAttention", ordered_nest},
};

}  // namespace

const std::span<const NestRow> kAttentionNests = kRows;

}  // namespace ridge::accelerator
