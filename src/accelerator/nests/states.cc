// SPDX-License-Identifier: Apache-2.0
// Layers that add an outer product to a state at every step and read the state.
#include <algorithm>
#include <array>

#include "accelerator/nests/operators.h"

namespace ridge::accelerator {
namespace {

/// Operations of a token on the state [states..., size, value size] of each of its heads.
struct Tokens {
  std::vector<Axis> axes;  ///< axes of the tokens processed at once, then of the heads
  std::int64_t size = 0, value_size = 0, readers = 1;
  std::vector<BufferId> gates = {};  ///< decays and write strengths
  bool corrects = false;
  BufferId state = kNothing, seen = kNothing, out = kNothing;
  /// Indices of state, key, value, query and result at (axes..., element).
  std::function<std::vector<ExprId>(Indices, ExprId element, ExprId value)> state_at;
  std::function<ExprId(Indices, ExprId)> key, value;
  std::function<ExprId(Indices, ExprId reader, ExprId)> query;
  std::function<std::vector<ExprId>(Indices, ExprId reader, ExprId value)> out_at;
};

std::vector<Axis> with(std::vector<Axis> axes, std::initializer_list<Axis> more) {
  axes.insert(axes.end(), more);
  return axes;
}

/// Statements of one step: decay, read with the key, write, read with the queries.
/// Example: axes [1, 2] (batch, heads), size 64, value_size 32, 3 readers, with correction. Per
/// step the reads with the key are 1 * 2 * 32 * 64 = 4,096 MACs, the write 2 * 64 * 32 = 4,096, the
/// reads with the queries 3 times as many: 20,480 in total.
std::vector<StmtId> step(NestBuilder& b, const Tokens& t) {
  const std::size_t n = t.axes.size();
  std::vector<StmtId> out;
  const Axis size{"d", t.size}, value{"v", t.value_size}, depth{"d", t.size, true};
  if (!t.gates.empty())
    out.push_back(b.block("decay", with(t.axes, {size, value}), [&](Indices i) {
      const auto at = t.state_at(i.first(n), i[n], i[n + 1]);
      std::vector<ExprId> parts = {b.load(t.state, at)};
      for (const BufferId gate : t.gates)
        parts.push_back(b.load_flat(gate, b.other("of the token", i.first(n))));
      return b.store(t.state, at, b.other("decayed", parts));
    }));
  if (t.corrects)
    out.push_back(b.products(
        "read with the key", with(t.axes, {value, depth}), t.seen,
        [&](Indices i) { return std::vector(i.begin(), i.begin() + std::ptrdiff_t(n) + 1); },
        [&](Indices i) {
          return NestBuilder::Factors{t.key(i.first(n), i[n + 1]),
                                      b.load(t.state, t.state_at(i.first(n), i[n + 1], i[n]))};
        }));
  out.push_back(b.block("write", with(t.axes, {size, value}), [&](Indices i) {
    std::vector<ExprId> seen(i.begin(), i.begin() + std::ptrdiff_t(n));
    seen.push_back(i[n + 1]);
    ExprId v = t.value(i.first(n), i[n + 1]);
    if (t.corrects) v = b.difference(v, b.load(t.seen, seen));
    return b.add_into(t.state, t.state_at(i.first(n), i[n], i[n + 1]),
                      b.product(t.key(i.first(n), i[n]), v));
  }));
  out.push_back(b.products(
      "read with the queries", with(t.axes, {{"r", t.readers}, value, depth}), t.out,
      [&](Indices i) { return t.out_at(i.first(n), i[n], i[n + 1]); },
      [&](Indices i) {
        return NestBuilder::Factors{t.query(i.first(n), i[n], i[n + 2]),
                                    b.load(t.state, t.state_at(i.first(n), i[n + 2], i[n + 1]))};
      }));
  return out;
}

bool nest_corrects(const NestBuilder& b) {
  return b.form().text("update_rule", "gated_delta").ends_with("delta");
}

/// Column of `element` of vector `head` in a row.
ExprId column(NestBuilder& b, ExprId head, std::int64_t size, ExprId element) {
  return b.sum(b.product(head, b.number(size)), element);
}

/// Queries, keys and values [batch, steps, heads x size], the state [batch, heads, size, value
/// size].
bool linear_attention_nest(NestBuilder& b, PaddingForm /*padding*/) {
  const auto q = b.input(0), k = b.input(1), v = b.input(2), out = b.output(0), past = b.input(3);
  const std::int64_t heads = b.form().integer("q_num_heads", 0);
  const std::int64_t keys = b.form().integer("kv_num_heads", 0);
  if (!q || !k || !v || !out || heads < 1 || keys < 1 || b.shape(*q).size() != 3 ||
      b.shape(*k).size() != 3 || b.shape(*v).size() != 3 || b.shape(*out).size() != 3)
    return false;
  Tokens t;
  const std::int64_t batch = b.shape(*q)[0];
  t.size = b.shape(*q)[2] / heads;
  t.value_size = b.shape(*v)[2] / keys;
  t.readers = std::max(heads, keys) / keys;
  t.axes = {{"b", batch}, {"h", keys}};
  t.corrects = nest_corrects(b);
  t.out = *out;
  const Sizes shape = {batch, keys, t.size, t.value_size};
  t.state = b.temporary("state", shape, *q);
  if (t.corrects) t.seen = b.temporary("seen", {batch, keys, t.value_size}, *q);
  for (const std::size_t i : {4U, 5U})
    if (const auto gate = b.input(i)) t.gates.push_back(*gate);
  const bool begun = past && b.shape(*past).size() == 4;
  b.add_map("begin", t.state, [&](Indices at) { return begun ? b.load(*past, at) : b.zero(); });
  t.state_at = [](Indices at, ExprId element, ExprId value) {
    return std::vector{at[0], at[1], element, value};
  };
  const std::int64_t fewer = std::max<std::int64_t>(1, keys / heads);
  b.add_steps(b.shape(*q)[1], [&](ExprId now) {
    t.key = [&](Indices at, ExprId element) {
      return b.load(*k, std::array{at[0], now, column(b, at[1], t.size, element)});
    };
    t.value = [&](Indices at, ExprId element) {
      return b.load(*v, std::array{at[0], now, column(b, at[1], t.value_size, element)});
    };
    t.query = [&](Indices at, ExprId reader, ExprId element) {
      const ExprId head = fewer > 1 ? b.quotient(at[1], fewer)
                                    : b.sum(b.product(at[1], b.number(t.readers)), reader);
      return b.load(*q, std::array{at[0], now, column(b, head, t.size, element)});
    };
    t.out_at = [&](Indices at, ExprId reader, ExprId value) {
      const ExprId head = b.sum(b.product(at[1], b.number(t.readers)), reader);
      return std::vector{at[0], now, column(b, head, t.value_size, value)};
    };
    return step(b, t);
  });
  const auto last = b.output(1);
  if (last && b.shape(*last) == shape)
    b.add_map("end", *last, [&](Indices at) { return b.load(t.state, at); });
  return true;
}

/// Tokens of all sequences in one axis or two, [.., heads, size]. Only the data determines which
/// sequence's state [batch, heads, value size, size] a token uses.
bool delta_nest(NestBuilder& b, PaddingForm /*padding*/) {
  const auto q = b.input(0), k = b.input(1), v = b.input(2), state = b.input(6), out = b.output(0);
  if (!q || !k || !v || !state || !out || b.shape(*state).size() != 4 || b.shape(*out).size() < 3 ||
      b.shape(*q).size() != b.shape(*out).size() || b.shape(*k).size() != b.shape(*out).size() ||
      b.shape(*v).size() != b.shape(*out).size())
    return false;
  const Sizes made = b.shape(*out);
  const std::size_t rank = made.size();
  Tokens t;
  t.axes = axes_of(std::span(made).first(rank - 1));
  t.size = b.shape(*state)[3];
  t.value_size = b.shape(*state)[2];
  t.corrects = nest_corrects(b);
  t.out = *out;
  const auto after = b.output(1);
  const bool shown = after && b.shape(*after) == b.shape(*state);
  t.state = shown ? *after : b.temporary("state", b.shape(*state), *state);
  Sizes seen(made.begin(), made.end() - 1);
  seen.push_back(t.value_size);
  if (t.corrects) t.seen = b.temporary("seen", seen, *state);
  for (const std::size_t i : {4U, 5U})
    if (const auto gate = b.input(i)) t.gates.push_back(*gate);
  b.add_map("begin", t.state, [&](Indices at) { return b.load(*state, at); });
  const auto offsets = b.input(3);
  t.state_at = [&](Indices at, ExprId element, ExprId value) {
    std::vector<ExprId> decides(at.begin(), at.end() - 1);
    if (offsets) decides.push_back(b.load_flat(*offsets, b.other("end of", decides)));
    return std::vector{b.other("sequence", decides), at.back(), value, element};
  };
  // There may be fewer key heads than value heads.
  const auto vector = [&](BufferId from, Indices at, ExprId element) {
    std::vector<ExprId> index(at.begin(), at.end());
    const std::int64_t heads = b.shape(from)[rank - 2];
    if (heads > 0)
      index.back() = b.quotient(index.back(), std::max<std::int64_t>(1, made[rank - 2] / heads));
    index.push_back(element);
    return b.load(from, index);
  };
  t.key = [&](Indices at, ExprId element) { return vector(*k, at, element); };
  t.value = [&](Indices at, ExprId element) { return vector(*v, at, element); };
  t.query = [&](Indices at, ExprId, ExprId element) { return vector(*q, at, element); };
  t.out_at = [&](Indices at, ExprId, ExprId value) {
    std::vector<ExprId> index(at.begin(), at.end());
    index.push_back(value);
    return index;
  };
  b.add_steps(1, [&](ExprId) { return step(b, t); });
  return true;
}

constexpr std::array kStateRows = {
    NestRow{"", "LinearAttention", linear_attention_nest},
    NestRow{kMicrosoft, "GatedDeltaNet", delta_nest},
    NestRow{kMicrosoft, "LinearAttention", linear_attention_nest},
};

}  // namespace

const std::span<const NestRow> kStateNests = kStateRows;

}  // namespace ridge::accelerator
