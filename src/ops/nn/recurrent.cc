// SPDX-License-Identifier: Apache-2.0
// LSTM, GRU and RNN: one matrix product per gate, direction and step.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "ops/nn/activation.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

struct Cell {
  std::int32_t gates;
  std::int32_t combine;             ///< FLOPs per hidden element to combine state and gates
  std::string_view activations[3];  ///< default activations
  std::int32_t uses[3];             ///< number of gates or states that each is applied to
  std::size_t peephole;             ///< input with the peephole weights; 0 = none
  std::size_t gate_axis = 1;        ///< gate axis of the weight; its other axis is the input's
};

// Combining operations: LSTM f*C + i*c, o*h; GRU r*H, (1-z)*h + z*H; RNN none.
constexpr Cell kLstm{4, 4, {"Sigmoid", "Tanh", "Tanh"}, {3, 1, 1}, 7};
constexpr Cell kGru{3, 5, {"Sigmoid", "Tanh", ""}, {2, 1, 0}, 0};
constexpr Cell kQuantizedLstm{4, 4, {"Sigmoid", "Tanh", "Tanh"}, {3, 1, 1}, 7, 2};
constexpr Cell kRnn{1, 0, {"Tanh", "", ""}, {1, 0, 0}, 0};

struct RecurrentSizes {
  Dim steps, batch, input, hidden;
  std::int64_t directions;
  bool batch_first;
};

Result<std::int64_t> directions(const Context& c) {
  const std::string_view d = TRY(c.string_attribute("direction", "forward"));
  if (d != "forward" && d != "reverse" && d != "bidirectional")
    return c.fail(Fault::kAttribute, fmt::format("attribute 'direction' is \"{}\"; it must be "
                                                 "forward, reverse or bidirectional",
                                                 d));
  return d == "bidirectional" ? 2 : 1;
}

Result<RecurrentSizes> recurrent_sizes(Context& c, const Cell& cell) {
  RecurrentSizes s;
  s.directions = TRY(directions(c));
  s.batch_first = TRY(c.int_attribute("layout", 0)) != 0;
  const Shape &x = c.input(0).shape, &w = c.input(1).shape, &r = c.input(2).shape;
  for (std::size_t i = 0; i < 3; ++i) TRY(require_rank(c, i, 3));
  const std::int64_t given = TRY(c.int_attribute("hidden_size", 0));
  if (given < 0)
    return c.fail(Fault::kAttribute,
                  fmt::format("attribute 'hidden_size' is {}, it must be at least 1", given));
  if (given > 0)
    s.hidden = Dim(given);
  else if (r.ranked())
    s.hidden = r[3 - cell.gate_axis];
  if (x.ranked()) {
    s.steps = x[s.batch_first ? 1 : 0];
    s.batch = x[s.batch_first ? 0 : 1];
    s.input = x[2];
  }
  if (w.ranked()) {
    TRY(require_same(c, s.input, w[3 - cell.gate_axis],
                     "sizes of the input and of the weight's rows"));
    TRY(require_same(
        c, c.dims().mul(s.hidden, Dim(cell.gates)), w[cell.gate_axis],
        fmt::format("{} gates of the hidden size and rows of the weight", cell.gates)));
    TRY(require_same(c, Dim(s.directions), w[0], "directions and those of the weight"));
  }
  return s;
}

// Steps of all sequences: every step of each, or its own number where the lengths (input 4, one per
// sequence) are constants.
//
// Example: 5 steps, 2 sequences of constant lengths 5 and 3: 8.
Dim steps_of(Context& c, const RecurrentSizes& s) {
  DimPool& p = c.dims();
  const Dim all = p.mul(s.steps, s.batch);
  const Value* lengths = integral_value(c, 4);
  if (lengths == nullptr || !s.batch.is(static_cast<std::int64_t>(lengths->ints.size())))
    return all;
  Dim sum(0);
  for (const Dim& length : lengths->ints) sum = p.add(sum, p.min(p.max(length, Dim(0)), s.steps));
  return sum.unknown() ? all : sum;
}

Result<void> infer_recurrent(Context& c, const Cell& cell) {
  TRY(require_inputs(c, 3));
  const RecurrentSizes s = TRY(recurrent_sizes(c, cell));
  const Dim d(s.directions);
  const DataType t = c.input(0).dtype;
  const bool first = s.batch_first;
  set_tensor(
      c, 0, t,
      first ? c.shape({s.batch, s.steps, d, s.hidden}) : c.shape({s.steps, d, s.batch, s.hidden}));
  for (std::size_t i = 1; i < 3; ++i)
    set_tensor(c, i, t, first ? c.shape({s.batch, d, s.hidden}) : c.shape({d, s.batch, s.hidden}));
  return {};
}

// Cost of the activations per hidden element, over all directions. The attribute `activations`
// lists the forward direction's functions (at most three), then the reverse one's; missing ones are
// the defaults. nullopt if one is unknown.
std::optional<Cost> activations(const Context& c, const Cell& cell, std::int64_t directions) {
  const onnx::Attribute* given = graph::attribute(c.node(), "activations");
  const std::size_t named = given == nullptr ? 0 : given->strings.size();
  Cost total;
  std::size_t at = 0;
  for (std::int64_t d = 0; d < directions; ++d) {
    for (std::size_t i = 0; i < 3 && !cell.activations[i].empty(); ++i, ++at) {
      const auto each = activation_cost(at < named ? given->strings[at] : cell.activations[i]);
      if (!each) return std::nullopt;
      total.flops += cell.uses[i] * each->flops;
      total.special += cell.uses[i] * each->special;
    }
  }
  return total;
}

// Work of a cell per hidden element, over all directions: the activations, and `own` FLOPs per
// direction to combine gates and state and to add a gate's input part, recurrent part and two
// biases.
Work cells(Context& c, const Cell& cell, std::int64_t directions, Dim elements) {
  const std::optional<Cost> found = activations(c, cell, directions);
  if (!found) return {.flops = Dim(), .special = Dim()};
  std::int32_t own = cell.combine + cell.gates * (c.has_input(3) ? 3 : 1);
  const bool peephole = cell.peephole != 0 && c.has_input(cell.peephole);
  if (peephole) own += 2 * 3;
  Cost each = *found;
  each.flops += static_cast<std::int32_t>(directions) * own;
  return elementwise(c, elements, each, c.input(0).dtype);
}

Work work_recurrent(Context& c, const Cell& cell) {
  const auto found = recurrent_sizes(c, cell);
  if (!found.ok()) return {};
  const RecurrentSizes& s = *found;
  DimPool& p = c.dims();
  const Dim all = p.mul(s.steps, s.batch), steps = steps_of(c, s);
  Work out = cells(c, cell, s.directions, p.mul(steps, s.hidden));
  const Dim each = product(p, {s.hidden, Dim(s.directions * cell.gates), p.add(s.input, s.hidden)});
  out.macs = p.mul(steps, each);
  if (!steps.same(all)) out.macs_max = p.mul(all, each);
  return out;
}

// Weights have 8 bits; their other factor is quantized in every step as DynamicQuantizeLinear does,
// and every product is scaled.
Work work_quantized_recurrent(Context& c) {
  const auto found = recurrent_sizes(c, kQuantizedLstm);
  if (!found.ok()) return {};
  DimPool& p = c.dims();
  const Dim steps = p.mul(steps_of(c, *found), Dim(found->directions));
  const Dim rows = p.mul(steps, p.add(found->input, found->hidden));
  const Dim products = p.mul(p.mul(steps, found->hidden), Dim(2 * kQuantizedLstm.gates));
  const Work cell = work_recurrent(c, kQuantizedLstm);
  Work out = sum(c, cell, {.flops = p.add(p.mul(rows, Dim(6)), products), .special = rows});
  out.macs_max = cell.macs_max;
  return out;
}

template <const Cell& cell>
Result<void> infer_cell(Context& c) {
  return infer_recurrent(c, cell);
}
template <const Cell& cell>
Work work_cell(Context& c) {
  return work_recurrent(c, cell);
}

// Bahdanau attention around a cell. The input [steps, batch, in] is concatenated with the attention
// of the previous step, so the weight is wider. Memory [batch, places, depth]; inputs 8, 9, 10 and
// 13 are the weights for query, memory, scores and attention.
Result<void> infer_attentive(Context& c) {
  TRY(require_inputs(c, 3));
  for (std::size_t i = 0; i < 3; ++i) TRY(require_rank(c, i, 3));
  const Dim d(TRY(directions(c)));
  const Shape &x = c.input(0).shape, &r = c.input(2).shape;
  const std::int64_t given = TRY(c.int_attribute("hidden_size", 0));
  const Dim hidden = given > 0 ? Dim(given) : r.ranked() ? r[2] : Dim();
  const Dim steps = x.ranked() ? x[0] : Dim(), batch = x.ranked() ? x[1] : Dim();
  set_tensor(c, 0, c.input(0).dtype, c.shape({steps, d, batch, hidden}));
  for (std::size_t i = 1; i < 3; ++i)
    set_tensor(c, i, c.input(0).dtype, c.shape({d, batch, hidden}));
  return {};
}
Work work_attentive(Context& c) {
  const Work unknown{.macs = Dim(), .flops = Dim(), .special = Dim()};
  const auto ways = directions(c);
  const Shape &y = c.output(0).shape, &w = c.input(1).shape, &m = c.input(11).shape;
  const Shape &query = c.input(8).shape, &memory = c.input(9).shape, &layer = c.input(13).shape;
  if (!ways.ok() || y.rank != 4 || w.rank != 3 || m.rank != 3 || query.rank != 3 ||
      memory.rank != 3)
    return unknown;
  DimPool& p = c.dims();
  const Dim rows = p.mul(p.mul(y[0], y[1]), y[2]), states = p.mul(rows, y[3]);
  const Dim places = p.mul(rows, m[1]), scores = p.mul(places, query[2]);
  const Dim keys = p.mul(p.mul(Dim(*ways), c.elements(m)), query[2]);
  Work out = cells(c, kLstm, *ways, p.mul(p.mul(y[0], y[2]), y[3]));
  out.macs = p.add(keys, p.mul(p.mul(states, Dim(kLstm.gates)), p.add(w[2], y[3])));
  out.macs = p.add(out.macs, p.add(p.mul(states, query[2]), p.add(scores, p.mul(places, m[2]))));
  if (c.has_input(13))
    out.macs = p.add(out.macs, p.mul(rows, layer.rank == 3 ? p.mul(layer[1], layer[2]) : Dim()));
  // A sum and its tanh per place and column; the softmax over the places.
  const Dim softmax = p.sub(p.mul(places, Dim(3)), p.mul(rows, Dim(2)));
  return sum(c, out,
             {.flops = p.add(scores, softmax), .special = p.add(scores, p.mul(places, Dim(2)))});
}

template <const Cell& cell>
constexpr Operator recurrent_row(std::string_view name, std::string_view formula) {
  return {.name = name,
          .since = 1,
          .infer = infer_cell<cell>,
          .work = work_cell<cell>,
          .formula = formula};
}

constexpr Operator kRecurrentRows[] = {
    recurrent_row<kLstm>("LSTM", "steps*batch*directions*4*hidden*(input + hidden) MACs"),
    recurrent_row<kGru>("GRU", "steps*batch*directions*3*hidden*(input + hidden) MACs"),
    ops::row(kMicrosoft, "DynamicQuantizeLSTM", infer_cell<kQuantizedLstm>,
             work_quantized_recurrent,
             "steps*batch*directions*4*hidden*(input + hidden) MACs; what the weights are "
             "multiplied with is quantised, every product scaled"),
    ops::row(kMicrosoft, "AttnLSTM", infer_attentive, work_attentive,
             "LSTM over input and attention; per step a product with the query's and the layer's "
             "weight and twice the memory, the memory's weight once"),
    recurrent_row<kRnn>("RNN", "steps*batch*directions*hidden*(input + hidden) MACs"),
};

}  // namespace

const std::span<const Operator> kRecurrent = kRecurrentRows;

}  // namespace ridge::ops
