// SPDX-License-Identifier: Apache-2.0
// Recurrent layers as loop nests: the products of all inputs first, then one product of the state
// per step.
#include <array>

#include "accelerator/nests/operators.h"

namespace ridge::accelerator {
namespace {

/// Layout of the gates in a weight [directions, .., ..], and further parameters of a gate.
struct Cell {
  bool gates_last = false;
  bool long_term = false;  ///< true: a second state (the cell) and peepholes to it
  std::array<std::size_t, 2> scales = {kNoInput, kNoInput};
  std::array<std::size_t, 2> zeros = {kNoInput, kNoInput};  ///< zero points of the weights
};

/// Input X [steps, batch, inputs], or [batch, steps, inputs].
struct Sequence {
  BufferId x, w, r;
  std::int64_t steps, batch, directions, gates, hidden;
  bool batch_first;
  BufferId sums;                                ///< [directions, steps, batch, gates]
  BufferId state;                               ///< [directions, batch, hidden]
  std::optional<BufferId> cell = std::nullopt;  ///< the second state
};

std::optional<Sequence> sequence(NestBuilder& b, const Cell& cell) {
  const auto x = b.input(0), w = b.input(1), r = b.input(2);
  if (!x || !w || !r || b.shape(*x).size() != 3 || b.shape(*w).size() != 3 ||
      b.shape(*r).size() != 3)
    return std::nullopt;
  const bool batch_first = b.form().integer("layout", 0) != 0;
  const Sizes data = b.shape(*x), recurrence = b.shape(*r);
  Sequence s{*x,
             *w,
             *r,
             data[batch_first ? 1 : 0],
             data[batch_first ? 0 : 1],
             recurrence[0],
             recurrence[cell.gates_last ? 2 : 1],
             recurrence[cell.gates_last ? 1 : 2],
             batch_first,
             0,
             0};
  if (s.hidden < 1 || s.gates > 4 * s.hidden) return std::nullopt;
  s.sums = b.temporary("gates", {s.directions, s.steps, s.batch, s.gates}, *x);
  const Sizes states = {s.directions, s.batch, s.hidden};
  s.state = b.temporary("state", states, *x);
  if (cell.long_term) s.cell = b.temporary("cell", states, *x);
  return s;
}

/// Weight of a gate for element `k` of its operand.
ExprId weight_of(NestBuilder& b, const Cell& cell, std::size_t which, BufferId weight,
                 ExprId direction, ExprId gate, ExprId k) {
  std::array at = {direction, gate, k};
  if (cell.gates_last) std::swap(at[1], at[2]);
  return without_zero(b, b.load(weight, at), cell.zeros[which], std::array{direction, gate}, 0);
}

void add_inputs(NestBuilder& b, const Sequence& s, const Cell& cell) {
  b.add_product("inputs", s.sums, {"k", b.shape(s.x)[2], true}, [&](Indices at) {
    const std::array from = {at[s.batch_first ? 2 : 1], at[s.batch_first ? 1 : 2], at[4]};
    return NestBuilder::Factors{b.load(s.x, from), weight_of(b, cell, 0, s.w, at[0], at[3], at[4])};
  });
  const auto bias = b.input(3);
  // Input biases, followed by state biases.
  if (bias && b.shape(*bias).size() == 2)
    b.add_map("bias", s.sums, [&](Indices at) {
      ExprId sum = b.load(s.sums, at);
      for (const std::int64_t behind : {std::int64_t{0}, s.gates})
        sum = b.sum(sum, b.load(*bias, std::array{at[0], b.sum(at[3], b.number(behind))}));
      return sum;
    });
}

/// Indices in the layout of the initial and final state tensors.
std::array<ExprId, 3> state_indices(const Sequence& s, Indices at) {
  if (s.batch_first) return {at[1], at[0], at[2]};
  return {at[0], at[1], at[2]};
}

void add_begin(NestBuilder& b, const Sequence& s, BufferId state, std::size_t input) {
  const auto initial = b.input(input);
  const bool given = initial && b.shape(*initial).size() == 3;
  b.add_map("begin", state,
            [&](Indices at) { return given ? b.load(*initial, state_indices(s, at)) : b.zero(); });
}

void add_end(NestBuilder& b, const Sequence& s, BufferId state, std::size_t output) {
  const auto last = b.output(output);
  if (!last || b.shape(*last).size() != 3) return;
  b.add_block("end", axes_of(b.shape(state)),
              [&](Indices at) { return b.store(*last, state_indices(s, at), b.load(state, at)); });
}

/// Operands that determine element `at` of the state: its gates and their scales.
std::vector<ExprId> gates_of(NestBuilder& b, const Sequence& s, const Cell& cell, ExprId step,
                             Indices at) {
  std::vector<ExprId> out;
  for (std::int64_t gate = 0; gate < s.gates / s.hidden; ++gate) {
    const ExprId number = b.sum(at[2], b.number(gate * s.hidden));
    out.push_back(b.load(s.sums, std::array{at[0], step, at[1], number}));
    for (const std::size_t scale : cell.scales)
      if (const auto given = b.input(scale))
        out.push_back(parameter_at(b, *given, std::array{at[0], number}, 0));
  }
  return out;
}

/// New cell state from the gates, the old cell state and the peepholes [directions, 3 x hidden].
ExprId cell_after(NestBuilder& b, const Sequence& s, std::vector<ExprId> gates, Indices at) {
  gates.push_back(b.load(*s.cell, at));
  const auto peepholes = b.input(7);
  if (peepholes && b.shape(*peepholes).size() == 2)
    for (std::int64_t i = 0; i < 3; ++i)
      gates.push_back(b.load(*peepholes, std::array{at[0], b.sum(at[2], b.number(i * s.hidden))}));
  return b.other("cell", gates);
}

/// Updates the states from the gates and, if `out` is given, stores the output of the step.
StmtId update_states(NestBuilder& b, const Sequence& s, const Cell& cell, ExprId step,
                     std::optional<BufferId> out) {
  return b.block("update", axes_of(b.shape(s.state)), [&](Indices at) {
    Stmt all;
    all.kind = Stmt::Kind::kSequence;
    std::vector<ExprId> gates = gates_of(b, s, cell, step, at);
    if (s.cell) {
      all.children.push_back(b.store(*s.cell, at, cell_after(b, s, gates, at)));
      gates.assign(1, b.load(*s.cell, at));
    } else {
      gates.push_back(b.load(s.state, at));
    }
    const ExprId made = b.other("state", gates);
    all.children.push_back(b.store(s.state, at, made));
    const auto to = s.batch_first ? std::array{at[1], step, at[0], at[2]}
                                  : std::array{step, at[0], at[1], at[2]};
    if (out) all.children.push_back(b.store(*out, to, b.load(s.state, at)));
    return b.nest().add(std::move(all));
  });
}

/// The backward direction runs the steps in reverse; the nest does not, since no count depends on
/// it.
template <const Cell& cell>
bool recurrent_nest(NestBuilder& b, PaddingForm /*padding*/) {
  const auto s = sequence(b, cell);
  if (!s) return false;
  add_inputs(b, *s, cell);
  add_begin(b, *s, s->state, 5);
  if (s->cell) add_begin(b, *s, *s->cell, 6);
  auto out = b.output(0);
  if (out && b.shape(*out).size() != 4) out = std::nullopt;
  b.add_steps(s->steps, [&](ExprId step) {
    const std::vector<Axis> one = {
        {"d", s->directions}, {"b", s->batch}, {"g", s->gates}, {"k", s->hidden, true}};
    const StmtId product = b.block("state", one, [&](Indices at) {
      return b.add_into(s->sums, std::array{at[0], step, at[1], at[2]},
                        b.product(b.load(s->state, std::array{at[0], at[1], at[3]}),
                                  weight_of(b, cell, 1, s->r, at[0], at[2], at[3])));
    });
    return std::vector{product, update_states(b, *s, cell, step, out)};
  });
  add_end(b, *s, s->state, 1);
  if (s->cell) add_end(b, *s, *s->cell, 2);
  return true;
}

constexpr Cell kPlainCell{};
constexpr Cell kLong{.long_term = true};
constexpr Cell kQuantizedCell{
    .gates_last = true, .long_term = true, .scales = {8, 10}, .zeros = {9, 11}};

constexpr std::array kRecurrentRows = {
    NestRow{"", "GRU", recurrent_nest<kPlainCell>},
    NestRow{"", "LSTM", recurrent_nest<kLong>},
    NestRow{"", "RNN", recurrent_nest<kPlainCell>},
    NestRow{kMicrosoft, "DynamicQuantizeLSTM", recurrent_nest<kQuantizedCell>},
};

}  // namespace

const std::span<const NestRow> kRecurrentNests = kRecurrentRows;

}  // namespace ridge::accelerator
