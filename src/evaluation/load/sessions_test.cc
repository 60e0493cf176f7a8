// SPDX-License-Identifier: Apache-2.0
// Loads with batches, several models and a warm-up, in the null runtime and in ONNX Runtime; and
// models that have no batches.
#include "evaluation/load/sessions.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "attribution/testing.h"
#include "evaluation/record/document.h"
#include "evaluation/run/evaluation.h"
#include "session/testing.h"

namespace ridge::evaluation {
namespace {

using attribution::testing::must;
using attribution::testing::runtime_installed;
using scenario::Kind;
using session::testing::ModelFile;

constexpr std::string_view kFree = R"(graph main
    input x[n,3]
    input y[n,3]
    Add(x, y) -> z
    output z)";
constexpr std::string_view kFixed = R"(graph main
    input x[2,3]
    Relu(x) -> z
    output z)";
constexpr std::string_view kShared = R"(graph main
    input x[n,3]
    input y[n,n]
    MatMul(y, x) -> z
    output z)";

EvaluationRequest batched(const session::testing::ModelFile& model, Kind kind,
                          scenario::Batching batching) {
  return {.model = model.path,
          .spec = model.spec,
          .scenario = {.kind = kind,
                       .arrivals = scenario::Poisson{.rate = 20'000},
                       .batching = std::move(batching),
                       .min_duration = Nanos{0},
                       .min_queries = 200},
          .mix = {},
          .bound = {},
          .data = {}};
}

TEST(EvaluationSessions, RunBatchesOfEachSize) {
  session::testing::ModelFile model(kFree, "free");
  model.spec.runtimes = {"null"};
  model.spec.runtime_options = {{"ridge.service", "constant:200"},
                                {"ridge.service_per_sample", "10"}};
  const Evaluation e = must(
      evaluate(batched(model, Kind::kServer, {.most = 4, .wait = Nanos{1'000'000}, .sizes = {}}),
               model.environment));
  const EvaluatedPoint& p = e.points.at(0);
  EXPECT_EQ(p.figures.queries, 200);
  ASSERT_TRUE(p.figures.batches);
  EXPECT_EQ(p.figures.batches->most, 4U);
  std::int64_t queries = 0;
  for (const auto& [size, count] : p.figures.batches->counts) queries += size * count;
  EXPECT_EQ(queries, 200);
  // A run of n takes 200 us and 10 us for each of its n rows, which the runtime counts.
  for (const scenario::Query& q : p.load.queries) EXPECT_GE(q.done_ns - q.issued_ns, 210'000);
  ASSERT_EQ(p.figures.batches->sessions.size(), 2U);
  EXPECT_EQ(p.figures.batches->sessions[1].size, 4U);
  StringSink sink;
  write_evaluation(e, sink);
  for (const char* part :
       {"\"batching\":{\"max\":4,\"wait_ns\":1000000,\"sizes\":[1,2,4]}", "\"most_queries\":4"})
    EXPECT_NE(sink.text().find(part), std::string::npos) << part;
}

TEST(EvaluationSessionsSlow, RunBatchesInOnnxRuntime) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const session::testing::ModelFile model(kFree, "free");
  const Evaluation e =
      must(evaluate(batched(model, Kind::kOffline, {.most = 8, .wait = Nanos{0}, .sizes = {1, 8}}),
                    model.environment));
  const EvaluatedPoint& p = e.points.at(0);
  EXPECT_EQ(p.load.failure, "");
  EXPECT_EQ(p.figures.batches->counts, (std::map<std::uint32_t, std::int64_t>{{8, 25}}));
}

TEST(EvaluationSessions, RefuseModelsWithoutBatches) {
  const auto text_of = [](std::string_view text, std::string_view name) {
    session::testing::ModelFile model(text, std::string(name));
    model.spec.runtimes = {"null"};
    return evaluate(batched(model, Kind::kOffline, {.most = 4, .wait = Nanos{0}, .sizes = {}}),
                    model.environment)
        .error()
        .in_file("net.onnx")
        .text();
  };
  const std::string fixed = text_of(kFixed, "fixed"), shared = text_of(kShared, "shared");
  EXPECT_NE(fixed.find("the input 'x' has no batches: the file fixes its length\n"),
            std::string::npos)
      << fixed;
  EXPECT_NE(fixed.find("  hint: batches need a free leading dimension of every input; export the "
                       "model with one, or evaluate it without --batching\n  [RIDGE-WB-0170]\n"),
            std::string::npos)
      << fixed;
  EXPECT_NE(shared.find("the input 'y' has no batches: a batch of 2 is 2x2, and a sample 1x1\n"),
            std::string::npos)
      << shared;
}

TEST(EvaluationSessions, MixModelsInOneProcess) {
  session::testing::ModelFile model(kFree, "first");
  const session::testing::ModelFile other(kFixed, "other");
  model.spec.runtimes = {"null"};
  EvaluationRequest request = batched(model, Kind::kClosedLoop, {});
  request.scenario.batching.reset();
  request.scenario.workers = 2;
  request.scenario.min_queries = 2000;
  request.scenario.mix = {0.25};
  request.mix = {other.path};
  request.samples = 16;
  const Evaluation e = must(evaluate(request, model.environment));
  const EvaluatedPoint& p = e.points.at(0);
  ASSERT_EQ(p.models.size(), 2U);
  EXPECT_EQ(p.models[0].figures.queries + p.models[1].figures.queries, 2000);
  // Four standard errors.
  EXPECT_NEAR(static_cast<double>(p.models[1].figures.queries), 500, 4 * 19.4);
  EXPECT_EQ(p.models[1].model, other.path);
  EXPECT_EQ(p.models[1].samples, 16U);
}

TEST(EvaluationSessions, AreNoneByTheRulesOfLoadgen) {
  const session::testing::ModelFile model(kFree, "free");
  EvaluationRequest request = batched(model, Kind::kServer, {.most = 2, .wait = {}, .sizes = {}});
  request.mlperf.logs = "logs";
  EXPECT_EQ(evaluate(request, model.environment).error().code(), "RIDGE-WB-0171");
}

TEST(EvaluationSessions, LeaveTheWarmUpOut) {
  session::testing::ModelFile model(kFree, "free");
  model.spec.runtimes = {"null"};
  EvaluationRequest request = batched(model, Kind::kServer, {});
  request.scenario.batching.reset();
  request.scenario.warmup_queries = 50;
  const Evaluation e = must(evaluate(request, model.environment));
  EXPECT_EQ(e.points.at(0).load.queries.size(), 250U);
  EXPECT_EQ(e.points.at(0).figures.queries, 200);
  EXPECT_EQ(e.points.at(0).figures.phases.warmup_queries, 50);
}

TEST(EvaluationSessions, SearchTheLargestRateWithBatches) {
  session::testing::ModelFile model(kFree, "free");
  model.spec.runtimes = {"null"};
  model.spec.runtime_options = {{"ridge.service", "constant:1000"}, {"ridge.wait", "sleep"}};
  EvaluationRequest request =
      batched(model, Kind::kServer, {.most = 8, .wait = Nanos{1'000'000}, .sizes = {}});
  request.bound = scenario::LatencyBound{0.9, 20'000'000};
  request.find_peak = true;
  request.peak_budget_s = 1;
  const Evaluation e = must(evaluate(request, model.environment));
  ASSERT_TRUE(e.points.at(0).peak);
  EXPECT_FALSE(e.points.at(0).peak->probes.empty());
}

}  // namespace
}  // namespace ridge::evaluation
