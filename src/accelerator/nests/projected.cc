// SPDX-License-Identifier: Apache-2.0
// Attention that includes the projections of its queries, keys and values, as loop nests.
#include <algorithm>
#include <array>

#include "accelerator/nests/attend.h"

namespace ridge::accelerator {
namespace {

/// Weight matrix of a projection, with bias, zero points and scales as input numbers.
struct Projection {
  std::size_t weight = 1, bias = kNoInput;
  std::size_t zero_of_data = kNoInput, zero_of_weight = kNoInput;
  std::array<std::size_t, 3> scales = {kNoInput, kNoInput, kNoInput};
};

/// Product of [.., .., inputs] and [inputs, columns]; nullopt for other ranks.
std::optional<BufferId> project(NestBuilder& b, const std::string& name, BufferId x,
                                const Projection& p, BufferId like) {
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

/// Input numbers of projection, masks and past.
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
  a.q = {*made, VectorLayout::kRows, size};
  a.out = {*out, VectorLayout::kRows, value_size};
  a.k = {Vectors{*made, VectorLayout::kRows, size, q}, half(b, past, 0, h.past, size),
         half(b, b.output(1), 0, h.keys(), size), size};
  a.v = {Vectors{*made, VectorLayout::kRows, value_size, q + k},
         half(b, past, 1, h.past, value_size), half(b, b.output(1), 1, h.keys(), value_size),
         value_size};
  a.masks = given(b, {at.mask, at.added});
  return attend(b, a);
}

/// Separate weights: inputs 5 to 7, scales 8 to 10, biases 11 to 13.
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
  a.q = {*made[0], VectorLayout::kRows, size};
  a.out = {*out, VectorLayout::kRows, wide};
  a.k = {Vectors{*made[1], VectorLayout::kRows, size}, half(b, past, 0, a.h.past, size), {}, size};
  a.v = {Vectors{*made[2], VectorLayout::kRows, wide}, half(b, past, 1, a.h.past, wide), {}, wide};
  a.masks = given(b, {17, 19});
  return attend(b, a);
}

/// Flags determine whose keys are projected: the encoder's, unless they are cached, or the queries'
/// own. The first axis is the steps; the bias concatenates the biases of queries, keys and values.
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
  a.q = {*queries, VectorLayout::kStepsFirst, size};
  a.out = {*out, VectorLayout::kStepsFirst, size};
  const auto side = [&](std::int64_t which, std::size_t input, std::size_t output) {
    Side s{{},
           cached ? cache(b, b.input(input), h.past, size) : std::nullopt,
           cache(b, b.output(output), h.keys(), size),
           size};
    if (made) s.now = Vectors{*made, VectorLayout::kStepsFirst, size, which * hidden};
    return s;
  };
  a.k = side(0, 6, 1);
  a.v = side(1, 7, 2);
  a.masks = given(b, {5});
  return attend(b, a);
}

constexpr Projected kProjected{{.bias = 2}, 3, 4, 5, 6};
constexpr Projected kQuantizedProjection{
    {.bias = 2, .zero_of_data = 6, .zero_of_weight = 7, .scales = {3, 4, kNoInput}}, 5, 8};
constexpr std::array kProjectedRows = {
    NestRow{kMicrosoft, "Attention", projecting_nest<kProjected>},
    NestRow{kMicrosoft, "DecoderAttention", decoder_nest},
    NestRow{kMicrosoft, "DecoderMaskedSelfAttention", projecting_nest<kProjected>},
    NestRow{kMicrosoft, "QAttention", projecting_nest<kQuantizedProjection>},
    NestRow{kMicrosoft, "QOrderedAttention", ordered_nest},
};

}  // namespace

const std::span<const NestRow> kProjectedNests = kProjectedRows;

}  // namespace ridge::accelerator
