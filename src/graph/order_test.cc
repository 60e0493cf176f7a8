// SPDX-License-Identifier: Apache-2.0
#include "graph/order.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <numeric>
#include <random>

#include "graph/sketch.h"

namespace ridge::graph {
namespace {

/// Nodes 0..n-1 in a random file order; node i reads values of lower nodes only, so the graph is
/// acyclic.
std::string shuffled_graph(std::mt19937& random, int n) {
  std::vector<int> file(static_cast<std::size_t>(n));
  std::iota(file.begin(), file.end(), 0);
  std::shuffle(file.begin(), file.end(), random);
  std::string text = "graph g\n input x\n";
  for (const int i : file) {
    std::string inputs = "x";
    for (int k = 0; k < i; ++k)
      if (random() % 3 == 0) inputs += fmt::format(", v{}", k);
    text += fmt::format("n{}: Sum({}) -> v{}\n", i, inputs, i);
  }
  return text + fmt::format("output v{}\n", n - 1);
}

TEST(TopologicalOrder, PutsEveryProducerBeforeItsReaders) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const auto m = Model::build(Sketch::document(shuffled_graph(random, 2 + round % 12)));
    ASSERT_TRUE(m.ok()) << m.error().text();
    std::vector<bool> done(m->nodes().size());
    bool file_sorted = true;
    for (std::size_t i = 0; i < m->main().order.size(); ++i) {
      const NodeId n = m->main().order[i];
      file_sorted &= n == i;
      ASSERT_FALSE(done[n]);
      for (const ValueId v : m->node(n).inputs) {
        const NodeId p = m->value(v).producer;
        ASSERT_TRUE(p == kNone || done[p]);
      }
      done[n] = true;
    }
    EXPECT_EQ(m->main().sorted, file_sorted)
        << "order equals file order exactly where the file is sorted";
  }
}

TEST(TopologicalOrder, TakesAHundredThousandNodesInReverse) {
  std::string text = "graph g\n input v0\n";
  for (int i = 100'000; i > 0; --i) text += fmt::format("Relu(v{}) -> v{}\n", i - 1, i);
  const auto m = Model::build(Sketch::document(text + "output v100000\n"));
  ASSERT_TRUE(m.ok());
  EXPECT_EQ(m->main().order.front(), 99'999U);
}

}  // namespace
}  // namespace ridge::graph
