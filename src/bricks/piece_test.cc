// SPDX-License-Identifier: Apache-2.0
#include "bricks/piece.h"

#include <gtest/gtest.h>

#include <random>

#include "bricks/testing.h"

namespace ridge::bricks {
namespace {

using testing::Craft;
using testing::crafted;

/// Names of the model behind crossing tensors, in their order: "x tb/blocked".
std::string names(const Network& n, const std::vector<CrossingTensor>& tensors) {
  std::string out;
  for (const CrossingTensor& t : tensors) {
    out += out.empty() ? "" : " ";
    out += n.resolved.model().value(n.value.at(t.name)).name;
    if (t.layout != Layout::kPlain) out += "/" + std::string(word(t.layout));
  }
  return out;
}

/// "x ta -> tb"
std::string ports(const Network& n, std::uint32_t first, std::uint32_t last) {
  const Piece p = Cutter(n).piece(first, last);
  return names(n, p.inputs) + " -> " + names(n, p.outputs);
}

constexpr std::string_view kDiamond = R"(graph main
  input x[2,4]
  constant w[4,4]
  a: MatMul(x, w) -> ta
  b: Relu(ta) -> tb
  c: Neg(ta) -> tc
  d: Add(tb, tc) -> td
  e: Mul(td, ta) -> y
  output y)";

TEST(Piece, HasTheTensorsThatCross) {
  const Network n = crafted(kDiamond);
  ASSERT_EQ(testing::layers(n), "a b c d e");
  EXPECT_EQ(ports(n, 0, 1), "x -> ta");
  EXPECT_EQ(ports(n, 1, 3), "ta -> tb tc");
  EXPECT_EQ(ports(n, 3, 5), "tb tc ta -> y");
  EXPECT_EQ(ports(n, 0, 5), "x -> y");
  EXPECT_EQ(Cutter(n).crossing(), (std::vector<std::uint32_t>{1, 1, 2, 3, 2, 0}));
  const Piece p = Cutter(n).piece(0, 2);
  EXPECT_EQ(p.macs, 2 * 4 * 4);
  EXPECT_EQ(p.nodes, (std::vector<graph::NodeId>{0, 1}));
}

TEST(Piece, ATensorThatTheModelAlsoReturnsIsKept) {
  std::string text(kDiamond);
  text.replace(text.find("output y"), 8, "output y tb");
  const Network n = crafted(text);
  const Piece makes = Cutter(n).piece(1, 2), reads = Cutter(n).piece(3, 4);
  EXPECT_EQ(names(n, makes.outputs), "tb");
  EXPECT_FALSE(makes.outputs[0].donor);  // the model returns it, nothing copies it
  EXPECT_EQ(names(n, reads.inputs), "tb tc");
  EXPECT_TRUE(reads.inputs[0].kept);
  EXPECT_FALSE(reads.inputs[1].kept);
  const Piece last = Cutter(n).piece(4, 5);  // y is returned, and nothing reads it
  EXPECT_TRUE(last.outputs[0].donor);
  // It is alive until the run ends: ta tb td y in the last layer.
  EXPECT_EQ(last.live_bytes, 4 * 32);
}

TEST(Piece, LivesWithTheTensorsThatLaterLayersStillRead) {
  // Each tensor has 32 bytes. a: ta; b: ta tb; c: ta tb tc; d: ta tb tc td; e: ta td y.
  const Network n = crafted(kDiamond);
  const auto live = [](const Network& network, std::uint32_t first, std::uint32_t last) {
    return Cutter(network).piece(first, last).live_bytes;
  };
  EXPECT_EQ(live(n, 0, 1), 1 * 32);
  EXPECT_EQ(live(n, 1, 2), 2 * 32);
  EXPECT_EQ(live(n, 1, 3), 3 * 32);
  EXPECT_EQ(live(n, 3, 5), 4 * 32);
  EXPECT_EQ(live(n, 4, 5), 3 * 32);
  // A tensor between nodes of one layer takes no memory.
  const Network fused = crafted(R"(graph main
    input x[2,4]
    a: Relu(x) -> ta
    b: Neg(ta) -> tb
    c: Relu(tb) -> y
    output y)",
                                {.layers = {{"a", "b"}}});
  EXPECT_EQ(live(fused, 0, 1), 1 * 32);
  EXPECT_EQ(live(fused, 1, 2), 2 * 32);
}

TEST(Piece, HasAnOutputOfTheModelThatIsReadInside) {
  const Network n = crafted(R"(graph main
    input x[2,4]
    a: Relu(x) -> ta
    b: Neg(ta) -> y
    output y ta)");
  EXPECT_EQ(ports(n, 0, 2), "x -> ta y");
}

TEST(Piece, HasNoConstantsKnownAtLoadTimeAsInputs) {
  const Network n = crafted(R"(graph main
    input x[2,4]
    integers i=0 one[1]=1
    shape: Shape(x) -> s
    rows: Gather(s, i) -> r
    size: Unsqueeze(r, i) -> u
    wide: Concat(u, one) {axis=0} -> k
    a: Relu(x) -> ta
    b: Expand(ta, s) -> tb
    c: Tile(tb, k) -> y
    output y)",
                            {.without = {{"shape", profile::Why::kFolded},
                                         {"rows", profile::Why::kFolded},
                                         {"size", profile::Why::kFolded},
                                         {"wide", profile::Why::kFolded}}});
  ASSERT_EQ(n.layers.size(), 3U);
  EXPECT_EQ(ports(n, 1, 3), "ta -> y");
  EXPECT_EQ(ports(n, 2, 3), "tb -> y");
  EXPECT_TRUE(Cutter(n).piece(2, 3).helpers.empty());
}

TEST(Piece, ReadsThroughNodesWithoutKernel) {
  const Network n = crafted(R"(graph main
    input x[2,4]
    a: Relu(x) -> ta
    pass: Identity(ta) -> tp
    b: Neg(tp) -> y
    output y)",
                            {.without = {{"pass", profile::Why::kEliminated}}});
  EXPECT_EQ(ports(n, 1, 2), "ta -> y");
  EXPECT_EQ(ports(n, 0, 1), "x -> ta");
}

TEST(Piece, ReturnsWhatANodeWithoutKernelPassesToTheModelsOutput) {
  const Network n = crafted(R"(graph main
    input x[2,4]
    a: Relu(x) -> ta
    pass: Identity(ta) -> y
    output y)",
                            {.without = {{"pass", profile::Why::kEliminated}}});
  EXPECT_EQ(ports(n, 0, 1), "x -> ta");
}

TEST(Piece, ReadsWhatItRepeatsFromItsSources) {
  const Network n = crafted(R"(graph main
    input x[2,4]
    a: Relu(x) -> ta
    b: Neg(ta) -> tb
    c: Add(tb, ta) -> y
    output y)",
                            {.repeated_in = {{"a", "c"}}});
  EXPECT_EQ(ports(n, 2, 3), "tb x -> y");
  EXPECT_EQ(Cutter(n).piece(2, 3).helpers, n.layers[0].units);
  EXPECT_TRUE(Cutter(n).piece(0, 3).helpers.empty());
}

TEST(Piece, ReadsWhatBodiesCapture) {
  const Network n = crafted(R"(graph main
    input c:bool[] x[2,4]
    a: Relu(x) -> ta
    if: If(c) {then_branch=graph:yes else_branch=graph:no} -> y
    output y
  graph yes
    then: Sigmoid(ta) -> p
    output p
  graph no
    else: Tanh(x) -> q
    output q)");
  EXPECT_EQ(ports(n, 1, 2), "c ta x -> y");
}

TEST(Piece, HasTheLayoutThatItsKernelsReadAndWrite) {
  const Network n = crafted(kDiamond, {.blocked = {"ta", "td"}});
  EXPECT_EQ(ports(n, 0, 1), "x -> ta/blocked");
  EXPECT_EQ(ports(n, 1, 2), "ta/blocked -> tb");
  EXPECT_EQ(ports(n, 4, 5), "td/blocked ta/blocked -> y");
  EXPECT_EQ(ports(n, 0, 4), "x -> ta/blocked td/blocked");
}

/// A graph of which only the edges matter: node i reads tensors with smaller numbers. Tensor t < 2
/// is input t of the model, the others are results of nodes.
struct Dag {
  static constexpr int kInputs = 2;
  std::vector<std::vector<int>> reads;  // by node
  std::vector<int> without_kernel;      // nodes that only pass their first input on
  std::set<int> outputs;                // tensors

  std::string name(int tensor) const {
    return tensor < kInputs ? fmt::format("x{}", tensor) : fmt::format("t{}", tensor - kInputs);
  }
  bool passes(int node) const {
    return std::ranges::find(without_kernel, node) != without_kernel.end();
  }
  /// The computed tensor, or the input, behind a tensor.
  int source(int tensor) const {
    while (tensor >= kInputs && passes(tensor - kInputs))
      tensor = reads[static_cast<std::size_t>(tensor - kInputs)][0];
    return tensor;
  }
  std::string text() const {
    std::string out = "graph main\n input x0[2,4] x1[2,4]\n constant w[2,4]\n";
    for (int i = 0; i < std::ssize(reads); ++i) {
      std::vector<std::string> inputs;
      for (const int r : reads[static_cast<std::size_t>(i)]) inputs.push_back(name(r));
      out += fmt::format("n{}: {}({}{}) -> {}\n", i, passes(i) ? "Identity" : "Sum",
                         fmt::join(inputs, ", "), passes(i) ? "" : ", w", name(kInputs + i));
    }
    out += "output";
    for (const int t : outputs) out += " " + name(t);
    return out;
  }
};

Dag random_dag(std::mt19937& random) {
  Dag dag;
  const int nodes = 2 + static_cast<int>(random() % 8);
  std::vector<bool> read(static_cast<std::size_t>(nodes + Dag::kInputs), false);
  for (int i = 0; i < nodes; ++i) {
    const bool passes = random() % 5 == 0;
    std::set<int> inputs;
    for (unsigned k = 0; k < (passes ? 1 : 1 + random() % 3); ++k)
      inputs.insert(static_cast<int>(random() % static_cast<unsigned>(i + Dag::kInputs)));
    if (passes) dag.without_kernel.push_back(i);
    dag.reads.emplace_back(inputs.begin(), inputs.end());
    for (const int r : inputs) read[static_cast<std::size_t>(r)] = true;
  }
  for (int t = Dag::kInputs; t < std::ssize(read); ++t)
    if (!read[static_cast<std::size_t>(t)] || random() % 6 == 0) dag.outputs.insert(t);
  return dag;
}

/// Inputs and outputs of the nodes `inside` with a kernel, by a loop over all edges.
std::pair<std::set<std::string>, std::set<std::string>> crossing_edges(
    const Dag& dag, const std::set<int>& inside) {
  std::set<std::string> in, out;
  const auto is_inside = [&](int t) {
    return t >= Dag::kInputs && inside.contains(t - Dag::kInputs);
  };
  for (int reader = 0; reader < std::ssize(dag.reads); ++reader) {
    if (dag.passes(reader)) continue;
    for (const int read : dag.reads[static_cast<std::size_t>(reader)]) {
      const int t = dag.source(read);
      if (inside.contains(reader) && !is_inside(t)) in.insert(dag.name(t));
      if (!inside.contains(reader) && is_inside(t)) out.insert(dag.name(t));
    }
  }
  for (const int t : dag.outputs)
    if (is_inside(dag.source(t))) out.insert(dag.name(dag.source(t)));
  return {in, out};
}

std::set<std::string> name_set(const Network& n, const std::vector<CrossingTensor>& tensors) {
  std::set<std::string> out;
  for (const CrossingTensor& t : tensors) {
    const auto [_, fresh] = out.emplace(n.resolved.model().value(n.value.at(t.name)).name);
    EXPECT_TRUE(fresh) << t.name;
  }
  return out;
}

/// Index of a node of a Dag by its name.
int index_of(const Network& n, graph::NodeId node) {
  return std::stoi(std::string(n.resolved.model().node(node).name.substr(1)));
}

void check_all_intervals(const Dag& dag, const Network& n) {
  const Cutter cutter(n);
  const auto layers = static_cast<std::uint32_t>(n.layers.size());
  std::vector<std::set<int>> nodes(layers);
  for (std::uint32_t l = 0; l < layers; ++l)
    for (const Unit u : n.layers[l].units)
      nodes[l].insert(index_of(n, attribution::stem_of(n.node(u).name).node));
  for (std::uint32_t first = 0; first < layers; ++first) {
    std::set<int> inside;
    for (std::uint32_t last = first + 1; last <= layers; ++last) {
      inside.insert(nodes[last - 1].begin(), nodes[last - 1].end());
      const auto [in, out] = crossing_edges(dag, inside);
      const Piece p = cutter.piece(first, last);
      EXPECT_EQ(name_set(n, p.inputs), in) << first << "-" << last;
      EXPECT_EQ(name_set(n, p.outputs), out) << first << "-" << last;
      EXPECT_EQ(p.units.size(), inside.size());
    }
    // Tensors that an interval to the end reads cross its beginning.
    EXPECT_EQ(cutter.crossing()[first], crossing_edges(dag, inside).first.size()) << first;
  }
}

TEST(Piece, OfRandomGraphsHasTheEdgesThatCross) {
  std::mt19937 random(5);
  int fused = 0;
  for (int round = 0; round < 400; ++round) {
    const Dag dag = random_dag(random);
    Craft craft;
    for (const int n : dag.without_kernel)
      craft.without[fmt::format("n{}", n)] = profile::Why::kEliminated;
    for (int i = 0; i + 1 < std::ssize(dag.reads); ++i)
      if (random() % 4 == 0 && !dag.passes(i) && !dag.passes(i + 1))
        craft.layers.push_back({fmt::format("n{}", i), fmt::format("n{}", i + 1)}), ++i, ++fused;
    SCOPED_TRACE(dag.text());
    const Network n = crafted(dag.text(), craft);
    testing::expect_complete(n);
    check_all_intervals(dag, n);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(fused, 100);
}

}  // namespace
}  // namespace ridge::bricks
