// Products of matrices and recurrent layers as loop nests.
#include <algorithm>
#include <array>

#include "accelerator/nest_operators.h"

namespace ridge::accelerator {
namespace {

using Kind = Expr::Kind;

/// A matrix operand: its batch axes are the last of the output's, those of size 1 are repeated.
struct Operand {
  BufferId buffer;
  bool swapped;       ///< its last two axes
  bool vector;        ///< one axis, along K
  std::size_t batch;  ///< axes before the last two
};

Operand operand(const NestBuilder& b, BufferId buffer, bool swapped) {
  const std::size_t rank = b.shape(buffer).size();
  return {buffer, swapped, rank == 1, rank == 1 ? 0 : rank - 2};
}

std::int64_t depth_of(const NestBuilder& b, const Operand& a) {
  const Sizes& s = b.shape(a.buffer);
  return a.vector || !a.swapped ? s.back() : s[s.size() - 2];
}

/// The element at (row, column) of the matrix that `batch` selects.
ExprId element(NestBuilder& b, const Operand& a, Indices batch, ExprId row, ExprId column,
               bool second) {
  std::vector<ExprId> index;
  for (std::size_t i = 0; i < a.batch; ++i)
    index.push_back(b.shape(a.buffer)[i] == 1 ? b.number(0) : batch[batch.size() - a.batch + i]);
  if (a.vector) return b.load(a.buffer, std::array{second ? row : column});
  index.push_back(a.swapped ? column : row);
  index.push_back(a.swapped ? row : column);
  return b.load(a.buffer, index);
}

struct Product {
  Operand a, b;
  BufferId out;
};

void add_product(NestBuilder& b, const Product& p) {
  const Sizes out = b.shape(p.out);
  const std::size_t rank = out.size();
  std::vector<Axis> axes = axes_of(out);
  axes.push_back({"k", depth_of(b, p.a), true});
  const std::size_t batch = rank - !p.a.vector - !p.b.vector;
  const auto body = [&](Indices at) {
    const ExprId k = at[rank];
    const ExprId row = p.a.vector ? k : at[batch];
    const ExprId column = p.b.vector ? k : at[rank - 1];
    return b.add_into(p.out, at.first(rank),
                      b.product(element(b, p.a, at.first(batch), row, k, false),
                                element(b, p.b, at.first(batch), k, column, true)));
  };
  b.add_block("product", axes, body, {.allocations = {}, .initial = [&](Indices at) {
                                        return b.store(p.out, at.first(rank), b.zero());
                                      }});
}

std::optional<Product> product(NestBuilder& b) {
  const auto a = b.input(0), second = b.input(1), out = b.output(0);
  if (!a || !second || !out || b.shape(*a).empty() || b.shape(*second).empty()) return std::nullopt;
  // A vector has no axes to swap.
  const bool swap_a = b.form().integer("transA", 0) != 0 && b.shape(*a).size() > 1;
  const bool swap_b = b.form().integer("transB", 0) != 0 && b.shape(*second).size() > 1;
  Product p{operand(b, *a, swap_a), operand(b, *second, swap_b), *out};
  const std::size_t batch = std::max(p.a.batch, p.b.batch);
  if (b.shape(*out).size() != batch + !p.a.vector + !p.b.vector) return std::nullopt;
  return p;
}

/// out = out + c, whose axes are the last of out's, those of size 1 repeated.
void add_broadcast(NestBuilder& b, BufferId out, BufferId c) {
  b.add_block("bias", axes_of(b.shape(out)), [&](Indices at) {
    const Sizes& shape = b.shape(c);
    std::vector<ExprId> index;
    for (std::size_t i = 0; i < shape.size(); ++i)
      index.push_back(shape[i] == 1 ? b.number(0) : at[at.size() - shape.size() + i]);
    return b.add_into(out, at, b.load(c, index));
  });
}

}  // namespace

bool matmul_nest(NestBuilder& b, PaddingForm /*padding*/) {
  const auto p = product(b);
  if (!p) return false;
  add_product(b, *p);
  return true;
}

bool gemm_nest(NestBuilder& b, PaddingForm padding) {
  if (!matmul_nest(b, padding)) return false;
  const auto c = b.input(2), out = b.output(0);
  if (c && b.shape(*c).size() <= b.shape(*out).size()) add_broadcast(b, *out, *c);
  return true;
}

/// X [steps, batch, inputs] by W [directions, gates, inputs] for all steps at once; then, step by
/// step, the state [directions, batch, hidden] by R [directions, gates, hidden], and the state that
/// the gates make of it. The backward direction takes the steps in reverse, which no figure shows.
bool recurrent_nest(NestBuilder& b, PaddingForm /*padding*/) {
  const auto x = b.input(0), w = b.input(1), r = b.input(2);
  if (!x || !w || !r || b.shape(*x).size() != 3 || b.shape(*w).size() != 3 ||
      b.shape(*r).size() != 3)
    return false;
  const bool batch_first = b.form().integer("layout", 0) != 0;
  const Sizes data = b.shape(*x), recurrence = b.shape(*r);
  const std::int64_t steps = data[batch_first ? 1 : 0], batch = data[batch_first ? 0 : 1];
  const std::int64_t directions = recurrence[0], gates = recurrence[1], hidden = recurrence[2];
  if (hidden < 1) return false;
  const Sizes gate_shape = {directions, steps, batch, gates};
  const BufferId sums = b.temporary("gates", gate_shape, *x);
  const BufferId state = b.temporary("state", {directions, batch, hidden}, *x);
  std::vector<Axis> axes = axes_of(gate_shape, "g");
  axes.push_back({"k", data[2], true});
  b.add_block("inputs", axes,
              [&](Indices at) {
                const std::array from = {at[batch_first ? 2 : 1], at[batch_first ? 1 : 2], at[4]};
                return b.add_into(
                    sums, at.first(4),
                    b.product(b.load(*x, from), b.load(*w, std::array{at[0], at[3], at[4]})));
              },
              {.allocations = {},
               .initial = [&](Indices at) { return b.store(sums, at.first(4), b.zero()); }});
  b.add_block("begin", axes_of(b.shape(state)),
              [&](Indices at) { return b.store(state, at, b.zero()); });
  b.add_steps(steps, [&](ExprId step) {
    const std::vector<Axis> one = {
        {"d", directions}, {"b", batch}, {"g", gates}, {"k", hidden, true}};
    const StmtId product = b.block("state", one, [&](Indices at) {
      return b.add_into(sums, std::array{at[0], step, at[1], at[2]},
                        b.product(b.load(state, std::array{at[0], at[1], at[3]}),
                                  b.load(*r, std::array{at[0], at[2], at[3]})));
    });
    const StmtId update = b.block("update", axes_of(b.shape(state)), [&](Indices at) {
      std::vector<ExprId> of_gates;
      for (std::int64_t gate = 0; gate < gates / hidden; ++gate)
        of_gates.push_back(
            b.load(sums, std::array{at[0], step, at[1], b.sum(at[2], b.number(gate * hidden))}));
      return b.store(state, at, b.other("gates", of_gates));
    });
    return std::vector{product, update};
  });
  return true;
}

}  // namespace ridge::accelerator
