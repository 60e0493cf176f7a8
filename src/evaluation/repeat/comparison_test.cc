// SPDX-License-Identifier: Apache-2.0
// Documents as evaluations write them, compared; and differences between the outputs of runtimes
// against sums made here.
#include "evaluation/repeat/comparison.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "attribution/testing.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "evaluation/answers/output_divergence.h"
#include "evaluation/record/document.h"
#include "evaluation/run/evaluation.h"
#include "pipeline/step_text.h"
#include "session/testing.h"

namespace ridge::evaluation {
namespace {

using attribution::testing::must;
using attribution::testing::runtime_installed;
using session::testing::ModelFile;

/// Mean of each row of a 3 x 2 image, as the score of its class.
constexpr std::string_view kComparedRow = R"(graph main
    input x[1,1,3,2]
    integers shape[2]=1,3
    ReduceMean(x) {axes=[3] keepdims=0} -> m
    Reshape(m, shape) -> y
    output y)";

/// Five images of 3 x 2 bytes, of which the brightest rows are 2, 0, 1, 1, 2.
std::string images() {
  std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (5, 3, 2), }";
  header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 11, ' ');
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(header.size() + 1);
  out += '\0';
  out += header + '\n';
  for (const int v :
       {0, 0, 1, 1, 9, 9, 8, 8, 1, 1, 0, 2, 0, 0, 5, 5, 1, 1, 0, 3, 9, 9, 1, 1, 1, 2, 0, 0, 7, 7})
    out += static_cast<char>(v);
  return out;
}

struct ComparedBench {
  TemporaryFolder folder = must(TemporaryFolder::make(::testing::TempDir()));
  session::testing::ModelFile model;

  explicit ComparedBench(std::string_view graph = kComparedRow) : model(graph, "compared") {
    EXPECT_TRUE(write_file(folder.path() + "/images.npy", images()).ok());
    EXPECT_TRUE(write_file(folder.path() + "/labels.txt", "2\n0\n1\n1\n2\n").ok());
  }
  Result<Evaluation> evaluated(std::string_view steps, const std::string& outputs = "") const {
    EvaluationRequest request{.model = model.path, .spec = model.spec, .scenario = {}};
    request.data.source = folder.path() + "/images.npy";
    request.data.labels = folder.path() + "/labels.txt";
    request.data.steps = must(pipeline::parse_steps(steps));
    request.load = false;
    if (!outputs.empty()) request.outputs = folder.path() + "/" + outputs;
    return evaluate(request, model.environment);
  }
  std::string written(const Evaluation& e, const std::string& name) const {
    StringSink sink;
    write_evaluation(e, sink);
    std::string path = folder.path() + "/" + name;
    EXPECT_TRUE(write_file(path, sink.text()).ok());
    return path;
  }
};

TEST(EvaluationComparisonSlow, ReadsWhatEvaluationsWrite) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const ComparedBench bench;
  const std::string base =
      bench.written(must(bench.evaluated("normalize(divide=255) layout(nchw)")), "base.json");
  // Of inverted images the darkest row wins: 0 or 1, 1 or 2, 0, 2, 1.
  const std::string inverted =
      bench.written(must(bench.evaluated("multiply(-1) layout(nchw)")), "inverted.json");
  const auto c = must(compare_documents({{"", base}, {"turned", inverted}}));
  ASSERT_EQ(c.runs.size(), 2U);
  EXPECT_EQ(c.runs[0].label, "base");
  EXPECT_EQ(c.runs[1].label, "turned");
  EXPECT_EQ(c.runs[0].steps, "normalize(divide=255) layout(nchw)");
  const compare::EvaluationDifference& d = c.differences.at(0);
  EXPECT_EQ(d.samples, 5);
  EXPECT_DOUBLE_EQ(d.changed->value, 1);
  EXPECT_EQ(d.accuracy->counts.only_first, 5);
  EXPECT_NEAR(d.accuracy->p_value, 2.0 / 32, 1e-12);
  EXPECT_TRUE(d.prepare);
  EXPECT_TRUE(d.latency.empty());
}

std::array<double, 3> softmax(const std::array<double, 3>& x) {
  const double sum = std::exp(x[0]) + std::exp(x[1]) + std::exp(x[2]);
  return {std::exp(x[0]) / sum, std::exp(x[1]) / sum, std::exp(x[2]) / sum};
}

/// Mean over samples of sum p ln(p / q), from the row means of images(): p scaled by one, q by
/// another factor.
double divergence_of_scales(double first, double second) {
  constexpr double kRows[5][3] = {{0, 1, 9}, {8, 1, 1}, {0, 5, 1}, {1.5, 9, 1}, {1.5, 0, 7}};
  double sum = 0;
  for (const auto& row : kRows) {
    const auto p = softmax({row[0] * first, row[1] * first, row[2] * first});
    const auto q = softmax({row[0] * second, row[1] * second, row[2] * second});
    for (std::size_t i = 0; i < 3; ++i) sum += p[i] * std::log(p[i] / q[i]);
  }
  return sum / 5;
}

TEST(EvaluationComparisonSlow, OutputsThatWereSavedAreCompared) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const ComparedBench bench;
  const Evaluation first = must(bench.evaluated("multiply(1) layout(nchw)", "a"));
  ASSERT_EQ(first.points[0].outputs.size(), 1U);
  const accuracy::OutputFile file = first.points[0].outputs[0];
  EXPECT_EQ(file.path, bench.folder.path() + "/a/ort.0.y.npy");
  const std::string base = bench.written(first, "base.json");
  const std::string half =
      bench.written(must(bench.evaluated("multiply(0.5) layout(nchw)", "b")), "half.json");

  const compare::EvaluationComparison c = must(compare_documents({{"", base}, {"", half}}));
  EXPECT_TRUE(c.notes.empty());
  ASSERT_EQ(c.differences[0].outputs.size(), 1U);
  const accuracy::OutputDivergence& d = c.differences[0].outputs[0];
  EXPECT_EQ(d.output, "y");
  EXPECT_EQ(d.kind, accuracy::Outputs::kLogits);
  EXPECT_EQ(d.figures.samples, 5);
  EXPECT_EQ(d.figures.agreement.value, 1);
  EXPECT_FLOAT_EQ(static_cast<float>(d.figures.largest_absolute.value), 4.5F);
  EXPECT_EQ(d.figures.largest_absolute.sample, 0U);
  EXPECT_EQ(d.figures.largest_absolute.index, 2U);
  EXPECT_NEAR(d.figures.kullback_leibler.value, divergence_of_scales(1, 0.5), 1e-6);

  // Outputs that one of both lacks are named.
  const std::string renamed = bench.folder.path() + "/renamed.json";
  auto document = nlohmann::json::parse(must(read_file(half, 1 << 20)));
  document["points"][0]["outputs"][0]["output"] = "z";
  ASSERT_TRUE(write_file(renamed, document.dump()).ok());
  const compare::EvaluationComparison apart = must(compare_documents({{"", base}, {"", renamed}}));
  EXPECT_TRUE(apart.differences[0].outputs.empty());
  EXPECT_EQ(apart.notes,
            (std::vector<std::string>{"output 'y' is not compared: renamed has none that was saved",
                                      "output 'z' is not compared: base has none that was saved"}));

  // A file that is not the one that was written is not compared; answers still are.
  std::string bytes = must(read_file(file.path, 1 << 20));
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  ASSERT_TRUE(write_file(file.path, bytes).ok());
  const compare::EvaluationComparison changed = must(compare_documents({{"", base}, {"", half}}));
  EXPECT_TRUE(changed.differences[0].outputs.empty());
  EXPECT_TRUE(changed.differences[0].changed);
  ASSERT_EQ(changed.notes.size(), 1U);
  EXPECT_EQ(changed.notes[0], "half: output 'y' is not compared: " + file.path +
                                  ": the file has changed since it was written");
  std::filesystem::remove(file.path);
  const compare::EvaluationComparison gone = must(compare_documents({{"", base}, {"", half}}));
  ASSERT_EQ(gone.notes.size(), 1U);
  EXPECT_NE(gone.notes[0].find("is not compared"), std::string::npos) << gone.notes[0];
}

// Pixels as 16-bit floats in, their row means as 16-bit floats out: all of them exact.
TEST(EvaluationComparisonSlow, ModelsOf16BitFloatsAreJudged) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  std::string graph(kComparedRow);
  graph.replace(graph.find("x["), 2, "x:half[");
  const ComparedBench whole;
  const Evaluation a = must(whole.evaluated("multiply(0.5) layout(nchw)", "a"));
  const ComparedBench half(graph);
  const Evaluation b = must(half.evaluated("multiply(0.5) layout(nchw)", "b"));
  ASSERT_TRUE(b.points[0].accuracy);
  EXPECT_EQ(b.points[0].accuracy->predicted, a.points[0].accuracy->predicted);
  EXPECT_EQ(b.points[0].accuracy->top1->value, 1);
  const auto c =
      must(compare_documents({{"", whole.written(a, "a.json")}, {"", half.written(b, "b.json")}}));
  ASSERT_EQ(c.differences[0].outputs.size(), 1U);
  EXPECT_EQ(c.differences[0].outputs[0].figures.largest_absolute.value, 0);
  EXPECT_EQ(c.differences[0].outputs[0].figures.values, 15);
}

TEST(EvaluationComparisonSlow, FilesThatAreNoDocumentAreNamed) {
  const ComparedBench bench;
  const std::string path = bench.folder.path() + "/labels.txt";
  const auto c = compare_documents({{"", path}, {"", path}});
  ASSERT_FALSE(c.ok());
  EXPECT_EQ(c.error().text(),
            fmt::format("error: {}: line 2, column 1: invalid JSON\n"
                        "  expected end of the text\n"
                        "  hint: write it with: ridge eval MODEL --format json --output FILE\n"
                        "  [RIDGE-REC-0001]\n",
                        path));
}

TEST(EvaluationSlow, TimesEveryStepOfEverySample) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const ComparedBench bench;
  const Evaluation e = must(bench.evaluated("normalize(divide=255) layout(nchw)"));
  ASSERT_TRUE(e.data);
  ASSERT_EQ(e.data->spans.size(), 15U);  // reading and two steps of five samples
  for (std::size_t i = 0; i < 15; ++i) {
    const StepSpan& span = e.data->spans[i];
    EXPECT_EQ(span.sample, i / 3);
    EXPECT_EQ(span.step, static_cast<std::int32_t>(i % 3) - 1);
    EXPECT_LE(span.begin_ns, span.end_ns);
    if (i % 3 > 0) {
      EXPECT_EQ(span.begin_ns, e.data->spans[i - 1].end_ns);
    }
  }
  const Preparation& times = e.data->times;
  EXPECT_EQ(times.samples_ns.size(), 5U);
  EXPECT_EQ(times.samples_ns[1], e.data->spans[5].end_ns - e.data->spans[3].begin_ns);
  EXPECT_EQ(times.steps.at(2).step, "layout(nchw)");
}

SampleOutputs outputs_of(std::vector<float> scores, std::vector<float> box) {
  return {{"scores", {3}, std::move(scores)}, {"box", {1, 2}, std::move(box)}};
}

TEST(OutputDivergence, FindsTheLargestDifferenceAndTheSamplesThatDisagree) {
  OutputRecord record({true, false});
  record.keep(outputs_of({0.5F, 0.3F, 0.2F}, {1, 2}));
  record.keep(outputs_of({0.1F, 0.8F, 0.1F}, {3, 4}));
  OutputComparison other(record);
  ASSERT_TRUE(other.add(0, outputs_of({0.4F, 0.45F, 0.15F}, {1, 2})).ok());
  ASSERT_TRUE(other.add(1, outputs_of({0.1F, 0.8F, 0.1F}, {3, 4.5F})).ok());
  const auto figures = other.figures();
  ASSERT_EQ(figures.size(), 2U);
  EXPECT_EQ(figures[0].kind, accuracy::Outputs::kProbabilities);
  EXPECT_EQ(figures[0].differ, (std::vector<std::size_t>{0}));
  EXPECT_DOUBLE_EQ(figures[0].figures.agreement.value, 0.5);
  const double kl =
      0.5 * std::log(0.5 / 0.4) + 0.3 * std::log(0.3 / 0.45) + 0.2 * std::log(0.2 / 0.15);
  EXPECT_NEAR(figures[0].figures.kullback_leibler.value, kl / 2, 1e-6);
  EXPECT_EQ(figures[1].kind, accuracy::Outputs::kPlain);
  EXPECT_FLOAT_EQ(static_cast<float>(figures[1].figures.largest_absolute.value), 0.5F);
  EXPECT_EQ(figures[1].figures.largest_absolute.sample, 1U);
  EXPECT_EQ(figures[1].figures.largest_absolute.index, 1U);
}

TEST(OutputDivergence, KnowsProbabilitiesByTheGraph) {
  const auto of = [](std::string_view tail) {
    const auto document = graph::Sketch::document(
        fmt::format("graph main\n input x[2,3]\n integers s[2]=2,3\n{}\n output y", tail));
    return probability_outputs(must(graph::Model::build(document)));
  };
  EXPECT_EQ(of(" Softmax(x) -> y"), (std::vector<bool>{true}));
  EXPECT_EQ(of(" Softmax(x) -> p\n Reshape(p, s) -> y"), (std::vector<bool>{true}));
  EXPECT_EQ(of(" Relu(x) -> y"), (std::vector<bool>{false}));
  EXPECT_EQ(of(" Softmax(x) -> p\n Relu(p) -> y"), (std::vector<bool>{false}));
}

}  // namespace
}  // namespace ridge::evaluation
