// SPDX-License-Identifier: Apache-2.0
#include "analysis/traffic/liveness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

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
  // Inside the body: hidden and the result together (64); around it: x and the output (64).
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
  // Oracle: at every step, the sizes of all values that are produced and still needed are summed
  // from scratch.
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

/// Random graph of views, element-wise nodes, concatenations and branches that capture outer
/// values, with its peak computed step by step: the sum of all buffers that are produced and still
/// needed.
class RandomGraph {
 public:
  explicit RandomGraph(std::mt19937& random) : random_(random) {
    text_ = "graph main\n input c[]\n";
    for (std::size_t i = 0; i < 2; ++i) {
      add_value(4 * (1 + below(5)), buffers_.size());
      text_ += fmt::format(" input v{}[{}]\n", i, buffers_[i].bytes / 4);
    }
    const std::size_t nodes = 2 + below(14);
    for (step_ = 1; step_ <= nodes; ++step_) add_node();
    const std::size_t outputs = 1 + below(2);
    text_ += " output";
    for (std::size_t i = 0; i < outputs; ++i) {
      const std::size_t v = i == 0 ? value_.size() - 1 : 2 + below(value_.size() - 2);
      if (i > 0 && v == value_.size() - 1) continue;
      text_ += fmt::format(" v{}", v);
      buffers_[value_[v]].last = nodes;
    }
    text_ += "\n" + bodies_;
    steps_ = nodes;
  }

  const std::string& text() const { return text_; }

  std::int64_t peak() const {
    std::int64_t worst = 0;
    for (std::size_t step = 1; step <= steps_; ++step) {
      std::int64_t live = last_condition_ >= step || step == 1 ? kFlag : 0;
      for (const Buffer& b : buffers_)
        if (b.made <= step && (b.last >= step || (b.made == 0 && step == 1)))
          live += static_cast<std::int64_t>(b.bytes);
      const auto inside = inside_.find(step);
      worst = std::max(worst, live + (inside == inside_.end() ? 0 : inside->second));
    }
    return worst;
  }

 private:
  static constexpr std::int64_t kFlag = 4;  // a float condition, as the sketch declares it
  struct Buffer {
    std::size_t bytes, made, last;
  };

  std::size_t below(std::size_t n) { return random_() % n; }
  void add_value(std::size_t bytes, std::size_t buffer) {
    value_.push_back(buffer);
    if (buffer == buffers_.size()) buffers_.push_back({bytes, step_, step_});
  }
  std::size_t use(std::size_t v) {
    Buffer& b = buffers_[value_[v]];
    b.last = std::max(b.last, step_);
    return b.bytes;
  }

  void add_node() {
    const std::size_t a = below(value_.size()), out = value_.size(), kind = below(5);
    const std::size_t bytes = use(a);
    if (kind == 0) {
      text_ += fmt::format(" Identity(v{}) -> v{}\n", a, out);
      add_value(bytes, value_[a]);
    } else if (kind == 1 && bytes < 200) {
      const std::size_t b = below(value_.size());
      const std::size_t both = bytes + use(b);
      text_ += fmt::format(" Concat(v{}, v{}) {{axis=0}} -> v{}\n", a, b, out);
      add_value(both, buffers_.size());
    } else if (kind == 2) {
      add_branch(a, bytes, out);
    } else {
      text_ += fmt::format(" Relu(v{}) -> v{}\n", a, out);
      add_value(bytes, buffers_.size());
    }
  }

  /// Then-branch: a chain of element-wise nodes over an outer value; the else-branch does less.
  /// Inside a chain two buffers are live at once, but its last one belongs to the caller.
  void add_branch(std::size_t a, std::size_t bytes, std::size_t out) {
    const std::size_t length = 2 + below(4);
    text_ += fmt::format(" If(c) {{then_branch=graph:t{0} else_branch=graph:e{0}}} -> v{0}\n", out);
    bodies_ += fmt::format("graph t{}\n", out);
    for (std::size_t i = 0; i < length; ++i)
      bodies_ +=
          fmt::format(" Relu({0}) -> t{1}_{2}\n",
                      i == 0 ? fmt::format("v{}", a) : fmt::format("t{}_{}", out, i - 1), out, i);
    bodies_ += fmt::format(" output t{0}_{1}\ngraph e{0}\n Relu(v{2}) -> e{0}_0\n output e{0}_0\n",
                           out, length - 1, a);
    inside_[step_] = static_cast<std::int64_t>(bytes * (length > 2 ? 2 : 1));
    last_condition_ = step_;
    add_value(bytes, buffers_.size());
  }

  std::mt19937& random_;
  std::string text_, bodies_;
  std::vector<std::size_t> value_;  // buffer of each value
  std::vector<Buffer> buffers_;
  std::map<std::size_t, std::int64_t> inside_;  // peak of the body, by step
  std::size_t step_ = 0, steps_ = 0, last_condition_ = 0;
};

TEST(Liveness, AgreesWithASimulationOfViewsAndBranches) {
  std::mt19937 random(8);
  for (int round = 0; round < 300; ++round) {
    const RandomGraph g(random);
    ASSERT_EQ(peak(g.text()), g.peak()) << g.text();
  }
}

}  // namespace
}  // namespace ridge::analysis
