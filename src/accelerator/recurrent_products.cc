// SPDX-License-Identifier: Apache-2.0
// Cells that carry a state from step to step. Products that depend on the state: one per step.
#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

#include "accelerator/products.h"

namespace ridge::accelerator {
namespace {

Gemm in_turn(Gemm g) {
  g.in_turn = true;
  return g;
}

/// Constant numbers of steps of the sequences (input 4), longest first; nullopt if each has all.
std::optional<std::vector<std::int64_t>> lengths_of(const Form& f, std::int64_t steps,
                                                    std::int64_t batch) {
  auto lengths = f.integers(4);
  if (!lengths || std::ssize(*lengths) != batch) return std::nullopt;
  for (std::int64_t& length : *lengths) length = std::clamp<std::int64_t>(length, 0, steps);
  std::ranges::sort(*lengths, std::greater<>());
  return lengths;
}

}  // namespace

// Shapes: X [steps, batch, inputs], W [directions, gates x hidden, inputs], R [.., gates x hidden,
// hidden].
std::optional<Gemms> recurrent(const Form& f, Gates gates) {
  const auto x = f.input(0), w = f.input(1), r = f.input(2);
  if (!x || !w || !r || x->size() != 3 || w->size() != 3 || r->size() != 3) return std::nullopt;
  const bool batch_first = f.integer("layout", 0) != 0;
  const std::int64_t steps = (*x)[batch_first ? 1 : 0], batch = (*x)[batch_first ? 0 : 1];
  const std::size_t made = gates == Gates::kRows ? 1 : 2;
  const std::int64_t directions = (*w)[0], columns = (*w)[made], hidden = (*r)[3 - made];
  const auto lengths = lengths_of(f, steps, batch);
  if (!lengths)
    return Gemms{matrix_product(times({steps, batch}), columns, (*x)[2], directions),
                 in_turn(matrix_product(batch, columns, hidden, times({directions, steps})))};
  const std::int64_t rows = std::accumulate(lengths->begin(), lengths->end(), std::int64_t{0});
  Gemms out{matrix_product(rows, columns, (*x)[2], directions)};
  // Lengths 5 and 3: three steps with both sequences, two with one.
  for (std::size_t n = lengths->size(); n > 0; --n) {
    const std::int64_t more = (*lengths)[n - 1] - (n < lengths->size() ? (*lengths)[n] : 0);
    if (more > 0)
      out.push_back(in_turn(matrix_product(static_cast<std::int64_t>(n), columns, hidden,
                                           times({directions, more}))));
  }
  return out;
}

// LSTM whose input is concatenated with the attention of the previous step: W is as wide as both.
// Memory [batch, places, depth]; weights of queries 8, memory 9, attention 13, each [directions,
// in, out].
std::optional<Gemms> attentive_recurrent(const Form& f) {
  const auto y = f.output(0), w = f.input(1), memory = f.input(11);
  const auto query = f.input(8), key = f.input(9), layer = f.input(13);
  if (!y || y->size() != 4 || !w || w->size() != 3 || !memory || memory->size() != 3 || !query ||
      query->size() != 3 || !key || key->size() != 3)
    return std::nullopt;
  const std::int64_t passes = times({(*y)[0], (*y)[1]}), batch = (*y)[2], hidden = (*y)[3];
  const std::int64_t rows = times({passes, batch}), places = (*memory)[1], depth = (*memory)[2];
  const std::int64_t columns = (*query)[2];
  Gemms out{matrix_product(times({(*memory)[0], places}), columns, depth, (*y)[1]),
            in_turn(matrix_product(batch, (*w)[1], (*w)[2], passes)),
            in_turn(matrix_product(batch, (*w)[1], hidden, passes)),
            in_turn(matrix_product(batch, columns, hidden, passes)),
            in_turn(matrix_product(1, places, columns, rows)),
            in_turn(matrix_product(1, depth, places, rows))};
  if (f.has_input(13)) {
    if (!layer || layer->size() != 3) return std::nullopt;
    out.push_back(in_turn(matrix_product(batch, (*layer)[2], (*layer)[1], passes)));
  }
  return out;
}

namespace {

/// Products of linear attention. For each of `states` (steps x key heads), a matrix of `size` x
/// `values` is updated by an outer product and read by the queries of its `readers` heads; with a
/// correction (delta rule) it is also read by the key.
Gemms state_products(std::int64_t states, std::int64_t size, std::int64_t values,
                     std::int64_t readers, bool corrects) {
  Gemms out{in_turn(matrix_product(size, values, 1, states)),
            in_turn(matrix_product(readers, values, size, states))};
  if (corrects) out.push_back(in_turn(matrix_product(1, values, size, states)));
  return out;
}

bool form_corrects(const Form& f) {
  return f.text("update_rule", "gated_delta").ends_with("delta");
}

}  // namespace

std::optional<Gemms> linear_attention(const Form& f) {
  const auto q = f.input(0), v = f.input(2);
  const std::int64_t heads = f.integer("q_num_heads", 0), keys = f.integer("kv_num_heads", 0);
  if (!q || !v || q->size() != 3 || v->size() != 3 || heads < 1 || keys < 1) return std::nullopt;
  const std::int64_t readers = std::max(heads, keys) / keys;
  return state_products(times({(*q)[0], (*q)[1], keys}), (*q)[2] / heads, (*v)[2] / keys, readers,
                        form_corrects(f));
}

// State [batch, heads, values, size]; tokens in one axis or two.
std::optional<Gemms> delta_net(const Form& f) {
  const auto state = f.input(6), out = f.output(0);
  if (!state || state->size() != 4 || !out || out->size() < 2) return std::nullopt;
  const std::int64_t states = product(std::span(*out).first(out->size() - 1));
  return state_products(states, (*state)[3], (*state)[2], 1, form_corrects(f));
}

}  // namespace ridge::accelerator
