// SPDX-License-Identifier: Apache-2.0
// Edits and advice in a real ONNX Runtime.
#include "advice/run/advice.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "advice/model_bound.h"
#include "advice/run/check.h"
#include "attribution/testing.h"
#include "base/file.h"
#include "graph/sketch.h"
#include "onnx/reader.h"
#include "onnx/weights.h"
#include "onnx/writer.h"
#include "rewrite/patterns.h"
#include "rewrite/rewritten.h"
#include "runtime/runtime.h"
#include "session/testing.h"
#include "session/workbench.h"

namespace ridge::advice {
namespace {

using attribution::testing::must;
using attribution::testing::runtime_installed;
using session::testing::ModelFile;

measure::Column column(const session::Workbench& bench, const analysis::Resolved& resolved) {
  return {&resolved, must(bench.request(session::points_of(bench.spec).at(0)))};
}

/// Text of random graphs in which many edits apply. Values stay small.
class RandomGraph {
 public:
  explicit RandomGraph(unsigned seed) : random_(seed) {}

  std::string text() {
    for (int i = 0; i < 12; ++i) {
      const std::string x = pick(values_);
      switch (random_() % 6) {
        case 0:
          values_.push_back(node(pick(unary_) + "(" + x + ")"));
          break;
        case 1:
          values_.push_back(node("Tanh(" + node("Add(" + x + ", " + pick(values_) + ")") + ")"));
          break;
        case 2:
          values_.push_back(pair(x));
          break;
        default:
          values_.push_back(written(rewrite::Expression::parse(pick(rewrite::patterns()).written),
                                    node("Tanh(" + x + ")")));
      }
    }
    std::string outputs;
    for (std::size_t i = 1; i < values_.size(); i += 1 + random_() % 3) outputs += " " + values_[i];
    outputs += " " + node("Neg(" + values_.back() + ")");
    return "graph main\ninput x[2,3,4,5]\nintegers flat[1]=120 shape[4]=2,3,4,5\n" + constants_ +
           nodes_ + "output" + outputs + "\n";
  }

 private:
  template <typename T>
  T pick(std::span<const T> from) {
    return from[random_() % from.size()];
  }
  std::string pick(const std::vector<std::string>& from) {
    return pick(std::span<const std::string>(from));
  }

  std::string node(const std::string& call) {
    std::string name = fmt::format("v{}", ++count_);
    nodes_ += call + " -> " + name + "\n";
    return name;
  }

  std::string with(const std::string& call, const std::string& attributes) {
    std::string name = fmt::format("v{}", ++count_);
    nodes_ += fmt::format("{} {{{}}} -> {}\n", call, attributes, name);
    return name;
  }

  /// Two nodes that undo each other.
  std::string pair(const std::string& x) {
    switch (random_() % 3) {
      case 0:
        return with("Transpose(" + with("Transpose(" + x + ")", "perm=[0,2,3,1]") + ")",
                    "perm=[0,3,1,2]");
      case 1:
        return with("Cast(" + with("Cast(" + x + ")", "to=11") + ")", "to=1");
      default:
        return node("Reshape(" + node("Reshape(" + x + ", flat)") + ", shape)");
    }
  }

  /// Adds the nodes of an expression, with the operands of sums and products in any order.
  std::string written(const rewrite::Expression& e, const std::string& x) {
    if (e.number) {
      constants_ += fmt::format("reals c{}={:.9g}\n", ++count_, *e.number);
      return fmt::format("c{}", count_);
    }
    if (e.op_type.empty()) return x;
    std::vector<std::string> operands;
    for (const rewrite::Expression& operand : e.operands) operands.push_back(written(operand, x));
    if ((e.op_type == "Add" || e.op_type == "Mul") && random_() % 2 == 0)
      std::swap(operands[0], operands[1]);
    return node(fmt::format("{}({})", e.op_type, fmt::join(operands, ", ")));
  }

  const std::vector<std::string> unary_ = {"Relu", "Neg", "Abs", "Sin", "Tanh"};
  std::mt19937 random_;
  std::vector<std::string> values_ = {"x"};
  std::string constants_, nodes_;
  int count_ = 0;
};

TEST(AdviceSlow, EditsLeaveTheOutputsOfRandomGraphsAsTheyAre) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  std::vector<const rewrite::Rule*> all;
  for (const rewrite::Rule& rule : rewrite::rules()) all.push_back(&rule);
  std::set<std::string> applied;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const std::string text = RandomGraph(seed).text();
    SCOPED_TRACE(text);
    const session::testing::ModelFile opened(text, "random");
    const session::Workbench bench =
        must(session::make_workbench(opened.path, opened.spec, opened.environment));
    const session::Point point = session::points_of(opened.spec).at(0);
    const analysis::Resolved before = must(bench.resolve(point));
    const analysis::Resolved after = must(rewrite::rewritten(before, all));
    for (const rewrite::Rule* rule : all) {
      if (!rule->find(before).empty()) applied.insert(rule->name);
      if (rule->kind == "unfused_pattern") {
        EXPECT_TRUE(rule->find(after).empty()) << rule->name;
      }
    }
    const ModelWork own = model_work(before), left = model_work(after);
    EXPECT_LE(own.inputs.bytes, left.inputs.bytes);
    EXPECT_LE(own.outputs.bytes, left.outputs.bytes);
    const OutputDifference d = must(compare_outputs(column(bench, before), column(bench, after)));
    EXPECT_LE(d.max_rel, kMaxDifference);
  }
  EXPECT_GE(applied.size(), 10U);  // most rules were tried
}

const Finding* find_finding(const Advice& advice, const std::string& id) {
  const auto found = std::ranges::find(advice.findings, id, &Finding::id);
  return found == advice.findings.end() ? nullptr : &*found;
}

TEST(AdviceSlow, WhatIsLeftAloneIsSaid) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const auto text = [](std::string_view body) {
    return fmt::format(R"(graph main
    input x[64] c:bool[]
    reals one=1
    If(c) {{then_branch=graph:yes else_branch=graph:no}} -> y
    output y
    graph yes
    {}
    output z
    graph no
    Abs(x) -> w
    output w)",
                       body);
  };
  // A SiLU that a rule would find in the main graph.
  const session::testing::ModelFile model(
      text("Neg(x) -> n\n    Exp(n) -> e\n    Add(e, one) -> s\n    Div(x, s) -> z"), "body");
  const Advice advice =
      must(advise({.model = model.path, .spec = model.spec}, model.environment)).advice;
  EXPECT_EQ(find_finding(advice, "silu"), nullptr);
  EXPECT_EQ(std::ranges::count(
                advice.notes,
                "no edit was looked for in 5 nodes: in bodies of control flow and functions, or of "
                "operator sets other than ai.onnx"),
            1);
}

TEST(AdviceSlow, AChainWithInsertedKernelsHasNoBranches) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  // Each Softmax demands the plain layout, so that reorders stand between it and convolutions.
  const session::testing::ModelFile model(R"(graph main
    input x[1,16,32,32]
    constant w1[16,16,3,3] w2[16,16,3,3] w3[16,16,3,3]
    Conv(x, w1) -> a
    Softmax(a) -> b
    Conv(b, w2) -> c
    Softmax(c) -> d
    Conv(d, w3) -> y
    output y)",
                                          "reorders");
  const Advised done = must(advise({.model = model.path, .spec = model.spec}, model.environment));
  EXPECT_GE(std::ranges::count_if(done.run.layers, &profile::Layer::inserted), 4);
  ASSERT_TRUE(done.advice.achievable.scheduled_ns);
  EXPECT_DOUBLE_EQ(*done.advice.achievable.scheduled_ns, done.advice.measured_ns.value);
  EXPECT_EQ(find_finding(done.advice, "branches"), nullptr);
}

TEST(AdviceSlow, AnEditThatLeavesAsManyKernelsIsNoted) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  // The runtime fuses this form, 1 / sqrt(v), by itself.
  const auto document = graph::Sketch::document(R"(graph main
    input x[1,16,256]
    constant g[256]
    reals two=2 one=1 eps=0.00001
    integers last[1]=-1
    Tanh(x) -> s
    Pow(s, two) -> p
    ReduceMean(p, last) -> v
    Add(v, eps) -> e
    Sqrt(e) -> r
    Div(one, r) -> i
    Mul(s, i) -> q
    Mul(g, q) -> n
    Tanh(n) -> y
    output y)");
  std::vector<onnx::OperatorSet> opsets = {{"", 23}};
  document->model.opsets = document->arena.copy(opsets);
  session::testing::ModelFile model("graph main\ninput x[1]\nTanh(x) -> y\noutput y", "rms");
  must(onnx::write_file(*document, model.path));
  const Advice advice =
      must(advise({.model = model.path, .spec = model.spec}, model.environment)).advice;
  EXPECT_EQ(find_finding(advice, "rms_normalization"), nullptr);
  EXPECT_EQ(
      std::ranges::count(advice.notes,
                         "'rms_normalization' is not offered: with it 1 RMSNormalization of 2 "
                         "inputs runs instead of 1 SimplifiedLayerNormalization of 2 inputs, "
                         "as many kernels, and no gain is predicted"),
      1)
      << fmt::format("{}", fmt::join(advice.notes, "\n"));
}

TEST(Advice, WeightsOfOtherFilesLieBesideTheCopy) {
  const std::string folder = ::testing::TempDir() + "ridge-advice-beside/";
  std::filesystem::create_directories(folder);
  const std::string path = folder + "model.onnx", better = folder + "better.onnx";
  // The name that the copy's own file would have is taken.
  must(onnx::write_file(*graph::Sketch::document(R"(graph main
    input x[n,64]
    constant w[64,64]
    reals one=1
    MatMul(x, w) -> a
    Neg(a) -> b
    Exp(b) -> e
    Add(e, one) -> s
    Div(a, s) -> y
    output y)"),
                        path,
                        {.weights = onnx::Weights::kExternal, .location = "better.onnx.data"}));
  session::testing::Silent notices;
  const session::Environment environment{machine::this_host(), notices};
  must(apply_advice({.model = path, .spec = {}, .store = {}, .checks = {}}, "silu", better,
                    environment));
  const onnx::Document before = must(onnx::read_file(path)), after = must(onnx::read_file(better));
  const onnx::Tensor& weight = after.model.graph.initializers[0];
  EXPECT_EQ(weight.location, "better.onnx.2.data");
  constexpr std::int64_t kLimit = 1 << 20;
  EXPECT_EQ(must(onnx::load(after, weight, kLimit)),
            must(onnx::load(before, before.model.graph.initializers[0], kLimit)));
  std::filesystem::remove_all(folder);
}

TEST(AdviceSlow, OutputsThatDifferAreNoticed) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const session::testing::ModelFile one("graph main\ninput x[2,3]\nTanh(x) -> y\noutput y", "one");
  const session::testing::ModelFile other("graph main\ninput x[2,3]\nSin(x) -> y\noutput y",
                                          "other");
  const session::Workbench bench =
      must(session::make_workbench(one.path, one.spec, one.environment));
  const session::Workbench second =
      must(session::make_workbench(other.path, other.spec, other.environment));
  const session::Point point = session::points_of(one.spec).at(0);
  const analysis::Resolved before = must(bench.resolve(point));
  const analysis::Resolved after = must(second.resolve(point));
  EXPECT_GT(must(compare_outputs(column(bench, before), column(bench, after))).max_rel, 0.01);
  EXPECT_EQ(must(compare_outputs(column(bench, before), column(bench, before))).max_rel, 0);
}

TEST(AdviceSlow, AnEditIsMeasuredInTurnsAndWritten) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const session::testing::ModelFile opened(R"(graph main
    input x[64,1024]
    reals one=1
    Relu(x) -> a
    Neg(a) -> n
    Exp(n) -> e
    Add(e, one) -> s
    Div(a, s) -> y
    output y)",
                                           "silu");
  const std::string better = ::testing::TempDir() + "ridge-advice-better.onnx";
  const AdviceRequest request{.model = opened.path, .spec = opened.spec, .store = {}, .checks = {}};
  EXPECT_TRUE(apply_advice(request, "silu", better, opened.environment).ok());
  const session::Workbench bench =
      must(session::make_workbench(opened.path, opened.spec, opened.environment));
  const session::Workbench edited =
      must(session::make_workbench(better, opened.spec, opened.environment));
  const session::Point point = session::points_of(opened.spec).at(0);
  const analysis::Resolved before = must(bench.resolve(point)), after = must(edited.resolve(point));
  EXPECT_EQ(after.model().nodes().size(), 3U);
  EXPECT_LE(must(compare_outputs(column(bench, before), column(bench, after))).max_rel,
            kMaxDifference);
  const Check check = must(check_change(column(bench, before), column(bench, after), std::nullopt));
  EXPECT_NE(check.state, CheckState::kLost) << check.reason;
  EXPECT_GT(check.before_ns.value, 0);
  EXPECT_GT(check.after_ns.value, 0);
  std::filesystem::remove(better);
}

}  // namespace
}  // namespace ridge::advice
