// SPDX-License-Identifier: Apache-2.0
// Compares the products of attention and of cells with a state with the loop nests of their
// definitions, on small random cases.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "accelerator/nests/loop_nest_testing.h"

namespace ridge::accelerator {
namespace {

using namespace testing;  // NOLINT: names of the loop nests

struct HeadSides {
  int batch, kv, heads, queries, keys, size, value;

  explicit HeadSides(Pick& pick)
      : batch(pick(1, 2)),
        kv(pick(1, 2)),
        heads(kv * pick(1, 3)),
        queries(pick(1, 3)),
        keys(pick(1, 4)),
        size(pick(1, 3)),
        value(pick(1, 3)) {}
};

/// Multiplies every query of every head with the keys of its group, every score with its values.
Seen attention_cell(const HeadSides& h, int past = 0) {
  Definition scores, mixed;
  each({h.batch, h.heads, h.queries, past + h.keys}, [&](const std::vector<int>& i) {
    const int shared = i[1] / (h.heads / h.kv);
    for (int d = 0; d < h.size; ++d)
      scores.multiply(at({i[0], i[1], i[2], d}), at({i[0], shared, i[3], d}),
                      at({i[0], i[1], i[2], i[3]}));
    for (int d = 0; d < h.value; ++d)
      mixed.multiply(at({i[0], i[1], i[2], i[3]}), at({i[0], shared, i[3], d}),
                     at({i[0], i[1], i[2], d}));
  });
  return scores.seen() + mixed.seen();
}

TEST(LoweringForms, Attention) {
  Pick pick(6);
  for (int round = 0; round < kRounds; ++round) {
    const HeadSides h(pick);
    const int past = pick(0, 1) * pick(1, 3);
    const std::string inputs = fmt::format(
        "input q[{},{},{},{}] k[{},{},{},{}] v[{},{},{},{}] pk[{},{},{},{}] pv[{},{},{},{}]",
        h.batch, h.heads, h.queries, h.size, h.batch, h.kv, h.keys, h.size, h.batch, h.kv, h.keys,
        h.value, h.batch, h.kv, past, h.size, h.batch, h.kv, past, h.value);
    const std::string node = past > 0 ? "Attention(q, k, v, _, pk, pv)" : "Attention(q, k, v)";
    ASSERT_EQ(seen_by(layer_of(inputs, node).gemms), attention_cell(h, past)) << inputs;
  }
}

TEST(LoweringForms, AttentionOfGroupedQueries) {
  Pick pick(7);
  for (int round = 0; round < kRounds; ++round) {
    HeadSides h(pick);
    h.value = h.size, h.keys = h.queries;
    const int past = pick(0, 1) * pick(1, 3);
    const std::string inputs = fmt::format(
        "input q[{},{},{}] k[{},{},{}] v[{},{},{}] pk[{},{},{},{}] pv[{},{},{},{}] l[1]\n"
        "integers t={}",
        h.batch, h.queries, h.heads * h.size, h.batch, h.keys, h.kv * h.size, h.batch, h.keys,
        h.kv * h.size, h.batch, h.kv, past, h.size, h.batch, h.kv, past, h.size, past + h.keys);
    const std::string node = fmt::format(
        "com.microsoft.GroupQueryAttention(q, k, v, pk, pv, l, t) {{num_heads={} "
        "kv_num_heads={}}}",
        h.heads, h.kv);
    ASSERT_EQ(seen_by(layer_of(inputs, node).gemms), attention_cell(h, past)) << inputs << node;
  }
}

TEST(LoweringForms, AttentionOfManyHeadsAndItsProjections) {
  Pick pick(8);
  for (int round = 0; round < kRounds; ++round) {
    HeadSides h(pick);
    h.kv = h.heads;
    const std::string inputs = fmt::format("input q[{},{},{}] k[{},{},{}] v[{},{},{}]", h.batch,
                                           h.queries, h.heads * h.size, h.batch, h.keys,
                                           h.heads * h.size, h.batch, h.keys, h.heads * h.value);
    const std::string heads = fmt::format(" {{num_heads={}}}", h.heads);
    ASSERT_EQ(seen_by(layer_of(inputs, "com.microsoft.MultiHeadAttention(q, k, v)" + heads).gemms),
              attention_cell(h))
        << inputs;
    h.keys = h.queries, h.value = h.size;
    const int in = pick(1, 4), columns = 3 * h.heads * h.size;
    Definition made;
    each({h.batch, h.queries, columns, in}, [&](const std::vector<int>& i) {
      made.multiply(at({i[0], i[1], i[3]}), at({i[3], i[2]}), at({i[0], i[1], i[2]}));
    });
    const std::string projected = fmt::format("input x[{},{},{}]\nconstant w[{},{}] b[{}]", h.batch,
                                              h.queries, in, in, columns, columns);
    ASSERT_EQ(seen_by(layer_of(projected, "com.microsoft.Attention(x, w, b)" + heads).gemms),
              made.seen() + attention_cell(h))
        << projected;
  }
}

TEST(LoweringForms, RecurrentCells) {
  Pick pick(9);
  for (int round = 0; round < kRounds; ++round) {
    const auto [name, gates] = std::vector<std::pair<std::string, int>>{
        {"LSTM", 4}, {"GRU", 3}, {"RNN", 1}}[static_cast<std::size_t>(round % 3)];
    const int steps = pick(1, 3), batch = pick(1, 2), in = pick(1, 3), hidden = pick(1, 3);
    const int ways = pick(1, 2), rows = gates * hidden;
    Definition inputs;
    Seen state;  // a step reads its own state and the whole weight
    each({ways, steps}, [&](const std::vector<int>& i) {
      Definition step;
      each({batch, rows}, [&](const std::vector<int>& o) {
        const std::uint64_t to = at({i[0], i[1], o[0], o[1]});
        for (int k = 0; k < in; ++k)
          inputs.multiply(at({i[0], i[1], o[0], k}), at({i[0], o[1], k}), to);
        for (int k = 0; k < hidden; ++k) step.multiply(at({o[0], k}), at({o[1], k}), to);
      });
      state = state + step.seen();
    });
    const std::string sizes = fmt::format("input x[{},{},{}]\nconstant w[{},{},{}] r[{},{},{}]",
                                          steps, batch, in, ways, rows, in, ways, rows, hidden);
    const std::string node = fmt::format("{}(x, w, r) {{hidden_size={} direction='{}'}}", name,
                                         hidden, ways == 2 ? "bidirectional" : "forward");
    ASSERT_EQ(seen_by(layer_of(sizes, node).gemms), inputs.seen() + state) << sizes << node;
  }
}

TEST(LoweringForms, LinearAttentionStepByStep) {
  Pick pick(12);
  for (int round = 0; round < kRounds; ++round) {
    const int batch = pick(1, 2), steps = pick(1, 3), kv = pick(1, 2), group = pick(1, 2);
    const int size = pick(1, 3), value = pick(1, 3);
    const bool corrects = pick(0, 1) == 1;
    Seen wanted;
    // Per step and head, the state is written, read by the queries of the group, and corrected.
    for (int state = 0; state < batch * steps * kv; ++state) {
      Definition write, read, correct;
      each({size, value}, [&](const std::vector<int>& i) {
        write.multiply(at({i[0]}), at({i[1]}), at({i[0], i[1]}));
        for (int q = 0; q < group; ++q)
          read.multiply(at({q, i[0]}), at({i[0], i[1]}), at({q, i[1]}));
        if (corrects) correct.multiply(at({i[0]}), at({i[0], i[1]}), at({i[1]}));
      });
      wanted = wanted + write.seen() + read.seen() + correct.seen();
    }
    const std::string inputs =
        fmt::format("input q[{},{},{}] k[{},{},{}] v[{},{},{}]", batch, steps, kv * group * size,
                    batch, steps, kv * size, batch, steps, kv * value);
    const std::string node =
        fmt::format("LinearAttention(q, k, v) {{q_num_heads={} kv_num_heads={} update_rule='{}'}}",
                    kv * group, kv, corrects ? "delta" : "linear");
    ASSERT_EQ(seen_by(layer_of(inputs, node).gemms), wanted) << inputs << node;
  }
}

}  // namespace
}  // namespace ridge::accelerator
