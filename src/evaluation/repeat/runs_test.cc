// SPDX-License-Identifier: Apache-2.0
// Runs of documents as evaluations write them, and what no comparison can take.
#include "evaluation/repeat/runs.h"

#include <gtest/gtest.h>

#include "attribution/testing.h"
#include "evaluation/record/document.h"
#include "pipeline/step_text.h"
#include "scenario/describe.h"

namespace ridge::evaluation {
namespace {

using attribution::testing::must;
using compare::EvaluationRun;

Evaluation two_samples() {
  Evaluation e{.model = "m", .graph_hash = "g", .host = "h", .ridge = "1"};
  e.load = true;
  e.scenario.kind = scenario::Kind::kServer;
  e.data.emplace();
  e.data->of.source = "d";
  e.data->of.steps = must(pipeline::parse_steps("decode(rgb)"));
  e.data->names = {"a", "b"};
  e.data->times = {.steps = {{"read", 3}, {"decode(rgb)", 2.5}}, .samples_ns = {5, 6}};
  EvaluatedPoint& p = e.points.emplace_back();
  p.runtime = {.name = "ONNX Runtime", .version = "1", .library = "l", .notes = {}};
  p.threads = 2;
  p.under_load = true;
  p.scenario.kind = scenario::Kind::kServer;
  p.scenario.arrivals = scenario::Poisson{.rate = 7.5};
  p.accuracy = {.samples = 2,
                .classes = 5,
                .metrics = {{"top1", {.value = 0.5, .interval = stats::Interval{0.1, 0.9}}}},
                .predicted = {3, 4},
                .correct = {1, 0},
                .class_names = {{3, "cat"}}};
  p.figures.latency.percentiles = {{.share = 0.99, .value_ns = 8}};
  p.figures.completed = {.per_s = 9, .interval = stats::Interval{8, 10}};
  p.lock.data.sha256 = "ab";
  return e;
}

std::string document_text(const Evaluation& e) {
  StringSink sink;
  write_evaluation(e, sink);
  return sink.text();
}

std::vector<EvaluationRun> written_runs(const Evaluation& e) {
  return must(runs_of(must(read_evaluation(document_text(e))), "base"));
}

TEST(EvaluationRuns, HaveWhatTheDocumentHas) {
  const std::vector<EvaluationRun> runs = written_runs(two_samples());
  ASSERT_EQ(runs.size(), 1U);
  const EvaluationRun& run = runs[0];
  EXPECT_EQ(run.label, "base");
  EXPECT_EQ(run.runtime, "ONNX Runtime");
  EXPECT_EQ(run.threads, 2);
  EXPECT_EQ(run.scenario, "server");
  EXPECT_EQ(run.queries_per_s, 7.5);
  EXPECT_EQ(run.data, "d");
  EXPECT_EQ(run.steps, "decode(rgb)");
  EXPECT_EQ(run.data_sha256, "ab");
  EXPECT_EQ(run.samples, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(run.predicted, (std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(run.correct, (std::vector<std::uint8_t>{1, 0}));
  EXPECT_EQ(run.prepare_ns, (std::vector<double>{5, 6}));
  EXPECT_EQ(run.class_text(3), "3 cat");
  EXPECT_EQ(run.class_text(4), "4");
  EXPECT_DOUBLE_EQ(run.metrics.at(0).figure.interval->hi, 0.9);
  EXPECT_DOUBLE_EQ(run.latency_at(99)->value, 8);
  EXPECT_EQ(run.latency_at(50), nullptr);
  EXPECT_DOUBLE_EQ(run.completed_per_s->value, 9);
  EXPECT_EQ(run.validity, "valid");
}

TEST(EvaluationRuns, OfAccuracyAloneHaveNoLoad) {
  Evaluation e = two_samples();
  e.load = e.points[0].under_load = false;
  const EvaluationRun run = written_runs(e).at(0);
  EXPECT_EQ(run.scenario, "");
  EXPECT_EQ(run.validity, "");
  EXPECT_TRUE(run.latency.empty());
  EXPECT_FALSE(run.completed_per_s);
}

TEST(EvaluationRuns, OfSeveralRuntimesAreNamedAfterThem) {
  Evaluation e = two_samples();
  e.points.push_back(e.points[0]);
  e.points[1].runtime.name = "null";
  const std::vector<EvaluationRun> runs = written_runs(e);
  EXPECT_EQ(runs.at(0).label, "base ONNX Runtime");
  EXPECT_EQ(runs.at(1).label, "base null");
}

std::string refused_run(Evaluation e) {
  const auto runs = runs_of(std::move(e), "x");
  return runs.ok() ? "" : runs.error().message();
}

TEST(EvaluationRuns, RefuseListsThatDoNotFit) {
  Evaluation e = two_samples();
  e.data->names = {"a", "a"};
  EXPECT_EQ(refused_run(e),
            "it is no document of an evaluation: it lacks samples of different "
            "names");
  e = two_samples();
  e.data->times.samples_ns = {5};
  EXPECT_EQ(refused_run(e),
            "it is no document of an evaluation: it lacks as many times as samples");
  e = two_samples();
  e.points[0].accuracy->predicted = {1};
  EXPECT_EQ(refused_run(e),
            "it is no document of an evaluation: it lacks as many answers as samples");
  e = two_samples();
  e.points.clear();
  EXPECT_EQ(refused_run(e), "it is no document of an evaluation: it lacks a runtime");
}

TEST(EvaluationDocument, OtherDocumentsAreRefused) {
  const auto refused = [](const std::string& text) {
    const Result<Evaluation> read = read_evaluation(text);
    return read.ok() ? "" : read.error().text();
  };
  EXPECT_EQ(refused(R"({"schema": "ridge.profile/7"})"),
            "error: the document is 'ridge.profile/7', ridge.evaluation/1 expected\n"
            "  [RIDGE-REC-0005]\n");
  std::string text = document_text(two_samples());
  const std::size_t at = text.find("\"correct\":[1,0]");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 15, "\"correct\":[1,2]");
  EXPECT_EQ(refused(text),
            "error: points[0].accuracy.correct[1]: integer from 0 to 1 expected, got 2\n"
            "  [RIDGE-REC-0002]\n");
}

/// A document that is read has all that is written.
TEST(EvaluationDocument, ComesBackAsItWas) {
  Evaluation e = two_samples();
  EvaluatedPoint& p = e.points[0];
  e.bound = scenario::LatencyBound{0.999, 15};
  e.scenario.batching = {.most = 8, .wait = Nanos{2}, .sizes = {}};
  e.sizes["batch"] = {4, true};
  p.peak = scenario::Peak{.rate = 3, .estimate = 3.5, .undecided = true, .probes = {{}}};
  p.divergence = {{.output = "y", .kind = accuracy::Outputs::kLogits, .differ = {1}}};
  p.outputs = {{.output = "y", .path = "/y.npy", .sha256 = "cd"}, {.output = "z"}};
  p.mlperf = MlperfFigures{.folder = "logs", .valid = true, .reasons = {"r"}, .notes = {"n"}};
  p.mlperf->audit = AuditVerdict{.audit = Audit::kTest04, .in_ns = true, .first = 2, .second = 3};
  p.figures.queries = 9;
  p.figures.within = scenario::Share{0.5, {}};
  p.figures.warming = {4, 5};
  p.figures.batches = scenario::BatchCounts{
      .mean = 1.5, .most = 2, .counts = {{1, 3}, {2, 3}}, .sessions = {{2, 4096}}};
  p.models = {{.model = "m", .share = 0.25, .samples = 3}};
  p.lock.options = {{"lanes", "1", {}}};
  p.lock.pipeline.before = {{"decode(rgb)"}};
  p.validity = {scenario::State::kUndecided, {"too few"}};
  const std::string text = document_text(e);
  EXPECT_EQ(document_text(must(read_evaluation(text))), text);
}

TEST(EvaluationDocument, KeepsNameAndMeanRateOfTheArrivals) {
  const scenario::ArrivalProcess processes[] = {
      scenario::Constant{0.1}, scenario::Poisson{0.3}, scenario::Gamma{1e-6, 0.5},
      scenario::Bursty{100, 500, 0.9, 0.1},
      scenario::Replay{.times_ns = {0, 3, 7'000'000'001}, .speed = 0.7, .rounds = 2}};
  for (const scenario::ArrivalProcess& process : processes) {
    Evaluation e = two_samples();
    e.scenario.kind = scenario::Kind::kServer;
    e.load = true;
    e.scenario.arrivals = process;
    const std::string text = document_text(e);
    EXPECT_NE(text.find("\"arrivals\":\"" + std::string(name(process))), std::string::npos) << text;
    EXPECT_EQ(document_text(must(read_evaluation(text))), text);
  }
}

}  // namespace
}  // namespace ridge::evaluation
