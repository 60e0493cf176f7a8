// SPDX-License-Identifier: Apache-2.0
// Evaluations that a store has are not repeated, and evaluations of a lock are the same again.
#include "evaluation/run/recorder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>

#include "attribution/testing.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "evaluation/record/document.h"
#include "evaluation/run/evaluation.h"
#include "evaluation/testing.h"
#include "pipeline/step_text.h"
#include "session/testing.h"

namespace ridge::evaluation {
namespace {

using attribution::testing::must;
using attribution::testing::runtime_installed;
using scenario::Kind;
using store::Access;
using store::Store;
using testing::Images;

/// Keeps the lines of notices.
class KeptLines : public session::Notices {
 public:
  void warn(std::string_view, std::string_view) override {}
  void failed(const Error& error) override { ADD_FAILURE() << error.text(); }
  void status(std::string_view line) override { text += std::string(line) + "\n"; }
  std::string take() { return std::exchange(text, ""); }
  std::string text;
};

struct StoreBench {
  TemporaryFolder folder = must(TemporaryFolder::make(::testing::TempDir()));
  session::testing::ModelFile model{testing::kBrighterRow, "keeper"};
  KeptLines lines;
  session::Environment environment{.host = machine::this_host(), .notices = lines};
  std::string path = folder.path() + "/runs.db";
  Store store = must(Store::open(path, Access::kCreate));

  EvaluationRequest load() {
    EvaluationRequest out{.model = model.path, .spec = model.spec};
    out.spec.runtimes = {"null"};
    out.scenario = {.kind = Kind::kServer,
                    .arrivals = scenario::Poisson{.rate = 5'000},
                    .min_duration = Nanos{0},
                    .min_queries = 300};
    out.bound = scenario::LatencyBound{0.9, 10'000'000'000};
    return out;
  }
  Result<Evaluation> run(const EvaluationRequest& request) {
    return evaluate(request, environment, {.store = &store});
  }
};

std::string document_of(const Evaluation& e) {
  StringSink sink;
  write_evaluation(e, sink);
  return sink.text();
}

TEST(EvaluationRecorder, WhatTheStoreHasIsNotEvaluatedAgain) {
  StoreBench bench;
  const Evaluation first = must(bench.run(bench.load()));
  EXPECT_EQ(bench.lines.take(), "1 point\nstored as evaluation 1 in " + bench.path + "\n");
  const Evaluation second = must(bench.run(bench.load()));
  EXPECT_EQ(bench.lines.take(), "1 point, 1 of them already in " + bench.path + "\n");
  EXPECT_EQ(nlohmann::json::parse(document_of(second)), nlohmann::json::parse(document_of(first)));
  const EvaluatedPoint &a = first.points.at(0), &b = second.points.at(0);
  EXPECT_EQ(b.runtime_name, "null");
  EXPECT_EQ(b.figures.queries, a.figures.queries);
  EXPECT_EQ(b.figures.completed.per_s, a.figures.completed.per_s);
  EXPECT_EQ(b.figures.latency.mean_ns, a.figures.latency.mean_ns);
  ASSERT_EQ(b.figures.latency.percentiles.size(), a.figures.latency.percentiles.size());
  for (std::size_t i = 0; i < a.figures.latency.percentiles.size(); ++i) {
    EXPECT_DOUBLE_EQ(b.figures.latency.percentiles[i].share,
                     a.figures.latency.percentiles[i].share);
    EXPECT_EQ(b.figures.latency.percentiles[i].value_ns, a.figures.latency.percentiles[i].value_ns);
    EXPECT_EQ(b.figures.latency.percentiles[i].interval.has_value(),
              a.figures.latency.percentiles[i].interval.has_value());
  }
  EXPECT_EQ(b.figures.within->value, a.figures.within->value);
  EXPECT_EQ(b.validity.state, a.validity.state);
  EXPECT_EQ(b.validity.reasons, a.validity.reasons);
  EXPECT_EQ(bench.store.evaluations()->size(), 1U);
}

TEST(EvaluationRecorder, AMixIsAnotherPointWhereAnotherOfItsModelsChanged) {
  StoreBench bench;
  const session::testing::ModelFile other(testing::kBrighterRow, "keeper-other");
  EvaluationRequest request = bench.load();
  request.mix = {other.path};
  request.scenario.mix = {0.25};
  const Evaluation first = must(bench.run(request));
  bench.lines.take();
  const Evaluation second = must(bench.run(request));
  EXPECT_EQ(bench.lines.take(), "1 point, 1 of them already in " + bench.path + "\n");
  EXPECT_EQ(nlohmann::json::parse(document_of(second)), nlohmann::json::parse(document_of(first)));
  const std::vector<ModelFigures>&a = first.points.at(0).models, &b = second.points.at(0).models;
  ASSERT_EQ(a.size(), 2U);
  ASSERT_EQ(b.size(), 2U);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(b[i].model, a[i].model);
    EXPECT_EQ(b[i].share, a[i].share);
    EXPECT_EQ(b[i].samples, a[i].samples);
    EXPECT_EQ(b[i].figures.queries, a[i].figures.queries);
    EXPECT_EQ(b[i].figures.completed.per_s, a[i].figures.completed.per_s);
    EXPECT_EQ(b[i].figures.latency.percentiles.at(0).value_ns,
              a[i].figures.latency.percentiles.at(0).value_ns);
  }
  const session::testing::ModelFile changed(R"(graph main
    input x[1,4]
    Relu(x) -> y
    output y)",
                                            "keeper-changed");
  ASSERT_TRUE(write_file(other.path, must(read_file(changed.path, 1 << 20))).ok());
  ASSERT_TRUE(bench.run(request).ok());
  EXPECT_EQ(bench.lines.take(), "1 point\nstored as evaluation 2 in " + bench.path + "\n");
}

TEST(EvaluationRecorder, WhatIsListedIsThatOfTheDocument) {
  StoreBench bench;
  const Evaluation e = must(bench.run(bench.load()));
  const store::EvaluationRow row = must(bench.store.evaluations()).at(0);
  EXPECT_EQ(row.record.model, bench.model.path);
  EXPECT_EQ(row.record.model_sha256, e.lock.model.sha256);
  EXPECT_EQ(row.record.scenario, "server");
  EXPECT_EQ(row.record.runtime, "null");
  EXPECT_EQ(row.record.queries_per_s.value, e.points[0].figures.completed.per_s);
  EXPECT_EQ(row.record.median_ns.value,
            static_cast<double>(e.points[0].figures.latency.percentiles[0].value_ns));
  EXPECT_TRUE(std::isnan(row.record.top1.value));
  EXPECT_EQ(row.record.validity, word(e.points[0].validity.state));
  EXPECT_EQ(must(bench.store.evaluation(1)).document, document_of(e));
}

TEST(EvaluationRecorder, AnotherSettingIsAnotherPoint) {
  StoreBench bench;
  ASSERT_TRUE(bench.run(bench.load()).ok());
  EvaluationRequest other = bench.load();
  ++other.scenario.seed;
  ASSERT_TRUE(bench.run(other).ok());
  EXPECT_EQ(bench.store.evaluations()->size(), 2U);
  bench.lines.take();
  ASSERT_TRUE(bench.run(other).ok());
  EXPECT_EQ(bench.lines.take(), "1 point, 1 of them already in " + bench.path + "\n");
}

TEST(EvaluationRecorder, ALoadWhoseRuntimeEndedIsEvaluatedAgain) {
  StoreBench bench;
  EvaluationRequest request = bench.load();
  request.spec.runtime_options = {{"ridge.crash_after", "50"}};
  const Evaluation e = must(bench.run(request));
  EXPECT_NE(e.points.at(0).load.failure, "");
  bench.lines.take();
  ASSERT_TRUE(bench.run(request).ok());
  EXPECT_EQ(bench.lines.take(), "1 point\nstored as evaluation 2 in " + bench.path + "\n");
}

TEST(EvaluationRecorder, APointThatIsNoneIsRefusedWithTheWayOut) {
  StoreBench bench;
  ASSERT_TRUE(bench.run(bench.load()).ok());
  {
    const auto db = store::Database::open(bench.path, Access::kWrite, Nanos{0});
    ASSERT_TRUE(db->run("UPDATE evaluation SET document = replace(document, '\"failed\":0', "
                        "'\"failed\":\"no\"')")
                    .ok());
  }
  EXPECT_EQ(bench.run(bench.load()).error().text(),
            "error: " + bench.path +
                ": the store is damaged\n"
                "  evaluation 1 is not what was stored: its digest differs\n"
                "  hint: restore the file from a backup, or: ridge runs delete " +
                bench.path + " evaluation:1\n  [RIDGE-STORE-0004]\n");
}

TEST(EvaluationReader, RefusesWhatIsNoDocument) {
  EXPECT_EQ(read_evaluation("[").error().code(), "RIDGE-REC-0001");
  EXPECT_EQ(read_evaluation("{}").error().text(),
            "error: key 'schema' is missing\n  [RIDGE-REC-0004]\n");
  EXPECT_EQ(read_evaluation(R"({"schema": "ridge.evaluation/2"})").error().text(),
            "error: the document is ridge.evaluation/2, newer than ridge.evaluation/1\n"
            "  hint: read it with a newer ridge\n  [RIDGE-REC-0005]\n");
}

/// The evaluation of a lock as text.
Result<Evaluation> repeated(const std::string& lock, const session::Environment& environment,
                            DifferentContent different = DifferentContent::kRefuse) {
  const manifest::Lock locked = must(manifest::read_lock(lock));
  return evaluate(must(request_of(locked)), environment,
                  {.locked = &locked, .different = different});
}

TEST(EvaluationRecorderSlow, ARepeatedAccuracyPredictsTheSame) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  StoreBench bench;
  const Images images("2\n0\n1\n0\n2\n");
  EvaluationRequest request = testing::accuracy_of(bench.model, images);
  const Evaluation e = must(evaluate(request, bench.environment));
  const std::string lock = manifest::to_toml(e.lock);
  const Evaluation again = must(repeated(lock, bench.environment));
  EXPECT_EQ(bench.lines.take(), "");
  EXPECT_EQ(again.points.at(0).accuracy->predicted, e.points.at(0).accuracy->predicted);
  EXPECT_EQ(again.points.at(0).accuracy->top1->value, 0.8);
  EXPECT_EQ(manifest::to_toml(again.lock), lock);

  // Another label: the predictions would be the same, the evaluation is another one.
  ASSERT_TRUE(write_file(images.labels, "2\n0\n1\n1\n2\n").ok());
  const std::string before = e.lock.labels.sha256;
  EXPECT_EQ(repeated(lock, bench.environment).error().code(), "RIDGE-WB-0162");
  EXPECT_TRUE(bench.lines.take().starts_with("SHA-256 of the labels: " + before + " then, "));
  const Evaluation allowed = must(repeated(lock, bench.environment, DifferentContent::kAllow));
  EXPECT_EQ(allowed.points.at(0).accuracy->top1->value, 1);
}

TEST(EvaluationRecorderSlow, ALockOfAnotherRuntimeLibraryIsRefused) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  StoreBench bench;
  const Images images("2\n0\n1\n0\n2\n");
  const Evaluation e = must(evaluate(testing::accuracy_of(bench.model, images), bench.environment));
  manifest::Lock lock = e.lock;
  ASSERT_EQ(lock.runtimes.size(), 1U);
  EXPECT_EQ(lock.runtimes[0].sha256.size(), 64U);
  lock.runtimes[0].sha256 = "0";
  lock.host[0].value = "elsewhere";
  EXPECT_EQ(repeated(manifest::to_toml(lock), bench.environment).error().code(), "RIDGE-WB-0162");
  const std::string lines = bench.lines.take();
  EXPECT_NE(lines.find("SHA-256 of the library of ort: 0 then, "), std::string::npos) << lines;
  EXPECT_NE(lines.find("elsewhere then, "), std::string::npos) << lines;
}

}  // namespace
}  // namespace ridge::evaluation
