// SPDX-License-Identifier: Apache-2.0
// Oracles: traces written out below, whose members are derived by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "import/span_order.h"
#include "import/span_runs.h"
#include "import/testing.h"
#include "import/torch_operators.h"
#include "trace/build_view.h"

namespace ridge::imports {
namespace {

using profile::Profile;

constexpr std::string_view kNetwork = R"(graph main
  input x[1,3,8,8]
  constant w[4,3,1,1] v[4,4,1,1] m[4,5] b[5] h[1]
  /features/features.0/Conv: Conv(x, w) -> c1
  /features/features.1/Relu: Relu(c1) -> r1
  /features/features.2/Conv: Conv(r1, v) -> c2
  /Add: Add(c2, r1) -> s
  /pool/GlobalAveragePool: GlobalAveragePool(s) -> g
  /Reshape: Squeeze(g) -> f
  /head/MatMul: MatMul(f, m) -> p
  /head/Add: Add(b, p) -> q
  /act/Div: Div(q, h) -> d
  /act/Erf: Erf(d) -> e
  /act/Add: Add(e, h) -> i
  /act/Mul: Mul(q, i) -> j
  /act/Mul_1: Mul(j, h) -> y
  output y
)";

/// Trace of consecutive operators of 10 us each.
class Trace {
 public:
  Trace& op(std::string_view name, std::string_view shapes = "") {
    return event("cpu_op", name, at_, 10,
                 shapes.empty() ? "" : "\"Input Dims\": " + std::string(shapes), 20);
  }
  Trace& event(std::string_view cat, std::string_view name, int at, int us,
               const std::string& arguments, int step = 0) {
    text_ += std::string(text_.empty() ? "[" : ",\n") + R"({"ph":"X","cat":")" + std::string(cat) +
             R"(","name":")" + std::string(name) + R"(","pid":1,"tid":1,"ts":)" +
             std::to_string(at) + R"(,"dur":)" + std::to_string(us) + R"(,"args":{)" + arguments +
             "}}";
    at_ += step;
    return *this;
  }
  int at() const { return at_; }
  std::string text() const { return text_ + "]"; }

 private:
  std::string text_;
  int at_ = 0;
};

/// Formats layers with members as "aten::relu: 1e shapes; ...".
std::string joined(const Profile& p) {
  std::string out;
  for (const profile::Layer& l : p.layers) {
    if (l.members.empty()) continue;
    out += l.name + ": " + members(l);
    out += " " + std::string(profile::name(l.members[0].evidence)) + "; ";
  }
  return out;
}

Trace network(bool shapes) {
  const auto of = [&](std::string_view text) { return shapes ? text : std::string_view(); };
  Trace t;
  t.op("aten::conv2d", of("[[1, 3, 8, 8], [4, 3, 1, 1], [], []]"));
  t.op("aten::relu_", of("[[1, 4, 8, 8]]"));
  t.op("aten::conv2d", of("[[1, 4, 8, 8], [4, 4, 1, 1], [], []]"));
  t.op("aten::add", of("[[1, 4, 8, 8], [1, 4, 8, 8], []]"));
  t.op("aten::adaptive_avg_pool2d", of("[[1, 4, 8, 8], []]"));
  t.op("aten::view", of("[[1, 4, 1, 1], []]"));
  t.op("aten::linear", of("[[1, 4], [5, 4], [5]]"));
  t.op("aten::gelu", of("[[1, 5], []]"));
  return t;
}

TEST(TorchJoin, OperatorsStandForTheNodesThatExportersWriteForThem) {
  const auto resolved = resolve(kNetwork);
  for (const bool shapes : {true, false}) {
    EXPECT_EQ(joined(imported(network(shapes).text(), &resolved)),
              fmt::format("aten::conv2d: 0e {0}; aten::relu_: 1e {0}; aten::conv2d: 2e {0}; "
                          "aten::add: 3e {0}; aten::adaptive_avg_pool2d: 4e {0}; "
                          "aten::linear: 6e 7e {0}; aten::gelu: 8e 9e 10e 11e 12e region; ",
                          shapes ? "shapes" : "order"));
  }
}

TEST(TorchJoin, CopiesAroundTheModelDoNotSpeakAgainstIt) {
  const auto resolved = resolve(kNetwork);
  Trace t = network(true);
  t.event("cpu_op", "aten::to", t.at(), 50'000, "")
      .event("cpu_op", "aten::copy_", 60'000, 9000, "");
  const Imported read =
      import_file(Written(t.text()).path(), {.model = model_of(&resolved)}).value();
  EXPECT_TRUE(read.warnings.empty());
  EXPECT_TRUE(says(read.profile, "2 layers with 99.9 % of the time copy, convert or make tensors"));
  // Another operator of that time does.
  Trace other = network(true);
  other.event("cpu_op", "aten::unknown", other.at(), 50'000, "");
  const auto refused = import_file(Written(other.text()).path(), {.model = model_of(&resolved)});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), "RIDGE-IMP-0008");
}

TEST(TorchJoin, WhatIsAmbiguousMatchesNothing) {
  const auto resolved = resolve(kNetwork);
  Trace t;
  t.op("aten::conv2d").op("aten::add").op("aten::add");
  // The traced convolution could be either of the model's, and either traced addition could be its
  // addition.
  const Imported read =
      *import_file(Written(t.text()).path(),
                   {.model = model_of(&resolved), .unmatched = ImportOptions::Unmatched::kAllowed});
  EXPECT_EQ(joined(read.profile), "");
}

TEST(TorchJoin, ShapesThatAreNotTheModelsMatchNothing) {
  const auto resolved = resolve(kNetwork);
  Trace t;
  t.op("aten::conv2d", "[[8, 3, 8, 8], [4, 3, 1, 1], []]").op("aten::relu", "[[8, 4, 8, 8]]");
  t.op("aten::linear", "[[1, 4], [5, 4], [5]]");
  const Profile p = imported(t.text(), &resolved);
  EXPECT_EQ(joined(p), "aten::linear: 6e 7e shapes; ");
  EXPECT_TRUE(says(p,
                   "recorded shapes are not the model's: aten::conv2d read 8x3x8x8, node "
                   "'/features/features.0/Conv' reads 1x3x8x8"));
}

TEST(TorchJoin, AModulesPathTellsWhichNode) {
  const auto resolved = resolve(kNetwork);
  Trace t;
  t.event("user_annotation", "features.2", 0, 15, "").op("aten::conv2d");
  const Profile p = imported(t.text(), &resolved);
  EXPECT_EQ(joined(p), "aten::conv2d: 2e renamed; ");
  EXPECT_EQ(module_path("TOP(Net)::forward.features(Sequential)::forward.2(Conv2d)::forward"),
            "features.2");
  EXPECT_EQ(module_path("features/features.2"), "features.2");
}

TEST(TorchJoin, AModuleThatWouldBeSeveralOfTheModelMakesItAGuess) {
  const auto resolved = resolve(kNetwork);
  Trace t;
  const std::string shapes[] = {"[[1, 3, 8, 8], [4, 3, 1, 1]]", "[[1, 4, 8, 8], [4, 4, 1, 1]]"};
  for (const std::string& s : shapes) {
    t.event("python_function", "nn.Module: Conv2d_0", t.at(), 15, "");
    t.op("aten::conv2d", s);
  }
  const Profile p = imported(t.text(), &resolved);
  EXPECT_EQ(joined(p), "aten::conv2d: 0e guess; aten::conv2d: 2e guess; ");
}

TEST(TorchJoin, OperatorsThatRepeatAreRuns) {
  const auto resolved = resolve(kNetwork);
  std::string text;
  Trace t;
  for (int run = 0; run < 3; ++run)
    for (const char* name : {"aten::conv2d", "aten::relu", "aten::conv2d", "aten::linear"})
      t.op(name);
  Profile p = imported(t.text(), &resolved);
  ASSERT_EQ(p.layers.size(), 4U);
  EXPECT_EQ(joined(p),
            "aten::conv2d: 0e order; aten::relu: 1e order; aten::conv2d: 2e order; "
            "aten::linear: 6e 7e order; ");
  EXPECT_EQ(p.layers[0].runs_ns, (std::vector<std::int64_t>{10'000, 10'000, 10'000}));
  EXPECT_TRUE(says(p, "per run of 3 runs, told by the operators that repeat"));
  EXPECT_EQ(trace::build_view(p).runs.size(), 3U);
}

TEST(TorchJoin, StepsWithOtherOperatorsAreLeftOut) {
  const auto resolved = resolve(kNetwork);
  Trace t;
  for (int run = 0; run < 3; ++run) {
    t.event("Operator", "ProfilerStep#" + std::to_string(run), t.at(), 100, "");
    t.op("aten::conv2d").op("aten::relu").op(run == 1 ? "aten::mul" : "aten::conv2d");
    t.event("cpu_op", "aten::linear", t.at(), 10, "", 100);
  }
  const Profile p = imported(t.text(), &resolved);
  EXPECT_EQ(p.layers.size(), 4U);
  EXPECT_EQ(p.layers[0].runs_ns.size(), 2U);
  EXPECT_TRUE(says(p, "1 step left out: other operators ran than in most"));
}

TEST(ImportKineto, OperatorsInOperatorsCountOnce) {
  Trace t;
  for (int run = 0; run < 2; ++run) {
    t.event("user_annotation", "ProfilerStep#" + std::to_string(run), 1000 * run, 900, "");
    t.event("cpu_op", "aten::conv2d", 1000 * run + 10, 100, "");
    t.event("cpu_op", "aten::convolution", 1000 * run + 20, 80, "");
    t.event("cpu_op", "aten::mkldnn_convolution", 1000 * run + 25, 70, "");
    t.event("cpu_op", "aten::relu", 1000 * run + 200, 30, "");
  }
  Profile p = imported(t.text(), nullptr);
  const trace::View view = trace::build_view(p);
  double sum = 0;
  std::string names;
  for (const trace::KernelRow& k : view.kernels) {
    sum += k.time_ns;
    names += k.name + " " + std::to_string(static_cast<int>(k.time_ns)) + ", ";
  }
  EXPECT_EQ(sum, 130'000);
  EXPECT_EQ(names,
            "aten::conv2d 20000, aten::relu 30000, aten::convolution 10000, "
            "aten::mkldnn_convolution 70000, ");
}

TEST(ImportKineto, QueriesGiveAKernelToTheOperatorThatTheTableGivesItTo) {
  Trace t;
  t.event("cpu_op", "aten::mm", 0, 20, "\"External id\": 1");
  t.event("cpu_op", "aten::add", 30, 100, "\"External id\": 2");
  // Launched by the first operator while the second is open.
  t.event("kernel", "gemm", 40, 7, "\"device\": 0, \"stream\": 7, \"External id\": 1");
  Profile p = imported(t.text(), nullptr);
  ASSERT_EQ(p.layers.size(), 1U);
  EXPECT_EQ(p.layers[0].name, "aten::mm");
  const trace::View view = trace::build_view(p);
  EXPECT_EQ(view.layers[0].kernel_ns, 7000);
}

TEST(ImportKineto, DevicesOfUnknownCategoriesAreKeptAndNamed) {
  Trace t;
  t.op("aten::mm");
  t.event("npu_task", "matmul_task", 100, 7, "\"stream\": 3").event("odd", "what", 5, 1, "");
  const Profile p = imported(t.text(), nullptr);
  ASSERT_EQ(p.layers.size(), 1U);
  EXPECT_EQ(p.layers[0].name, "matmul_task");
  EXPECT_EQ(p.layers[0].corrected_ns, 7000);
  EXPECT_TRUE(says(p, "1 span of devices of other categories: npu_task (1)"));
  EXPECT_TRUE(says(p, "1 span of other categories left out: odd (1)"));
}

std::string rank(int number, int us, bool last) {
  std::string out =
      "{\"distributedInfo\": {\"backend\": \"nccl\", \"rank\": " + std::to_string(number) +
      "}, \"traceEvents\": ";
  Trace t;
  for (int run = 0; run < 2; ++run) {
    const int at = 1000 * run;
    t.event("user_annotation", "ProfilerStep#" + std::to_string(run), at, 900, "");
    t.event("cpu_op", "aten::mm", at + 10, 20, "\"External id\": 5");
    t.event("cuda_runtime", "cudaLaunchKernel", at + 12, 3,
            "\"correlation\": " + std::to_string(run + 1));
    t.event("kernel", "gemm", at + 50, us,
            "\"device\": 0, \"stream\": 7, \"correlation\": " + std::to_string(run + 1));
    if (last) t.event("kernel", "ncclAllReduce", at + 200, 30, "\"device\": 0, \"stream\": 9");
  }
  return out + t.text() + "}";
}

TEST(ImportKineto, RanksAreProcessesOfOneProfile) {
  const Written first(rank(0, 40, false));
  const std::string second = first.path() + "_1";
  std::ofstream(second) << rank(1, 60, true);
  Profile p = std::move(import_file(first.path(), {.further = {second}}).value().profile);
  std::filesystem::remove(second);
  ASSERT_EQ(p.layers.size(), 2U);
  // Two steps per rank; ids are separate per rank.
  EXPECT_EQ(p.layers[0].runs_ns, (std::vector<std::int64_t>{40'000, 40'000, 60'000, 60'000}));
  EXPECT_EQ(p.layers[0].corrected_ns, 50'000);
  EXPECT_EQ(p.layers[1].corrected_ns, 30'000);  // only the rank that runs it
  EXPECT_TRUE(says(p, "not every process runs every layer"));
  EXPECT_TRUE(says(p, "rank 0 0.040 ms (30.8 %), rank 1 0.090 ms (69.2 %)"));
  const trace::View view = trace::build_view(p);
  ASSERT_EQ(view.kernels.size(), 3U);
  EXPECT_EQ(view.kernels[0].device, "rank 0: 0");
  EXPECT_EQ(view.kernels[1].device, "rank 1: 0");
}

TEST(SpanRuns, ASequenceHasThePeriodOfItsParts) {
  EXPECT_EQ(period_of({1, 2, 1, 2, 1, 2}), 2U);
  EXPECT_EQ(period_of({1, 2, 1, 2, 1}), 5U);
  EXPECT_EQ(period_of({4, 4, 4}), 1U);
  EXPECT_EQ(period_of({}), 0U);
}

TEST(SpanOrder, ShapesAreListsOfNumbersHoweverDeep) {
  using Shapes = std::vector<std::vector<std::int64_t>>;
  EXPECT_EQ(parse_shapes("[[1, 3], [], [[2], [3, 4]]]"), (Shapes{{1, 3}, {}, {2}, {3, 4}}));
  EXPECT_EQ(parse_shapes("[]"), Shapes{});
  EXPECT_EQ(parse_shapes("[[1, x], [2]]"), Shapes{});
}

}  // namespace
}  // namespace ridge::imports
