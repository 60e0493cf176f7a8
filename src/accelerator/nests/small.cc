// SPDX-License-Identifier: Apache-2.0
// Operators with a matrix product as a minor part, as loop nests.
#include <array>

#include "accelerator/nests/operators.h"

namespace ridge::accelerator {
namespace {

/// A matrix [axes, axes + 1], padded to [3, 4], times every position.
bool affine_grid_nest(NestBuilder& b, PaddingForm /*padding*/) {
  const auto theta = b.input(0), out = b.output(0);
  if (!theta || !out || b.shape(*out).size() < 4 || b.shape(*theta).size() != 3) return false;
  const Sizes shape = b.shape(*out);
  const Sizes matrix = b.shape(*theta);
  const std::int64_t positions = product(std::span(shape).subspan(1, shape.size() - 2));
  const BufferId grid = b.temporary("grid", {positions, 4}, *theta);
  const BufferId full = b.temporary("full", {shape[0], 3, 4}, *theta);
  const BufferId made = b.temporary("made", {shape[0], positions, 3}, *theta);
  b.add_map("positions", grid, [&](Indices at) { return b.other("position", at); });
  b.add_map("fill", full, [&](Indices at) {
    const std::array inside = {b.within(at[1], 0, matrix[1]), b.within(at[2], 0, matrix[2])};
    return b.if_else(b.all(inside), b.load(*theta, at), b.zero());
  });
  b.add_product("product", made, {"k", 4, true}, [&](Indices i) {
    return NestBuilder::Factors{b.load(grid, std::array{i[1], i[3]}),
                                b.load(full, std::array{i[0], i[2], i[3]})};
  });
  b.add_map("grid", *out, [&](Indices at) {
    ExprId position = b.number(0);
    for (std::size_t i = 1; i + 1 < at.size(); ++i)
      position = b.sum(b.product(position, b.number(shape[i])), at[i]);
    return b.load(made, std::array{at[0], position, at.back()});
  });
  return true;
}

/// Queries [batch, length, heads x size] times one small weight, whose columns gate a bias
/// [1, heads, length, length].
bool gated_position_bias_nest(NestBuilder& b, PaddingForm /*padding*/) {
  const auto q = b.input(0), bias = b.input(1), positions = b.input(2), weight = b.input(3);
  const auto added = b.input(4), scale = b.input(5), out = b.output(0);
  if (!q || !bias || !positions || !weight || !out || b.shape(*q).size() != 3 ||
      b.shape(*weight).size() != 2 || b.shape(*out).size() != 4)
    return false;
  const Sizes out_shape = b.shape(*out);
  const std::int64_t size = b.shape(*weight)[0], columns = b.shape(*weight)[1];
  const BufferId biased = b.temporary("biased", b.shape(*q), *q);
  const BufferId gates =
      b.temporary("gates", {out_shape[0], out_shape[1], out_shape[2], columns}, *q);
  b.add_map("bias", biased,
            [&](Indices at) { return b.sum(b.load(*q, at), b.load_repeated(*bias, at)); });
  b.add_product("product", gates, {"k", size, true}, [&](Indices i) {
    const ExprId column = b.sum(b.product(i[1], b.number(size)), i[4]);
    return NestBuilder::Factors{b.load(biased, std::array{i[0], i[2], column}),
                                b.load(*weight, std::array{i[4], i[3]})};
  });
  if (added) add_repeated(b, "added", gates, *added);
  const BufferId gate = b.temporary("gate", {out_shape[0], out_shape[1], out_shape[2], 1}, *q);
  b.add_map("begin", gate, [&](Indices) { return b.zero(); });
  b.add_block("gate", axes_of(b.shape(gates)), [&](Indices at) {
    const std::array to = {at[0], at[1], at[2], b.number(0)};
    return b.store(gate, to, b.other("gate", std::array{b.load(gate, to), b.load(gates, at)}));
  });
  b.add_map("gated", *out, [&](Indices at) {
    std::vector<ExprId> parts = {b.load_repeated(*positions, at), b.load_repeated(gate, at)};
    if (scale) parts.push_back(b.load_repeated(*scale, at));
    return b.other("gated", parts);
  });
  return true;
}

/// Sizes of streams [tokens..., branches, width] or [tokens..., branches x width].
struct StreamSizes {
  std::int64_t tokens, branches, width;
};
std::optional<StreamSizes> stream_sizes(const NestBuilder& b, BufferId x) {
  const Sizes shape = b.shape(x);
  const std::int64_t flat = b.form().integer("num_branches", 0);
  if (shape.size() < (flat > 0 ? 1U : 2U)) return std::nullopt;
  StreamSizes s{0, flat > 0 ? flat : shape[shape.size() - 2],
                flat > 0 ? shape.back() / flat : shape.back()};
  if (s.branches < 1 || s.width < 1) return std::nullopt;
  s.tokens = product(shape) / s.branches / s.width;
  return s;
}

/// Row-major number of element (a, b, c, ...).
ExprId number_of(NestBuilder& b, Indices at, std::initializer_list<std::int64_t> sizes) {
  ExprId out = b.number(0);
  std::size_t i = 0;
  for (const std::int64_t size : sizes) out = b.sum(b.product(out, b.number(size)), at[i++]);
  return out;
}

bool pre_mix_nest(NestBuilder& b, PaddingForm /*padding*/) {
  const auto x = b.input(0), w = b.input(1), out = b.output(0);
  const auto s = x ? stream_sizes(b, *x) : std::nullopt;
  if (!s || !w || !out) return false;
  const std::vector<Axis> axes = {{"t", s->tokens}, {"w", s->width}, {"c", s->branches, true}};
  b.add_products(
      "mix", axes, *out,
      [&](Indices i) {
        return b.index_of(*out, number_of(b, i, {s->tokens, s->width}));
      },
      [&](Indices i) {
        const std::array of_x = {i[0], i[2], i[1]};
        const std::array of_w = {i[0], i[2]};
        return NestBuilder::Factors{
            b.load_flat(*x, number_of(b, of_x, {s->tokens, s->branches, s->width})),
            b.load_flat(*w, number_of(b, of_w, {s->tokens, s->branches}))};
      });
  return true;
}

bool post_mix_nest(NestBuilder& b, PaddingForm /*padding*/) {
  const auto x = b.input(0), y = b.input(1), w = b.input(2), m = b.input(3), out = b.output(0);
  const auto s = x ? stream_sizes(b, *x) : std::nullopt;
  if (!s || !y || !w || !m || !out) return false;
  const std::vector<Axis> made = {{"t", s->tokens}, {"o", s->branches}, {"w", s->width}};
  std::vector<Axis> axes = made;
  axes.push_back({"c", s->branches, true});
  const auto to = [&](Indices i) {
    return b.index_of(*out, number_of(b, i, {s->tokens, s->branches, s->width}));
  };
  b.add_products("mix", axes, *out, to, [&](Indices i) {
    const std::array of_x = {i[0], i[3], i[2]}, of_m = {i[0], i[1], i[3]};
    return NestBuilder::Factors{
        b.load_flat(*x, number_of(b, of_x, {s->tokens, s->branches, s->width})),
        b.load_flat(*m, number_of(b, of_m, {s->tokens, s->branches, s->branches}))};
  });
  b.add_block("add", made, [&](Indices i) {
    const std::array of_y = {i[0], i[2]};
    const ExprId scaled =
        b.other("scaled", std::array{b.load_flat(*y, number_of(b, of_y, {s->tokens, s->width})),
                                     b.load_flat(*w, number_of(b, i, {s->tokens, s->branches}))});
    return b.add_into(*out, to(i), scaled);
  });
  return true;
}

constexpr std::array kSmallRows = {
    NestRow{"", "AffineGrid", affine_grid_nest},
    NestRow{kMicrosoft, "GatedRelativePositionBias", gated_position_bias_nest},
    NestRow{kMicrosoft, "HyperConnectionPostMix", post_mix_nest},
    NestRow{kMicrosoft, "HyperConnectionPreMix", pre_mix_nest},
};

}  // namespace

const std::span<const NestRow> kSmallNests = kSmallRows;

}  // namespace ridge::accelerator
