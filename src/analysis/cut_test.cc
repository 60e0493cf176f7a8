// SPDX-License-Identifier: Apache-2.0
#include "analysis/cut.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "analysis/testing.h"
#include "zoo/zoo.h"

namespace ridge::analysis {
namespace {

using graph::kNone;
using graph::NodeId;
using graph::ValueId;
using testing::resolved;

std::string names(const Resolved& r) {
  std::string out;
  for (const Cut& cut : cuts(r))
    out += (out.empty() ? "" : " ") + std::string(r.model().value(cut.tensor).name);
  return out;
}

/// Nodes that a tensor depends on, in models without bodies, by fixed-point iteration.
std::vector<bool> needed(const graph::Model& m, ValueId tensor) {
  std::vector<bool> out(m.nodes().size(), false);
  out[m.value(tensor).producer] = true;
  for (bool grown = true; grown;) {
    grown = false;
    for (auto n = static_cast<NodeId>(out.size()); n-- > 0;)
      for (const ValueId v : out[n] ? m.inputs(n) : std::span<const ValueId>()) {
        const NodeId maker = v == kNone ? kNone : m.value(v).producer;
        if (maker == kNone || out[maker]) continue;
        out[maker] = grown = true;
      }
  }
  return out;
}

/// Values that constants and sizes alone determine, by fixed-point iteration.
std::vector<bool> given_values(const Resolved& r) {
  const graph::Model& m = r.model();
  std::vector<bool> out(m.values().size());
  for (ValueId v = 0; v < out.size(); ++v) out[v] = r.constant(v) || r.value(v) != nullptr;
  for (bool grown = true; grown;) {
    grown = false;
    for (ValueId v = 0; v < out.size(); ++v) {
      const NodeId maker = m.value(v).producer;
      if (out[v] || maker == kNone || m.inputs(maker).empty()) continue;
      const auto here = m.inputs(maker);
      if (std::all_of(here.begin(), here.end(), [&](ValueId x) { return x == kNone || out[x]; }))
        out[v] = grown = true;
    }
  }
  return out;
}

/// Literal definition of a cut, for one tensor: walk back from the outputs without passing through
/// `tensor`; every value reached is needed after it and must not depend on the run except through
/// it.
bool cuts_by_definition(const Resolved& r, const std::vector<bool>& given, ValueId tensor) {
  const graph::Model& m = r.model();
  const std::vector<bool> before = needed(m, tensor);
  std::set<ValueId> seen = {tensor};
  std::vector<ValueId> open;
  for (const ValueId v : m.main().outputs)
    if (seen.insert(v).second) open.push_back(v);
  bool reached = false;
  while (!open.empty()) {
    const graph::Value& value = m.value(open.back());
    const bool skipped = given[open.back()];
    open.pop_back();
    if (skipped) continue;
    // An input of the model, or a value produced before the tensor, is needed after it.
    if (value.producer == kNone || before[value.producer]) return false;
    for (const ValueId v : m.inputs(value.producer)) {
      reached |= v == tensor;
      if (v != kNone && seen.insert(v).second) open.push_back(v);
    }
  }
  return reached;
}

std::set<ValueId> by_definition(const Resolved& r) {
  std::set<ValueId> out;
  const std::vector<bool> given = given_values(r);
  for (ValueId v = 0; v < r.model().values().size(); ++v) {
    const graph::Value& value = r.model().value(v);
    if (value.graph == 0 && value.producer != kNone && !value.graph_output && !given[v] &&
        cuts_by_definition(r, given, v))
      out.insert(v);
  }
  return out;
}

std::set<ValueId> found(const Resolved& r) {
  std::set<ValueId> out;
  for (const Cut& cut : cuts(r)) {
    EXPECT_EQ(r.model().value(cut.tensor).producer, cut.node);
    out.insert(cut.tensor);
  }
  return out;
}

TEST(Cut, IsWhereOneTensorAloneCrosses) {
  EXPECT_EQ(names(resolved(R"(graph main
    input x[4]
    constant w[4]
    Mul(x, w) -> a
    Relu(a) -> b
    Tanh(b) -> c
    Add(b, c) -> d
    Relu(d) -> y
    output y)")),
            "a b d");
}

TEST(Cut, IsNoneBesideASecondInputAnEarlyOutputOrACapture) {
  EXPECT_EQ(names(resolved("graph main\n input x[4] mask[4]\n Relu(x) -> a\n Tanh(a) -> b\n"
                           " Mul(b, mask) -> c\n Relu(c) -> y\n output y")),
            "c");
  EXPECT_EQ(names(resolved("graph main\n input x[4]\n Relu(x) -> a\n Tanh(a) -> b\n"
                           " Relu(b) -> y\n output a y")),
            "");
  EXPECT_EQ(names(resolved(R"(graph main
    input x[4]
    flags c[]=1
    Relu(x) -> a
    Tanh(a) -> b
    If(c) {then_branch=graph:yes else_branch=graph:no} -> d
    Relu(d) -> y
    output y
  graph yes
    Add(a, b) -> s
    output s
  graph no
    Mul(b, b) -> t
    output t)")),
            "a d");
}

TEST(Cut, LetsConstantsShapesAndDeadNodesCross) {
  EXPECT_EQ(names(resolved(R"(graph main
    input x[2,6]
    constant w[4]
    Relu(w) -> ready
    Shape(x) -> shape
    Relu(x) -> a
    Tanh(a) -> b
    Sigmoid(a) -> dead
    Reshape(b, shape) -> c
    Tanh(c) -> y
    output y)")),
            "a b c");
}

TEST(Cut, IsNotForbiddenByWhatOnlyShapesNeed) {
  EXPECT_EQ(names(resolved(R"(graph main
    input x[2,6]
    Relu(x) -> a
    Tanh(a) -> b
    Shape(a) -> shape
    Reshape(b, shape) -> y
    output y)")),
            "a b");
}

TEST(Cut, IsNoSequence) {
  EXPECT_EQ(names(resolved(R"(graph main
    input x[2,6]
    integers zero=0
    Relu(x) -> a
    SequenceConstruct(a) -> s
    SequenceAt(s, zero) -> b
    Tanh(b) -> y
    output y)")),
            "a b");
}

TEST(Cut, AncestorsAreTheNodesThatATensorNeeds) {
  const Resolved r = resolved(R"(graph main
    input x[4]
    flags c[]=1
    if: If(c) {then_branch=graph:yes else_branch=graph:no} -> d
    last: Relu(d) -> y
    output y
  graph yes
    inner: Relu(x) -> s
    output s
  graph no
    other: Tanh(x) -> t
    output t)");
  const std::vector<bool> before = ancestors(r.model(), testing::value(r, "d"));
  for (const char* name : {"if", "inner", "other"}) EXPECT_TRUE(before[testing::node(r, name)]);
  EXPECT_FALSE(before[testing::node(r, "last")]);
}

TEST(Cut, IsTheDefinitionOnRandomGraphs) {
  std::mt19937 generator(7);
  // No standard distribution, since results differ between libraries.
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(generator()) % n; };
  std::size_t all = 0;
  for (int round = 0; round < 300; ++round) {
    std::string text = "graph main\n input t0[4]\n";
    const std::size_t nodes = 3 + below(9);
    // Mostly recent values, so that both cuts and crossing values are frequent.
    const auto some = [&](std::size_t made) {
      return fmt::format("t{}", made - below(std::min<std::size_t>(made, 3) + 1));
    };
    if (below(4) == 0) text += " input u[4]\n";
    for (std::size_t i = 0; i < nodes; ++i) {
      const bool two = below(3) == 0;
      const std::string second =
          below(8) == 0 && text.find("input u") != std::string::npos ? "u" : some(i);
      text += two ? fmt::format(" Add({}, {}) -> t{}\n", some(i), second, i + 1)
                  : fmt::format(" Relu({}) -> t{}\n", some(i), i + 1);
    }
    text += fmt::format(" output t{}", nodes);
    if (below(6) == 0) text += fmt::format(" t{}", 1 + below(nodes - 1));
    const Resolved r = resolved(text);
    EXPECT_EQ(found(r), by_definition(r)) << text;
    all += found(r).size();
  }
  EXPECT_GT(all, 300U);
}

TEST(Cut, IsTheDefinitionOnReferenceNetworks) {
  for (const char* name : {"squeezenet1_0", "resnet50", "bert_base", "gpt2"}) {
    Result<onnx::Document> document = zoo::make(name);
    ASSERT_TRUE(document.ok()) << document.error().text();
    auto built = graph::Model::build(std::make_shared<onnx::Document>(std::move(document).value()));
    ASSERT_TRUE(built.ok());
    const auto r = resolve(std::make_shared<const graph::Model>(std::move(built).value()), {},
                           {{"batch", 1}, {"sequence", 128}});
    ASSERT_TRUE(r.ok()) << r.error().text();
    EXPECT_EQ(found(*r), by_definition(*r)) << name;
    EXPECT_GE(found(*r).size(), 10U) << name;
  }
}

}  // namespace
}  // namespace ridge::analysis
