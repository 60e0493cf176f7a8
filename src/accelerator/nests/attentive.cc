// SPDX-License-Identifier: Apache-2.0
// Recurrent layer whose input is concatenated with the attention of the previous step.
#include <array>

#include "accelerator/nests/operators.h"

namespace ridge::accelerator {
namespace {

/// Input [steps, batch, inputs], memory [batch, places, depth]; weights per direction: W [gates,
/// inputs + attention], R [gates, hidden], queries [hidden, columns], memory [depth, columns],
/// scores [columns] and, optionally, the layer [depth + hidden, attention].
struct Attentive {
  BufferId x, w, r, query, memory_weight, scores_weight, memory, out;
  std::optional<BufferId> layer;
  std::int64_t directions, batch, hidden, gates, inputs, places, depth, columns, attention;
  // All [directions, batch, ..]: gates, state and cell; queries, scores, weighted memory,
  // attention.
  BufferId sums, state, cell, asked, scores, mixed, attended;
  BufferId keys;  ///< [directions, batch, places, columns]
};

std::optional<Attentive> attentive(NestBuilder& b) {
  const auto of_rank = [&](std::optional<BufferId> buffer, std::size_t rank) {
    return buffer && b.shape(*buffer).size() == rank;
  };
  const auto x = b.input(0), w = b.input(1), r = b.input(2), query = b.input(8);
  const auto keys = b.input(9), scores = b.input(10), memory = b.input(11), out = b.output(0);
  for (const auto& buffer : {x, w, r, query, keys, memory})
    if (!of_rank(buffer, 3)) return std::nullopt;
  if (!of_rank(scores, 2) || !of_rank(out, 4)) return std::nullopt;
  Attentive a{};
  a.x = *x, a.w = *w, a.r = *r, a.query = *query, a.memory_weight = *keys;
  a.scores_weight = *scores, a.memory = *memory, a.out = *out;
  a.layer = b.input(13);
  if (a.layer && !of_rank(a.layer, 3)) return std::nullopt;
  const Sizes made = b.shape(*out), m = b.shape(*memory), weight = b.shape(*w);
  a.directions = made[1], a.batch = made[2], a.hidden = made[3];
  a.gates = weight[1], a.inputs = b.shape(*x)[2];
  a.places = m[1], a.depth = m[2], a.columns = b.shape(*query)[2];
  a.attention = a.layer ? b.shape(*a.layer)[2] : a.depth;
  if (weight[2] != a.inputs + a.attention || a.gates != 4 * a.hidden) return std::nullopt;
  if (a.layer && b.shape(*a.layer)[1] != a.depth + a.hidden) return std::nullopt;
  return a;
}

void allocate(NestBuilder& b, Attentive& a) {
  const auto each = [&](std::string name, std::int64_t size) {
    return b.temporary(std::move(name), {a.directions, a.batch, size}, a.x);
  };
  a.sums = each("gates", a.gates), a.state = each("state", a.hidden),
  a.cell = each("cell", a.hidden);
  a.asked = each("queries", a.columns), a.scores = each("scores", a.places);
  a.mixed = each("mixed", a.depth);
  a.attended = a.layer ? each("attended", a.attention) : a.mixed;
  a.keys = b.temporary("keys", {a.directions, a.batch, a.places, a.columns}, a.x);
}

/// Element `k` of the concatenation of a vector of `size` and another one.
ExprId joined_vector(NestBuilder& b, ExprId k, std::int64_t size,
                     const std::function<ExprId(ExprId)>& one,
                     const std::function<ExprId(ExprId)>& other) {
  return b.if_else(b.nest().combine(Expr::Kind::kLess, k, b.number(size)), one(k),
                   other(b.difference(k, b.number(size))));
}

/// Gates of a step: the products of its input and the previous attention, and of the state.
std::vector<StmtId> gates(NestBuilder& b, const Attentive& a, ExprId step) {
  const auto at = [&](BufferId from, Indices i, ExprId k) {
    return b.load(from, std::array{i[0], i[1], k});
  };
  const Axis wide{"k", a.inputs + a.attention, true};
  const StmtId inputs = b.products("inputs", a.sums, std::span(&wide, 1), [&](Indices i) {
    const ExprId data = joined_vector(
        b, i[3], a.inputs,
        [&](ExprId k) {
          return b.load(a.x, std::array{step, i[1], k});
        },
        [&](ExprId k) { return at(a.attended, i, k); });
    return NestBuilder::Factors{data, b.load(a.w, std::array{i[0], i[2], i[3]})};
  });
  std::vector<Axis> axes = axes_of(b.shape(a.sums));
  axes.push_back({"k", a.hidden, true});
  const StmtId state = b.block("state", axes, [&](Indices i) {
    return b.add_into(a.sums, i.first(3),
                      b.product(at(a.state, i, i[3]), b.load(a.r, std::array{i[0], i[2], i[3]})));
  });
  return {inputs, state};
}

StmtId update_attentive(NestBuilder& b, const Attentive& a, ExprId step) {
  const auto bias = b.input(3);
  return b.block("update", axes_of(b.shape(a.state)), [&](Indices i) {
    std::vector<ExprId> parts = {b.load(a.cell, i)};
    for (std::int64_t gate = 0; gate < 4; ++gate) {
      const ExprId number = b.sum(i[2], b.number(gate * a.hidden));
      parts.push_back(b.load(a.sums, std::array{i[0], i[1], number}));
      for (const std::int64_t behind : {std::int64_t{0}, a.gates})
        if (bias && b.shape(*bias).size() == 2)
          parts.push_back(b.load(*bias, std::array{i[0], b.sum(number, b.number(behind))}));
    }
    Stmt all;
    all.kind = Stmt::Kind::kSequence;
    all.children = {b.store(a.cell, i, b.other("cell", parts)),
                    b.store(a.state, i, b.other("state", std::array{b.load(a.cell, i)})),
                    b.store(a.out, std::array{step, i[0], i[1], i[2]}, b.load(a.state, i))};
    return b.nest().add(std::move(all));
  });
}

/// Attention of the state to the memory.
std::vector<StmtId> attend_memory(NestBuilder& b, const Attentive& a) {
  const Axis hidden{"k", a.hidden, true}, columns{"k", a.columns, true},
      places{"k", a.places, true};
  const Axis both{"k", a.depth + a.hidden, true};
  const auto at = [&](BufferId from, Indices i, ExprId k) {
    return b.load(from, std::array{i[0], i[1], k});
  };
  std::vector<StmtId> out = {
      b.products("queries", a.asked, std::span(&hidden, 1),
                 [&](Indices i) {
                   return NestBuilder::Factors{at(a.state, i, i[3]),
                                               b.load(a.query, std::array{i[0], i[3], i[2]})};
                 }),
      b.products("scores", a.scores, std::span(&columns, 1),
                 [&](Indices i) {
                   const ExprId key = b.load(a.keys, std::array{i[0], i[1], i[2], i[3]});
                   return NestBuilder::Factors{
                       b.other("tanh", std::array{key, at(a.asked, i, i[3])}),
                       b.load(a.scores_weight, std::array{i[0], i[3]})};
                 }),
      b.block("softmax", axes_of(b.shape(a.scores)),
              [&](Indices i) {
                return b.store(a.scores, i, b.other("softmax", std::array{b.load(a.scores, i)}));
              }),
      b.products("mix", a.mixed, std::span(&places, 1), [&](Indices i) {
        return NestBuilder::Factors{at(a.scores, i, i[3]),
                                    b.load(a.memory, std::array{i[1], i[3], i[2]})};
      })};
  if (a.layer)
    out.push_back(b.products("layer", a.attended, std::span(&both, 1), [&](Indices i) {
      const ExprId data = joined_vector(
          b, i[3], a.depth, [&](ExprId k) { return at(a.mixed, i, k); },
          [&](ExprId k) { return at(a.state, i, k); });
      return NestBuilder::Factors{data, b.load(*a.layer, std::array{i[0], i[3], i[2]})};
    }));
  return out;
}

bool attentive_nest(NestBuilder& b, PaddingForm /*padding*/) {
  auto a = attentive(b);
  if (!a) return false;
  allocate(b, *a);
  b.add_product("keys", a->keys, {"k", a->depth, true}, [&](Indices i) {
    return NestBuilder::Factors{b.load(a->memory, std::array{i[1], i[2], i[4]}),
                                b.load(a->memory_weight, std::array{i[0], i[4], i[3]})};
  });
  for (const BufferId begins : {a->state, a->cell, a->attended})
    b.add_map("begin", begins, [&](Indices) { return b.zero(); });
  b.add_steps(b.shape(a->out)[0], [&](ExprId step) {
    std::vector<StmtId> all = gates(b, *a, step);
    all.push_back(update_attentive(b, *a, step));
    for (const StmtId s : attend_memory(b, *a)) all.push_back(s);
    return all;
  });
  return true;
}

constexpr std::array kAttentiveRows = {NestRow{kMicrosoft, "AttnLSTM", attentive_nest}};

}  // namespace

const std::span<const NestRow> kAttentiveNests = kAttentiveRows;

}  // namespace ridge::accelerator
