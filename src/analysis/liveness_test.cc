#include "analysis/liveness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "analysis/testing.h"

namespace ridge::analysis {
namespace {

using testing::resolved;

std::int64_t peak(std::string_view text) {
  return resolved(text).totals().peak_activation_bytes.value();
}

TEST(Liveness, AChainHoldsInputAndOutputOfOneNode) {
  EXPECT_EQ(peak("graph main\n input x[8]\n a: Relu(x) -> b\n c: Relu(b) -> d\n e: Relu(d) -> y\n "
                 "output y"),
            64);
}

TEST(Liveness, ASkippedConnectionStaysAlive) {
  EXPECT_EQ(peak("graph main\n input x[8]\n a: Relu(x) -> b\n c: Relu(b) -> d\n e: Add(d, x) -> "
                 "y\n output y"),
            96);
}

TEST(Liveness, WeightsAndFoldedSizesTakeNone) {
  EXPECT_EQ(peak("graph main\n input x[2,4]\n constant w[4,4]\n mm: MatMul(x, w) -> y\n output y"),
            64);
  EXPECT_EQ(peak("graph main\n input x[2,4]\n s: Shape(x) -> t\n r: Reshape(x, t) -> y\n output y"),
            32);
}

TEST(Liveness, AViewSharesMemory) {
  EXPECT_EQ(peak("graph main\n input x[2,4]\n integers s[1]=8\n r: Reshape(x, s) -> v\n a: Relu(v) "
                 "-> y\n output y"),
            64);
}

TEST(Liveness, OutputsStayToTheEnd) {
  EXPECT_EQ(peak("graph main\n input x[8]\n a: Relu(x) -> y\n b: Neg(y) -> z\n c: Neg(z) -> w\n "
                 "output y w"),
            96);
}

TEST(Liveness, ABodyAddsItsOwnPeakWhereItRuns) {
  // Inside: hidden and made at once (64); around: x and the output (64).
  EXPECT_EQ(peak(R"(
    graph main
      input x[8] c[]
      choose: If(c) {then_branch=graph:deep else_branch=graph:flat} -> y
      output y
    graph deep
      a: Relu(x) -> h1
      b: Neg(h1) -> h2
      c2: Neg(h2) -> made
      output made
    graph flat
      d: Relu(x) -> other
      output other
  )"),
            4 + 64 + 64);
}

TEST(Liveness, AnUnknownSizeMakesThePeakALowerBound) {
  const Resolved r = resolved("graph main\n input x[8]\n odd: com.acme.Odd(x) -> y\n output y");
  EXPECT_EQ(r.totals().peak_activation_bytes.value(), 32);
  EXPECT_TRUE(r.totals().incomplete.test(Totals::kPeakActivationBytes));
}

TEST(Liveness, AgreesWithASimulationOnRandomGraphs) {
  // Oracle: at every step, the sizes of all values that are made and still needed, added up from
  // scratch.
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    const int nodes = 2 + static_cast<int>(random() % 20);
    std::vector<int> last_use(static_cast<std::size_t>(nodes) + 1, 0);
    std::string text = "graph main\n input v0[4]\n";
    for (int i = 1; i <= nodes; ++i) {
      const auto a = random() % static_cast<unsigned>(i), b = random() % static_cast<unsigned>(i);
      last_use[a] = last_use[b] = i;
      text += fmt::format(" n{0}: Add(v{1}, v{2}) -> v{0}\n", i, a, b);
    }
    last_use.back() = nodes;
    text += fmt::format(" output v{}\n", nodes);
    std::int64_t worst = 0;
    for (int step = 1; step <= nodes; ++step) {
      std::int64_t live = 0;
      for (int v = 0; v <= step; ++v)
        if (last_use[static_cast<std::size_t>(v)] >= step || v == step || (v == 0 && step == 1))
          live += 16;
      worst = std::max(worst, live);
    }
    EXPECT_EQ(peak(text), worst) << text;
  }
}

}  // namespace
}  // namespace ridge::analysis
