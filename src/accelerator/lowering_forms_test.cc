// The products of every form against the loop nest of its definition, which multiplies one by one
// and remembers which elements of each operand it has seen, on small random cases.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <unordered_set>
#include <vector>

#include "accelerator/lowering.h"
#include "accelerator/window_addresses.h"
#include "analysis/testing.h"

namespace ridge::accelerator {
namespace {

using graph::Sketch;

constexpr int kRounds = 1000;

class Pick {
 public:
  explicit Pick(std::uint32_t seed) : random_(seed) {}
  int operator()(int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random_);
  }

 private:
  std::mt19937 random_;
};

/// Multiply-accumulates, and different elements of both factors and of the result.
struct Seen {
  std::int64_t macs = 0, ifmap = 0, filter = 0, ofmap = 0;

  bool operator==(const Seen&) const = default;
  Seen operator+(const Seen& s) const {
    return {macs + s.macs, ifmap + s.ifmap, filter + s.filter, ofmap + s.ofmap};
  }
};
std::ostream& operator<<(std::ostream& out, const Seen& s) {
  return out << fmt::format("{} MACs of {}, {}, {}", s.macs, s.ifmap, s.filter, s.ofmap);
}

constexpr std::uint64_t kBase = 64;

/// An element by its indices, each below 64.
std::uint64_t at(std::initializer_list<int> indices) {
  std::uint64_t out = 1;
  for (const int i : indices) out = out * kBase + static_cast<std::uint64_t>(i);
  return out;
}

class Nest {
 public:
  void multiply(std::uint64_t a, std::uint64_t b, std::uint64_t to) {
    ++macs_;
    a_.insert(a);
    b_.insert(b);
    to_.insert(to);
  }
  Seen seen() const {
    const auto size = [](const auto& set) { return static_cast<std::int64_t>(set.size()); };
    return {macs_, size(a_), size(b_), size(to_)};
  }

 private:
  std::int64_t macs_ = 0;
  std::unordered_set<std::uint64_t> a_, b_, to_;
};

/// What the products of a layer see of their operands.
Seen seen_by(const std::vector<Gemm>& gemms) {
  Seen out;
  for (const Gemm& g : gemms) {
    const WindowAddresses addresses(g.window);
    std::unordered_set<std::int64_t> read;
    for (std::int64_t m = 0; m < g.m; ++m)
      for (std::int64_t k = 0; k < g.k; ++k) read.insert(addresses.at(m, k));
    read.erase(-1);
    const auto distinct = static_cast<std::int64_t>(read.size());
    EXPECT_LE(distinct, g.window.elements());
    out.macs += g.macs();
    out.ifmap += distinct * g.count;
    out.filter += g.k * g.n * g.count;
    out.ofmap += g.m * g.n * g.count;
  }
  return out;
}

/// The only layer of a model that is one node, of the newest standard.
Layer layer_of(const std::string& inputs, const std::string& node) {
  const auto document =
      Sketch::document(fmt::format("graph main\n{}\nlayer: {} -> made\noutput made", inputs, node));
  std::vector<onnx::OperatorSet> opsets(document->model.opsets.begin(),
                                        document->model.opsets.end());
  opsets[0].version = 27;
  document->model.opsets = document->arena.copy(opsets);
  auto model = graph::Model::build(document);
  if (!model.ok()) throw std::runtime_error(node + ": " + model.error().text());
  const auto r =
      analysis::resolve(std::make_shared<const graph::Model>(std::move(model).value()), {});
  if (!r.ok()) throw std::runtime_error(node + ": " + r.error().text());
  Lowered l = lower(*r);
  if (l.layers.size() != 1) throw std::runtime_error(node + ": no layer");
  EXPECT_EQ(l.layers[0].reason, "") << node;
  return std::move(l.layers[0]);
}

void expect(const Layer& layer, const Nest& nest, const std::string& what) {
  ASSERT_EQ(seen_by(layer.gemms), nest.seen()) << what;
}

struct ConvCase {
  int axes, images, groups, channels, filters;  ///< channels and filters of a group
  std::vector<int> size, kernel, stride, dilation, pad, out;

  ConvCase(Pick& pick, int most_axes)
      : axes(pick(1, most_axes)),
        images(pick(1, 2)),
        groups(pick(1, 3)),
        channels(pick(1, 2)),
        filters(pick(1, 2)) {
    for (int i = 0; i < axes; ++i) {
      kernel.push_back(pick(1, 3)), stride.push_back(pick(1, 2)), dilation.push_back(pick(1, 2));
      pad.push_back(pick(0, 1));
      const int span = (kernel[i] - 1) * dilation[i] + 1;
      size.push_back(std::max(1, span - 2 * pad[i]) + pick(0, 2));
      out.push_back((size[i] + 2 * pad[i] - span) / stride[i] + 1);
    }
  }
  std::string attributes() const {
    std::vector<int> pads = pad;
    pads.insert(pads.end(), pad.begin(), pad.end());
    return fmt::format("{{group={} strides=[{}] dilations=[{}] pads=[{}]}}", groups,
                       fmt::join(stride, ","), fmt::join(dilation, ","), fmt::join(pads, ","));
  }
};

/// Calls visit with all indices below `sizes`.
template <typename Visit>
void each(const std::vector<int>& sizes, Visit&& visit) {
  std::vector<int> i(sizes.size(), 0);
  for (;;) {
    visit(i);
    std::size_t axis = sizes.size();
    while (axis > 0 && ++i[axis - 1] == sizes[axis - 1]) i[--axis] = 0;
    if (axis == 0) return;
  }
}

/// An address in a tensor of any rank.
std::uint64_t flat(std::initializer_list<int> first, const std::vector<int>& rest) {
  std::uint64_t out = at(first);
  for (const int i : rest) out = out * kBase + static_cast<std::uint64_t>(i);
  return out;
}

TEST(LoweringForms, Convolution) {
  Pick pick(1);
  for (int round = 0; round < kRounds; ++round) {
    const ConvCase c(pick, 3);
    Nest nest;
    std::int64_t outside = 0;
    each({c.images, c.groups, c.filters, c.channels}, [&](const std::vector<int>& i) {
      each(c.out, [&](const std::vector<int>& o) {
        each(c.kernel, [&](const std::vector<int>& k) {
          std::vector<int> x;
          bool inside = true;
          for (int a = 0; a < c.axes; ++a) {
            x.push_back(o[a] * c.stride[a] + k[a] * c.dilation[a] - c.pad[a]);
            inside = inside && x[a] >= 0 && x[a] < c.size[a];
          }
          // Weights and results are worked on in the padding too; the data is not read there.
          const std::uint64_t from = inside ? flat({i[0], i[1], i[3]}, x) : 0;
          if (!inside) outside = 1;
          nest.multiply(from, flat({i[1], i[2], i[3]}, k), flat({i[0], i[1], i[2]}, o));
        });
      });
    });
    const std::string node = "Conv(x, w) " + c.attributes();
    const Layer layer =
        layer_of(fmt::format("input x[{},{},{}]\nconstant w[{},{},{}]", c.images,
                             c.groups * c.channels, fmt::join(c.size, ","), c.groups * c.filters,
                             c.channels, fmt::join(c.kernel, ",")),
                 node);
    Seen wanted = nest.seen();
    wanted.ifmap -= outside;
    ASSERT_EQ(seen_by(layer.gemms), wanted) << node;
    const bool counted = wanted.filter > 1;  // of one element it is no parameter
    ASSERT_EQ(layer.params, counted ? wanted.filter : 0) << node;
    ASSERT_EQ(layer.param_bytes, layer.params * 4) << node;
  }
}

TEST(LoweringForms, TransposedConvolution) {
  Pick pick(2);
  for (int round = 0; round < kRounds; ++round) {
    const ConvCase c(pick, 2);
    Nest nest;
    each({c.images, c.groups, c.channels, c.filters}, [&](const std::vector<int>& i) {
      each(c.size, [&](const std::vector<int>& x) {
        each(c.kernel, [&](const std::vector<int>& k) {
          std::vector<int> column = x;  // the result before columns are added up
          column.insert(column.end(), k.begin(), k.end());
          nest.multiply(flat({i[0], i[1], i[2]}, x), flat({i[1], i[2], i[3]}, k),
                        flat({i[1], i[3]}, column) * kBase + static_cast<std::uint64_t>(i[0]));
        });
      });
    });
    const std::string node = fmt::format("ConvTranspose(x, w) {{group={}}}", c.groups);
    expect(layer_of(fmt::format("input x[{},{},{}]\nconstant w[{},{},{}]", c.images,
                                c.groups * c.channels, fmt::join(c.size, ","),
                                c.groups * c.channels, c.filters, fmt::join(c.kernel, ",")),
                    node),
           nest, node);
  }
}

TEST(LoweringForms, MatricesWithBroadcastBatches) {
  Pick pick(3);
  for (int round = 0; round < kRounds; ++round) {
    const int m = pick(1, 4), n = pick(1, 4), k = pick(1, 4);
    const std::vector<int> batch = {pick(1, 3), pick(1, 3)};
    std::vector<int> a, b;  // each axis in both, or of one element in either
    for (const int size : batch) {
      const int which = pick(0, 2);
      a.push_back(which == 1 ? 1 : size);
      b.push_back(which == 2 ? 1 : size);
    }
    Nest nest;
    each({batch[0], batch[1], m, n, k}, [&](const std::vector<int>& i) {
      const int a0 = a[0] == 1 ? 0 : i[0], a1 = a[1] == 1 ? 0 : i[1];
      const int b0 = b[0] == 1 ? 0 : i[0], b1 = b[1] == 1 ? 0 : i[1];
      const int o0 = a[0] == 1 && b[0] == 1 ? 0 : i[0], o1 = a[1] == 1 && b[1] == 1 ? 0 : i[1];
      if (o0 == i[0] && o1 == i[1])
        nest.multiply(at({a0, a1, i[2], i[4]}), at({b0, b1, i[4], i[3]}), at({o0, o1, i[2], i[3]}));
    });
    const std::string inputs = fmt::format("input x[{},{},{}] y[{},{},{}]", fmt::join(a, ","), m, k,
                                           fmt::join(b, ","), k, n);
    expect(layer_of(inputs, "MatMul(x, y)"), nest, inputs);
  }
}

TEST(LoweringForms, MatricesThatLieTransposed) {
  Pick pick(4);
  for (int round = 0; round < kRounds; ++round) {
    const int m = pick(1, 5), n = pick(1, 5), k = pick(1, 5), batch = pick(1, 3);
    const bool a = pick(0, 1) == 1, b = pick(0, 1) == 1, outer = pick(0, 1) == 1;
    Nest gemm, fused;
    each({batch, m, n, k}, [&](const std::vector<int>& i) {
      if (i[0] == 0) gemm.multiply(at({i[1], i[3]}), at({i[3], i[2]}), at({i[1], i[2]}));
      fused.multiply(at({i[0], i[1], i[3]}), at({i[0], i[3], i[2]}), at({i[0], i[1], i[2]}));
    });
    const std::string turned = fmt::format("transA={} transB={}", int{a}, int{b});
    const std::string inputs =
        fmt::format("input x[{},{}] y[{},{}]", a ? k : m, a ? m : k, b ? n : k, b ? k : n);
    expect(layer_of(inputs, "Gemm(x, y) {" + turned + "}"), gemm, inputs + turned);
    // transBatch brings the batch from between the two to the front.
    const int rows = a ? k : m, columns = a ? m : k;
    const std::string batched =
        fmt::format("input x[{},{},{}] y[{},{},{}]", outer ? rows : batch, outer ? batch : rows,
                    columns, batch, b ? n : k, b ? k : n);
    expect(layer_of(batched, fmt::format("com.microsoft.FusedMatMul(x, y) {{{} transBatchA={}}}",
                                         turned, int{outer})),
           fused, batched + turned);
  }
}

TEST(LoweringForms, EinsteinSums) {
  Pick pick(5);
  const std::vector<std::string> forms = {"ij,jk->ik",       "bij,bjk->bik", "bhqd,bhkd->bhqk",
                                          "bhqk,bhkd->bqhd", "ijk,kl->il",   "ij,ij->i",
                                          "i,i->",           "...ij,...jk"};
  for (int round = 0; round < kRounds; ++round) {
    const std::string equation = forms[static_cast<std::size_t>(round) % 8];
    std::string spelled = equation;
    if (spelled.starts_with("...")) spelled = "bij,bjk->bik";
    const std::size_t comma = spelled.find(','), arrow = spelled.find("->");
    const std::string a = spelled.substr(0, comma),
                      b = spelled.substr(comma + 1, arrow - comma - 1);
    const std::string out = spelled.substr(arrow + 2);
    std::string letters;
    std::vector<int> sizes;
    for (const char x : a + b)
      if (letters.find(x) == std::string::npos) letters += x, sizes.push_back(pick(2, 4));
    Nest nest;
    each(sizes, [&](const std::vector<int>& i) {
      const auto element = [&](const std::string& term, bool first) {
        std::uint64_t e = 1;
        for (const char x : term) e = e * kBase + static_cast<std::uint64_t>(i[letters.find(x)]);
        // A factor repeats along what only the other one sums.
        const std::string& other = first ? b : a;
        for (const char x : other)
          if (term.find(x) == std::string::npos && out.find(x) == std::string::npos)
            e = e * kBase + static_cast<std::uint64_t>(i[letters.find(x)]);
        return e;
      };
      std::uint64_t to = 1;
      for (const char x : out) to = to * kBase + static_cast<std::uint64_t>(i[letters.find(x)]);
      nest.multiply(element(a, true), element(b, false), to);
    });
    const auto shape = [&](const std::string& term) {
      std::vector<int> s;
      for (const char x : term) s.push_back(sizes[letters.find(x)]);
      return fmt::format("{}", fmt::join(s, ","));
    };
    expect(layer_of(fmt::format("input x[{}] y[{}]", shape(a), shape(b)),
                    fmt::format("Einsum(x, y) {{equation='{}'}}", equation)),
           nest, equation);
  }
}

struct Heads {
  int batch, kv, heads, queries, keys, size, value;

  explicit Heads(Pick& pick)
      : batch(pick(1, 2)),
        kv(pick(1, 2)),
        heads(kv * pick(1, 3)),
        queries(pick(1, 3)),
        keys(pick(1, 4)),
        size(pick(1, 3)),
        value(pick(1, 3)) {}
};

/// Every query of every head against the keys of its group, every score against its values.
Seen attention(const Heads& h, int past = 0) {
  Nest scores, mixed;
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
    const Heads h(pick);
    const int past = pick(0, 1) * pick(1, 3);
    const std::string inputs = fmt::format(
        "input q[{},{},{},{}] k[{},{},{},{}] v[{},{},{},{}] pk[{},{},{},{}] pv[{},{},{},{}]",
        h.batch, h.heads, h.queries, h.size, h.batch, h.kv, h.keys, h.size, h.batch, h.kv, h.keys,
        h.value, h.batch, h.kv, past, h.size, h.batch, h.kv, past, h.value);
    const std::string node = past > 0 ? "Attention(q, k, v, _, pk, pv)" : "Attention(q, k, v)";
    ASSERT_EQ(seen_by(layer_of(inputs, node).gemms), attention(h, past)) << inputs;
  }
}

TEST(LoweringForms, AttentionOfGroupedQueries) {
  Pick pick(7);
  for (int round = 0; round < kRounds; ++round) {
    Heads h(pick);
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
    ASSERT_EQ(seen_by(layer_of(inputs, node).gemms), attention(h, past)) << inputs << node;
  }
}

TEST(LoweringForms, AttentionOfManyHeadsAndItsProjections) {
  Pick pick(8);
  for (int round = 0; round < kRounds; ++round) {
    Heads h(pick);
    h.kv = h.heads;
    const std::string inputs = fmt::format("input q[{},{},{}] k[{},{},{}] v[{},{},{}]", h.batch,
                                           h.queries, h.heads * h.size, h.batch, h.keys,
                                           h.heads * h.size, h.batch, h.keys, h.heads * h.value);
    const std::string heads = fmt::format(" {{num_heads={}}}", h.heads);
    ASSERT_EQ(seen_by(layer_of(inputs, "com.microsoft.MultiHeadAttention(q, k, v)" + heads).gemms),
              attention(h))
        << inputs;
    h.keys = h.queries, h.value = h.size;
    const int in = pick(1, 4), columns = 3 * h.heads * h.size;
    Nest made;
    each({h.batch, h.queries, columns, in}, [&](const std::vector<int>& i) {
      made.multiply(at({i[0], i[1], i[3]}), at({i[3], i[2]}), at({i[0], i[1], i[2]}));
    });
    const std::string projected = fmt::format("input x[{},{},{}]\nconstant w[{},{}] b[{}]", h.batch,
                                              h.queries, in, in, columns, columns);
    ASSERT_EQ(seen_by(layer_of(projected, "com.microsoft.Attention(x, w, b)" + heads).gemms),
              made.seen() + attention(h))
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
    Nest inputs;
    Seen state;  // a step sees its own state and the whole weight
    each({ways, steps}, [&](const std::vector<int>& i) {
      Nest step;
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

TEST(LoweringForms, PackedWeights) {
  Pick pick(10);
  for (int round = 0; round < kRounds; ++round) {
    const int batch = pick(1, 2), rows = pick(1, 3), in = 16 * pick(1, 2), out = pick(1, 4);
    Nest nest;
    each({batch, rows, out, in}, [&](const std::vector<int>& i) {
      nest.multiply(at({i[0], i[1], i[3]}), at({i[2], i[3]}), at({i[0], i[1], i[2]}));
    });
    const std::string inputs = fmt::format("input x[{},{},{}]\nconstant w[{},{},8] s[{},{}]", batch,
                                           rows, in, out, in / 16, out, in / 16);
    const std::string node = fmt::format(
        "com.microsoft.MatMulNBits(x, w, s) {{K={} N={} bits=4 block_size=16}}", in, out);
    expect(layer_of(inputs, node), nest, inputs);
  }
}

TEST(LoweringForms, ExpertsThatShareTheTokensEvenly) {
  Pick pick(11);
  for (int round = 0; round < kRounds; ++round) {
    const int tokens = pick(1, 6), experts = pick(2, 4), k = pick(1, 2), hidden = pick(1, 3);
    const int inner = pick(1, 3);
    Nest up, down;
    for (int pass = 0; pass < tokens * k; ++pass)
      each({inner, hidden}, [&](const std::vector<int>& i) {
        const int expert = pass % experts;
        up.multiply(at({pass, i[1]}), at({expert, i[0], i[1]}), at({pass, i[0]}));
        down.multiply(at({pass, i[0]}), at({expert, i[0], i[1]}), at({pass, i[1]}));
      });
    const std::string inputs =
        fmt::format("input x[{},{}] router[{},{}]\nconstant a[{},{},{}] b[{},{},{}]", tokens,
                    hidden, tokens, experts, experts, inner, hidden, experts, hidden, inner);
    const std::string node =
        fmt::format("com.microsoft.MoE(x, router, a, _, b) {{k={} activation_type='relu'}}", k);
    ASSERT_EQ(seen_by(layer_of(inputs, node).gemms), up.seen() + down.seen()) << inputs << node;
  }
}

TEST(LoweringForms, LinearAttentionStepByStep) {
  Pick pick(12);
  for (int round = 0; round < kRounds; ++round) {
    const int batch = pick(1, 2), steps = pick(1, 3), kv = pick(1, 2), group = pick(1, 2);
    const int size = pick(1, 3), value = pick(1, 3);
    const bool corrects = pick(0, 1) == 1;
    Seen wanted;
    // Per step and head the state is written, read by the queries of the group, and corrected.
    for (int state = 0; state < batch * steps * kv; ++state) {
      Nest write, read, correct;
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

TEST(LoweringForms, CausalConvolution) {
  Pick pick(13);
  for (int round = 0; round < kRounds; ++round) {
    const int batch = pick(1, 2), channels = pick(1, 3), length = pick(1, 6), kernel = pick(1, 4);
    Nest nest;
    std::int64_t before = 0;
    each({batch, channels, length, kernel}, [&](const std::vector<int>& i) {
      const int x = i[2] - (kernel - 1) + i[3];
      if (x < 0) before = 1;
      nest.multiply(x < 0 ? 0 : at({i[0], i[1], x}), at({i[1], i[3]}), at({i[0], i[1], i[2]}));
    });
    Seen wanted = nest.seen();
    wanted.ifmap -= before;
    const std::string inputs = fmt::format("input x[{},{},{}]\nconstant w[{},1,{}]", batch,
                                           channels, length, channels, kernel);
    ASSERT_EQ(seen_by(layer_of(inputs, "CausalConvWithState(x, w)").gemms), wanted) << inputs;
  }
}

}  // namespace
}  // namespace ridge::accelerator
