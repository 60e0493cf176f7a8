// LSTM, GRU and RNN: one matrix product per gate, direction and step.
#include <fmt/format.h>

#include <algorithm>

#include "ops/activation.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

struct Cell {
  std::int32_t gates;
  std::int32_t combine;             ///< FLOPs per hidden element that mix state and gates
  std::string_view activations[3];  ///< defaults, one name each
  std::int32_t uses[3];             ///< how many gates or states each is applied to
  std::size_t peephole;             ///< input of the peephole weights; 0 = none
};

// f*C + i*c, o*h. / r*H, (1-z)*h + z*H. / nothing.
constexpr Cell kLstm{4, 4, {"Sigmoid", "Tanh", "Tanh"}, {3, 1, 1}, 7};
constexpr Cell kGru{3, 5, {"Sigmoid", "Tanh", ""}, {2, 1, 0}, 0};
constexpr Cell kRnn{1, 0, {"Tanh", "", ""}, {1, 0, 0}, 0};

struct Sizes {
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

Result<Sizes> sizes(Context& c, const Cell& cell) {
  Sizes s;
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
    s.hidden = r[2];
  if (x.ranked()) {
    s.steps = x[s.batch_first ? 1 : 0];
    s.batch = x[s.batch_first ? 0 : 1];
    s.input = x[2];
  }
  if (w.ranked()) {
    TRY(require_same(c, s.input, w[2], "sizes of the input and of the weight's rows"));
    TRY(require_same(
        c, c.dims().mul(s.hidden, Dim(cell.gates)), w[1],
        fmt::format("{} gates of the hidden size and rows of the weight", cell.gates)));
    TRY(require_same(c, Dim(s.directions), w[0], "directions and those of the weight"));
  }
  return s;
}

Result<void> infer(Context& c, const Cell& cell) {
  TRY(require_inputs(c, 3));
  const Sizes s = TRY(sizes(c, cell));
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

// Default activations unless the node names its own, three at most per direction.
Cost activations(const Context& c, const Cell& cell) {
  const onnx::Attribute* given = graph::attribute(c.node(), "activations");
  Cost total;
  for (std::size_t i = 0; i < 3; ++i) {
    const bool named = given != nullptr && i < given->strings.size();
    const std::string_view name = named ? given->strings[i] : cell.activations[i];
    const Cost each = ops::activation_cost(name).value_or(Cost{});
    total.flops += cell.uses[i] * each.flops;
    total.special += cell.uses[i] * each.special;
  }
  return total;
}

Work work(Context& c, const Cell& cell) {
  const auto found = sizes(c, cell);
  if (!found.ok()) return {};
  const Sizes& s = *found;
  DimPool& p = c.dims();
  const Dim states = p.mul(p.mul(s.steps, s.batch), p.mul(Dim(s.directions), s.hidden));
  // Per gate: input and recurrent part are added, and two biases where given.
  Cost each = activations(c, cell);
  each.flops += cell.combine + cell.gates * (c.has_input(3) ? 3 : 1);
  if (cell.peephole != 0 && c.has_input(cell.peephole)) each.flops += 2 * 3;
  Work out = elementwise(c, states, each, c.input(0).dtype);
  out.macs = p.mul(p.mul(states, Dim(cell.gates)), p.add(s.input, s.hidden));
  return out;
}

template <const Cell& cell>
Result<void> infer_cell(Context& c) {
  return infer(c, cell);
}
template <const Cell& cell>
Work work_cell(Context& c) {
  return work(c, cell);
}

template <const Cell& cell>
constexpr Operator row(std::string_view name, std::string_view formula) {
  return {.name = name,
          .since = 1,
          .infer = infer_cell<cell>,
          .work = work_cell<cell>,
          .formula = formula};
}

constexpr Operator kRows[] = {
    row<kLstm>("LSTM", "steps*batch*directions*4*hidden*(input + hidden) MACs"),
    row<kGru>("GRU", "steps*batch*directions*3*hidden*(input + hidden) MACs"),
    row<kRnn>("RNN", "steps*batch*directions*hidden*(input + hidden) MACs"),
};

}  // namespace

const std::span<const Operator> kRecurrent = kRows;

}  // namespace ridge::ops
