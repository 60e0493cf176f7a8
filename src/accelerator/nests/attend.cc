// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "accelerator/nests/attend.h"

namespace ridge::accelerator {
namespace {

/// Past and new vectors, one after the other.
Vectors past_and_new(NestBuilder& b, const Attention& a, const Side& s, const std::string& name) {
  const Heads& h = a.h;
  if (!s.past && !s.shown && s.now) return *s.now;
  Vectors out;
  if (s.shown)
    out = *s.shown;
  else
    out = {b.temporary(name, {h.batch, h.shared, h.keys(), s.size}, a.q.buffer),
           VectorLayout::kHeads, s.size};
  const std::vector<Axis> axes = {{"b", h.batch}, {"h", h.shared}, {"t", h.keys()}, {"d", s.size}};
  b.add_block("join " + name, axes, [&](Indices i) {
    const VectorAt at{i[0], i[1], i[2], i[3]};
    const VectorAt moved{i[0], i[1], b.difference(i[2], b.number(h.past)), i[3]};
    ExprId value = s.past ? load(b, *s.past, at) : load(b, *s.now, moved);
    if (s.past && s.now)
      value = b.if_else(b.nest().combine(Expr::Kind::kLess, i[2], b.number(h.past)), value,
                        load(b, *s.now, moved));
    return b.store(out.buffer, index_of(b, out, at), value);
  });
  return out;
}

/// Element of a mask for a score. Rank 1: one element per key, or one length per batch entry or for
/// all; rank 2 or 3: the first axis may be the batch. Other masks are broadcast, and 0 beyond their
/// end where they are shorter than the scores.
ExprId mask_at(NestBuilder& b, BufferId mask, const Sizes& scores, Indices at) {
  const Sizes shape = b.shape(mask);
  if (shape.size() == 1 && scores.back() != shape[0])
    return b.load(mask, std::array{shape[0] == scores[0] ? at[0] : b.number(0)});
  if (shape.size() == 2 && shape[0] == scores[0] && (shape[1] == 1 || shape[1] == scores[3]))
    return b.load(mask, std::array{at[0], shape[1] == 1 ? b.number(0) : at[3]});
  if (shape.size() == 3 && shape[0] == scores[0])
    return b.load(mask, std::array{at[0], at[2], at[3]});
  std::vector<ExprId> inside;
  for (std::size_t i = 0; i < std::min<std::size_t>(shape.size(), 4); ++i) {
    const std::int64_t size = shape[shape.size() - 1 - i];
    if (size != 1 && size < scores[3 - i])
      inside.push_back(b.nest().combine(Expr::Kind::kLess, at[3 - i], b.number(size)));
  }
  const ExprId here = b.load_repeated(mask, at);
  return inside.empty() ? here : b.if_else(b.all(inside), here, b.zero());
}

void add_softmax(NestBuilder& b, BufferId scores) {
  Sizes rows = b.shape(scores);
  rows.back() = 1;
  const BufferId largest = b.temporary("largest", rows, scores);
  const BufferId sums = b.temporary("sums", rows, scores);
  const auto row = [&](Indices at) { return std::array{at[0], at[1], at[2], b.number(0)}; };
  std::vector<Axis> axes = axes_of(b.shape(scores));
  axes.back().reduction = true;
  const BlockOptions from_least{.allocations = {}, .initial = [&](Indices at) {
                                  return b.store(largest, row(at), b.other("least", {}));
                                }};
  b.add_block(
      "largest", axes,
      [&](Indices at) {
        const std::array both = {b.load(largest, row(at)), b.load(scores, at)};
        return b.store(largest, row(at), b.nest().make(Expr::Kind::kMaximum, both));
      },
      from_least);
  // The largest score of a row is subtracted first, so that no exponential overflows.
  b.add_map("exponential", scores, [&](Indices at) {
    const ExprId below = b.difference(b.load(scores, at), b.load(largest, row(at)));
    return b.other("exp", std::array{below});
  });
  const BlockOptions from_zero{
      .allocations = {}, .initial = [&](Indices at) { return b.store(sums, row(at), b.zero()); }};
  b.add_block(
      "sum", axes, [&](Indices at) { return b.add_into(sums, row(at), b.load(scores, at)); },
      from_zero);
  b.add_map("divide", scores, [&](Indices at) {
    return b.other("divide", std::array{b.load(scores, at), b.load(sums, row(at))});
  });
}

/// Maps a query head to its head of keys and values: consecutive query heads share one.
ExprId shared_head(NestBuilder& b, const Heads& h, ExprId head) {
  return h.heads == h.shared ? head : b.quotient(head, h.heads / h.shared);
}

bool whole(const Side& s, const Heads& h) {
  return (s.past || h.past == 0) && (s.now || h.now == 0) && (s.past || s.now);
}

}  // namespace

std::vector<ExprId> index_of(NestBuilder& b, const Vectors& v, const VectorAt& at) {
  const ExprId first = b.number(v.first);
  const auto column = [&] {
    return b.sum(first, b.sum(b.product(at.head, b.number(v.size)), at.element));
  };
  switch (v.layout) {
    case VectorLayout::kHeads:
      return {at.batch, at.head, at.token, at.element};
    case VectorLayout::kRows:
      return {at.batch, at.token, column()};
    case VectorLayout::kStepsFirst:
      return {at.token, at.batch, column()};
    case VectorLayout::kThird:
      return {at.batch, at.token, at.head, first, at.element};
    case VectorLayout::kHalf:
      return {first, at.batch, at.head, at.token, at.element};
  }
  return {};
}

ExprId load(NestBuilder& b, const Vectors& v, const VectorAt& at) {
  return b.load(v.buffer, index_of(b, v, at));
}

std::optional<Vectors> cache(const NestBuilder& b, std::optional<BufferId> buffer,
                             std::int64_t length, std::int64_t size) {
  if (!buffer || b.shape(*buffer).size() != 4 || b.shape(*buffer)[2] < length ||
      b.shape(*buffer)[3] != size)
    return std::nullopt;
  return Vectors{*buffer, VectorLayout::kHeads, size};
}
std::optional<Vectors> half(const NestBuilder& b, std::optional<BufferId> buffer,
                            std::int64_t which, std::int64_t length, std::int64_t size) {
  if (!buffer || b.shape(*buffer).size() != 5 || b.shape(*buffer)[3] < length ||
      b.shape(*buffer)[4] != size)
    return std::nullopt;
  return Vectors{*buffer, VectorLayout::kHalf, size, which};
}

bool attend(NestBuilder& b, const Attention& a) {
  const Heads& h = a.h;
  if (h.shared < 1 || h.heads % h.shared != 0 || h.past < 0 || h.now < 0) return false;
  if (!whole(a.k, h) || !whole(a.v, h)) return false;
  const Vectors keys = past_and_new(b, a, a.k, "keys"), values = past_and_new(b, a, a.v, "values");
  const Sizes shape = {h.batch, h.heads, h.queries, h.keys()};
  const BufferId scores = b.temporary("scores", shape, a.q.buffer);
  b.add_product("queries x keys", scores, {"d", a.k.size, true}, [&](Indices i) {
    return NestBuilder::Factors{load(b, a.q, {i[0], i[1], i[2], i[4]}),
                                load(b, keys, {i[0], shared_head(b, h, i[1]), i[3], i[4]})};
  });
  b.add_map("scale", scores, [&](Indices at) {
    std::vector<ExprId> parts = {b.load(scores, at)};
    for (const BufferId mask : a.masks) parts.push_back(mask_at(b, mask, shape, at));
    return b.other("scaled", parts);
  });
  if (a.scores) b.add_map("show", *a.scores, [&](Indices at) { return b.load(scores, at); });
  add_softmax(b, scores);
  const std::vector<Axis> axes = {
      {"b", h.batch}, {"h", h.heads}, {"i", h.queries}, {"d", a.v.size}, {"j", h.keys(), true}};
  b.add_products(
      "scores x values", axes, a.out.buffer,
      [&](Indices i) {
        return index_of(b, a.out, {i[0], i[1], i[2], i[3]});
      },
      [&](Indices i) {
        return NestBuilder::Factors{b.load(scores, std::array{i[0], i[1], i[2], i[4]}),
                                    load(b, values, {i[0], shared_head(b, h, i[1]), i[4], i[3]})};
      });
  return true;
}

}  // namespace ridge::accelerator
