// SPDX-License-Identifier: Apache-2.0
#include "analysis/traffic/traffic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "analysis/testing.h"

namespace ridge::analysis {
namespace {

using testing::resolved;

Traffic moved(const Resolved& r, std::int64_t cache, Fuse fuse = Fuse::kNone) {
  Result<Traffic> t = traffic(r, {cache, fuse});
  if (!t.ok()) throw std::runtime_error(t.error().text());
  return std::move(t).value();
}

/// Text "a 64/96 b 0/64 = 32/64/160": expected and most of each node, then the totals least,
/// expected and most.
std::string shown_traffic(std::string_view text, std::int64_t cache, Fuse fuse = Fuse::kNone) {
  const Resolved r = resolved(text);
  const Traffic t = moved(r, cache, fuse);
  std::string out;
  for (graph::NodeId n = 0; n < t.expected.size(); ++n)
    out += fmt::format("{} {}/{} ", r.model().node(n).name, r.dims().text(t.expected[n]),
                       r.dims().text(t.most[n]));
  return out + fmt::format("= {}/{}/{}", t.totals.least, t.totals.expected, t.totals.most);
}

constexpr std::string_view kChain =
    "graph main\n input x[8]\n a: Relu(x) -> h\n b: Neg(h) -> i\n c: Abs(i) -> y\n output y";

TEST(Traffic, WhatFitsTheCacheTouchesMemoryAtItsEndsOnly) {
  EXPECT_EQ(shown_traffic(kChain, 1000), "a 32/64 b 0/64 c 32/64 = 64/64/192");
}

TEST(Traffic, WithoutACacheEveryOperatorGoesToMemory) {
  EXPECT_EQ(shown_traffic(kChain, 0), "a 64/64 b 64/64 c 64/64 = 64/192/192");
}

TEST(Traffic, WhatIsLeftOfATensorIsNotReadAgain) {
  // Between its write and its read, 64 other bytes are accessed: 72 - 64 = 8 bytes of h are left.
  EXPECT_EQ(shown_traffic("graph main\n input x[8] z[8]\n a: Relu(x) -> h\n b: Neg(z) -> y\n"
                          " c: Abs(h) -> w\n output y w",
                          72),
            "a 56/64 b 64/64 c 56/64 = 128/176/192");
}

TEST(Traffic, WeightsAreReadOnceWhileTheyFit) {
  const std::string_view text =
      "graph main\n input x[4,4]\n constant w[4,4]\n a: MatMul(x, w) -> h\n"
      " b: MatMul(h, w) -> y\n output y";
  EXPECT_EQ(shown_traffic(text, 1000), "a 128/192 b 64/192 = 192/192/384");
  EXPECT_EQ(shown_traffic(text, 0), "a 192/192 b 192/192 = 192/384/384");
}

TEST(Traffic, AViewMovesNothingAndSharesMemory) {
  EXPECT_EQ(shown_traffic("graph main\n input x[8]\n integers s[2]=2,4\n a: Relu(x) -> h\n"
                          " v: Reshape(h, s) -> i\n c: Abs(i) -> y\n output y",
                          1000),
            "a 32/64 v 0/0 c 32/64 = 64/64/128");
}

TEST(Traffic, ANodeThatTouchesAPartReadsAPart) {
  // Two of sixteen rows of 16 B, and 16 B of indices.
  EXPECT_EQ(shown_traffic("graph main\n input i[2]\n constant table[16,4]\n declare i[2]\n"
                          " look: Gather(table, j) -> y\n cast: Cast(i) {to=7} -> j\n output y",
                          1000),
            "look 64/80 cast 8/24 = 72/72/104");
}

TEST(Traffic, AConvolutionReadsTheRowsThatBandsShareAgain) {
  const std::string_view text =
      "graph main\n input x[1,2,10,4]\n constant w[1,2,3,1]\n c: Conv(x, w) -> y\n output y";
  // Rows of 32 B: 10 input rows; 8 output rows of 16 B; the weight has 24 B.
  EXPECT_EQ(shown_traffic(text, 10'000), "c 472/920 = 472/472/920");
  // Five rows fit: bands of three output rows, so two borders with a halo of two rows each.
  EXPECT_EQ(shown_traffic(text, 170), "c 600/920 = 472/600/920");
  EXPECT_EQ(shown_traffic(text, 0), "c 920/920 = 472/920/920");
}

TEST(Traffic, AFusedChainMovesWhatCrossesItsBorder) {
  EXPECT_EQ(shown_traffic(kChain, 0, Fuse::kEpilogue), "a 32/32 b 0/0 c 32/32 = 64/64/64");
  EXPECT_EQ(moved(resolved(kChain), 0, Fuse::kEpilogue).totals.fused, 2);
}

TEST(Traffic, FoldedNodesDoNotRun) {
  EXPECT_EQ(shown_traffic("graph main\n input x[2,8]\n constant w[4,8]\n t: Transpose(w) -> u\n"
                          " mm: MatMul(x, u) -> y\n output y",
                          0, Fuse::kRuntime),
            "t 0/0 mm 224/224 = 224/224/224");
}

TEST(Traffic, OperatorsThatDequantizeOnTheWayReadTheIntegers) {
  // 32 elements: 128 B as float, 32 B as integers, which both operators read; the scale has 4 B.
  EXPECT_EQ(shown_traffic(R"(
    graph main
      input x[1,2,4,4]
      constant s[]
      in: QuantizeLinear(x, s) -> a
      open: DequantizeLinear(a, s) -> b
      sum: Add(b, b) -> c
      close: QuantizeLinear(c, s) -> y
      soft: Softmax(b) -> d
      last: QuantizeLinear(d, s) -> z
      output y z
  )",
                          0, Fuse::kRuntime),
            "in 164/164 open 36/36 sum 0/0 close 32/32 soft 32/32 last 36/36 = 196/300/300");
}

TEST(Traffic, ALoopReadsItsWeightsOncePerTripOrOnce) {
  const std::string_view text = R"(
    graph main
      input x[4,4]
      constant w[4,4]
      integers m=5
      loop: Loop(m, _, x) {body=graph:body} -> y
      output y
    graph body
      input i[] c[] h
      mm: MatMul(h, w) -> next
      output c next
  )";
  // Carried values go through memory: 64 B in, 64 B out per trip.
  EXPECT_EQ(shown_traffic(text, 1000), "loop 0/0 mm 704/960 = 704/704/960");
  EXPECT_EQ(shown_traffic(text, 0), "loop 0/0 mm 960/960 = 704/960/960");
}

TEST(Traffic, ACallReadsAndWritesItsCallersMemory) {
  EXPECT_EQ(shown_traffic(R"(
    graph main
      input x[8]
      a: Relu(x) -> h
      call: local.Twice(h) -> i
      b: Abs(i) -> y
      output y
    function local.Twice
      input p
      output q
      first: Neg(p) -> t
      second: Neg(t) -> q
  )",
                          1000),
            "a 32/64 call 0/0 b 32/64 first 0/64 second 0/64 = 64/64/256");
}

TEST(Traffic, AnUnknownSizeIsUnknownAndNamed) {
  const Resolved r = resolved(
      "graph main\n input x[8]\n a: Relu(x) -> h\n n: NonZero(h) -> i\n"
      " odd: com.acme.Odd(h) -> y\n output y i");
  const Traffic t = moved(r, 1000);
  EXPECT_TRUE(t.expected[1].unknown());
  EXPECT_TRUE(t.most[2].unknown());
  EXPECT_TRUE(t.totals.incomplete);
  EXPECT_EQ(t.totals.most, 64);
}

TEST(Traffic, MoreThanTheLimitIsAnInputError) {
  const Resolved r = resolved(R"(
    graph main
      input x[1000000,1000000]
      integers m=1200000
      loop: Loop(m, _, x) {body=graph:body} -> y
      output y
    graph body
      input i[] c[] h
      act: Relu(h) -> a
      output c a
  )");
  const Result<Traffic> t = traffic(r, {0, Fuse::kNone});
  ASSERT_FALSE(t.ok());
  EXPECT_EQ(t.error().text(),
            "error: the model moves more than 2^63 - 1 bytes\n"
            "  hint: check the sizes given with --bind and --shape\n"
            "  [RIDGE-ANA-0205]\n");
}

/// Random graph of Concat and Relu over vectors of various lengths, as text and as the data that a
/// simulation needs.
struct Random {
  struct Node {
    std::vector<std::size_t> inputs;
  };
  std::vector<std::int64_t> bytes;  // of value i
  std::vector<Node> nodes;          // node i makes value first + i
  std::size_t inputs = 0, constants = 0;
  std::vector<bool> output;
  std::string text;
  std::size_t first() const { return inputs + constants; }
};

Random random_graph(std::mt19937& random) {
  Random g;
  g.inputs = 1 + random() % 3;
  g.constants = random() % 3;
  g.text = "graph main\n";
  for (std::size_t i = 0; i < g.first(); ++i) {
    const std::int64_t length = 1 + static_cast<std::int64_t>(random() % 6);
    g.bytes.push_back(4 * length);
    g.text += fmt::format(" {} v{}[{}]\n", i < g.inputs ? "input" : "constant", i, length);
  }
  const std::size_t nodes = 2 + random() % 12;
  for (std::size_t i = 0; i < nodes; ++i) {
    const std::size_t made = g.first() + i;
    Random::Node n;
    const bool wide = random() % 2 == 0;
    for (std::size_t k = 0; k < (wide ? 2U : 1U); ++k) n.inputs.push_back(random() % made);
    std::int64_t bytes = 0;
    for (const std::size_t v : n.inputs) bytes += g.bytes[v];
    if (bytes > 400) n.inputs.resize(1), bytes = g.bytes[n.inputs[0]];
    g.bytes.push_back(bytes);
    std::string names;
    for (const std::size_t v : n.inputs)
      names += fmt::format("{}v{}", names.empty() ? "" : ", ", v);
    g.text += fmt::format(" n{}: {}({}){} -> v{}\n", i, n.inputs.size() > 1 ? "Concat" : "Relu",
                          names, n.inputs.size() > 1 ? " {axis=0}" : "", made);
    g.nodes.push_back(n);
  }
  g.output.resize(g.bytes.size());
  g.output.back() = true;
  g.output[g.first() + random() % nodes] = true;
  g.text += " output";
  for (std::size_t v = g.first(); v < g.output.size(); ++v)
    if (g.output[v]) g.text += fmt::format(" v{}", v);
  return g;
}

/// Byte-level LRU simulation: a list of (value, byte) from newest to oldest, cut at the capacity.
/// An access to a tensor is one moment; its first bytes are the oldest.
class ByteSimulation {
 public:
  ByteSimulation(const Random& g, std::int64_t capacity) : g_(g), capacity_(capacity) {
    been_in_memory_.resize(g.bytes.size());
    for (std::size_t v = 0; v < g.bytes.size(); ++v)
      been_in_memory_[v].resize(static_cast<std::size_t>(g.bytes[v]), v < g.first());
  }

  std::int64_t run() {
    for (std::size_t i = 0; i < g_.nodes.size(); ++i) {
      const std::size_t made = g_.first() + i;
      std::vector<std::size_t> distinct;
      for (const std::size_t v : g_.nodes[i].inputs)
        if (std::find(distinct.begin(), distinct.end(), v) == distinct.end()) distinct.push_back(v);
      for (const std::size_t v : distinct) moved_ += g_.bytes[v] - touch(v);
      touch(made);
      for (std::size_t v = g_.first(); v <= made; ++v)
        if (!g_.output[v] && last_use(v) == i)
          std::erase_if(bytes_, [v](const auto& at) { return at.first == v; });
    }
    for (std::size_t v = g_.first(); v < g_.bytes.size(); ++v)
      moved_ += g_.output[v]
                    ? g_.bytes[v]
                    : std::count(been_in_memory_[v].begin(), been_in_memory_[v].end(), true);
    return moved_;
  }

 private:
  std::size_t last_use(std::size_t v) const {
    std::size_t last = v - g_.first();
    for (std::size_t i = 0; i < g_.nodes.size(); ++i)
      for (const std::size_t in : g_.nodes[i].inputs)
        if (in == v) last = std::max(last, i);
    return last;
  }

  /// Returns the number of its bytes that were resident.
  std::int64_t touch(std::size_t v) {
    const auto there = static_cast<std::int64_t>(
        std::erase_if(bytes_, [v](const auto& at) { return at.first == v; }));
    for (std::int64_t b = 0; b < g_.bytes[v]; ++b) bytes_.insert(bytes_.begin(), {v, b});
    while (std::ssize(bytes_) > capacity_) {
      const auto [value, byte] = bytes_.back();
      been_in_memory_[value][static_cast<std::size_t>(byte)] = true;
      bytes_.pop_back();
    }
    return there;
  }

  const Random& g_;
  std::int64_t capacity_, moved_ = 0;
  std::vector<std::pair<std::size_t, std::int64_t>> bytes_;
  std::vector<std::vector<bool>> been_in_memory_;
};

TEST(Traffic, AgreesWithASimulationOfEveryByte) {
  std::mt19937 random(17);
  for (int round = 0; round < 150; ++round) {
    const Random g = random_graph(random);
    const Resolved r = resolved(g.text);
    std::int64_t before = INT64_MAX;
    for (const std::int64_t cache : {0, 7, 20, 48, 100, 300, 100'000}) {
      const Traffic t = moved(r, cache);
      ASSERT_EQ(t.totals.expected, ByteSimulation(g, cache).run()) << cache << "\n" << g.text;
      EXPECT_LE(t.totals.expected, before) << "a larger cache moves more\n" << g.text;
      before = t.totals.expected;
    }
    const Totals& total = r.totals();
    EXPECT_EQ(moved(r, 0).totals.expected, total.bytes_read.value() + total.bytes_written.value());
    EXPECT_EQ(moved(r, 0).totals.most, moved(r, 0).totals.expected);
    EXPECT_EQ(moved(r, 100'000).totals.expected, moved(r, 0).totals.least);
    EXPECT_EQ(moved(r, 0).totals.peak_activation_bytes, total.peak_activation_bytes.value());
  }
}

TEST(Traffic, FusionNeverMovesMore) {
  std::mt19937 random(18);
  for (int round = 0; round < 50; ++round) {
    const Resolved r = resolved(random_graph(random).text);
    EXPECT_LE(moved(r, 0, Fuse::kEpilogue).totals.most, moved(r, 0).totals.most);
  }
}

// One token reads 2 of 8 experts: 2 * 48 floats beside 6 + 8 of the inputs; all of the activations.
TEST(Traffic, ExpertsThatNoTokenChoosesStayInMemory) {
  const Resolved r = resolved(R"(
    graph main
      input x[1,6] router[1,8]
      constant a[8,4,6] b[8,6,4]
      route: com.microsoft.MoE(x, router, a, _, b) {k=2 activation_type='relu'} -> y
      output y
  )");
  const Traffic t = traffic(r, {.cache_bytes = 1 << 20}).value();
  EXPECT_EQ(t.totals.expected, 4 * (6 + 8 + 2 * 48 + 6));
  EXPECT_EQ(t.totals.least, 4 * (6 + 8 + 2 * 48 + 6));
}

}  // namespace
}  // namespace ridge::analysis
