// SPDX-License-Identifier: Apache-2.0
// Evaluations of whole models: real data in ONNX Runtime against answers computed here, loads in the
// null runtime, and what is refused.
#include "evaluation/run/evaluation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "attribution/testing.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "evaluation/load/peak.h"
#include "evaluation/record/document.h"
#include "evaluation/repeat/lock.h"
#include "evaluation/testing.h"
#include "pipeline/step_text.h"
#include "session/testing.h"

namespace ridge::evaluation {
namespace {

using attribution::testing::must;
using attribution::testing::runtime_installed;
using scenario::Kind;
using session::testing::ModelFile;
using testing::accuracy_of;
using testing::Images;
using testing::kBrighterRow;
using testing::npy;

TEST(EvaluationSlow, JudgesEverySampleOnceHoweverManyAreInABatch) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const session::testing::ModelFile model(kBrighterRow, "rows");
  const Images images("2\n0\n1\n0\n2\n");  // the fourth is wrong
  const Evaluation e = must(evaluate(accuracy_of(model, images), model.environment));
  ASSERT_EQ(e.points.size(), 1U);
  const Accuracy& a = *e.points[0].accuracy;
  EXPECT_EQ(a.predicted, (std::vector<std::int64_t>{2, 0, 1, 1, 2}));
  EXPECT_EQ(a.correct, (std::vector<std::uint8_t>{1, 1, 1, 0, 1}));
  EXPECT_DOUBLE_EQ(a.top1->value, 0.8);
  EXPECT_FALSE(a.top5);                // of three classes
  EXPECT_EQ(e.points[0].samples, 3U);  // batches of two
}

TEST(EvaluationSlow, LabelsMayNameTheirSamples) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const session::testing::ModelFile model(kBrighterRow, "rows");
  const Images images("4,2\n3,1\n2,1\n1,0\n0,2\n17,0\n");
  const Evaluation e = must(evaluate(accuracy_of(model, images), model.environment));
  EXPECT_DOUBLE_EQ(e.points[0].accuracy->top1->value, 1);
}

TEST(EvaluationSlow, DataAndLabelsThatDoNotFitAreRefused) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const session::testing::ModelFile model(kBrighterRow, "rows");
  const auto text_of = [&](const std::string& labels, const std::string& steps) {
    const Images images(labels);
    EvaluationRequest request = accuracy_of(model, images);
    request.data.steps = must(pipeline::parse_steps(steps));
    const Result<Evaluation> e = evaluate(request, model.environment);
    if (e.ok()) return std::string();
    return e.error().message() + " | " + e.error().hint();
  };
  const std::string kGood = "normalize(divide=255) layout(nchw)";
  EXPECT_EQ(text_of("2\n0\n1\n0\n", kGood),
            "sample '4' has no label | write a line for each sample with the number of its class, "
            "or lines NAME,CLASS");
  EXPECT_EQ(text_of("2\n0\n1\n0\n2\n1\n", kGood),
            "there are 6 labels for 5 samples | write a line for each sample, or lines NAME,CLASS");
  EXPECT_EQ(text_of("2\n0\ncat\n0\n1\n", kGood),
            "line 3: it has no number of a class | write a line for each sample with the number of "
            "its class, or lines NAME,CLASS");
  EXPECT_EQ(text_of("2\n0\n1\n0\n3\n", kGood),
            "a label is class 3, the model has 3 classes | classes are counted from 0: are the "
            "labels counted from 1?");
  EXPECT_EQ(text_of("2\n0\n1\n0\n2\n", "layout(nchw)"),
            "the sample is 1x1x3x2 uint8, the input takes 2x1x3x2 float32 | add steps: "
            "resize(...), normalize(...), layout(nchw)");
}

TEST(EvaluationSlow, SamplesOfAnotherLayoutThanTheInputsAreRefused) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const session::testing::ModelFile model(kBrighterRow, "rows");
  const Images images("0\n");
  EXPECT_TRUE(write_file(images.images, npy("1, 1, 2, 3", {9, 0, 0, 9, 0, 0})).ok());
  const auto text_of = [&](const std::string& steps) {
    EvaluationRequest request = accuracy_of(model, images);
    request.data.steps = must(pipeline::parse_steps(steps));
    const Result<Evaluation> evaluation = evaluate(request, model.environment);
    return evaluation.ok() ? "" : evaluation.error().message();
  };
  EXPECT_EQ(text_of("normalize(divide=255) layout(nchw)"), "");
  EXPECT_EQ(text_of("normalize(divide=255) layout(nhwc)"),
            "the sample is 1x1x2x3 float32, the input takes 2x1x3x2 float32");
  EXPECT_EQ(text_of("normalize(divide=255)"),
            "the sample is 1x2x3 float32, the input takes 2x1x3x2 float32");
}

TEST(Evaluation, LoadsTheNullRuntimeAndWritesItsDocument) {
  session::testing::ModelFile model(kBrighterRow, "rows");
  model.spec.runtimes = {"null"};
  const EvaluationRequest request{.model = model.path,
                                  .spec = model.spec,
                                  .scenario = {.kind = Kind::kServer,
                                               .arrivals = scenario::Poisson{.rate = 20'000},
                                               .min_duration = Nanos{0},
                                               .min_queries = 500},
                                  .bound = scenario::LatencyBound{0.9, 10'000'000'000}};
  const Evaluation e = must(evaluate(request, model.environment));
  ASSERT_EQ(e.points.size(), 1U);
  EXPECT_EQ(e.points[0].figures.queries, 500);
  EXPECT_EQ(e.points[0].figures.within->value, 1);
  StringSink sink;
  write_evaluation(e, sink);
  for (const char* part : {"\"schema\":\"ridge.evaluation/1\"", "\"kind\":\"server\"",
                           "\"arrivals\":\"poisson\"", "\"queries\":500"})
    EXPECT_NE(sink.text().find(part), std::string::npos) << part;
}

TEST(EvaluationSlow, OutputsOfAnotherSizeAreNotComparedAndEndNothing) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  session::testing::ModelFile model(kBrighterRow, "rows");
  model.spec.runtimes = {"ort", "null"};  // the null runtime returns its inputs
  const EvaluationRequest request{
      .model = model.path, .spec = model.spec, .scenario = {}, .load = false};
  const Evaluation e = must(evaluate(request, model.environment));
  ASSERT_EQ(e.points.size(), 2U);
  ASSERT_EQ(e.points[1].divergence.size(), 1U);
  EXPECT_FALSE(e.points[1].divergence[0].comparable);
  StringSink sink;
  write_evaluation(e, sink);
  EXPECT_NE(sink.text().find("\"comparable\":false"), std::string::npos);
}

TEST(EvaluationSlow, SamplesOfABatchCountEach) {
  session::testing::ModelFile model(kBrighterRow, "rows");  // batches of two
  model.spec.runtimes = {"null"};
  const Images images("2\n0\n1\n0\n2\n");
  EvaluationRequest request = accuracy_of(model, images);
  request.load = true;
  request.data.labels.clear();
  request.scenario = {.kind = Kind::kOffline, .min_duration = Nanos{0}, .min_queries = 100};
  const Evaluation e = must(evaluate(request, model.environment));
  const scenario::Figures& f = e.points.at(0).figures;
  EXPECT_DOUBLE_EQ(f.samples.per_s, 2 * f.completed.per_s);
}

TEST(Evaluation, ASearchScalesEveryRateOfItsArrivalsAndRefusesRecordedOnes) {
  scenario::Scenario s{.kind = Kind::kServer,
                       .arrivals = scenario::Bursty{.quiet_rate = 1, .burst_rate = 7}};
  s = at_rate(s, 12);
  const auto& bursty = std::get<scenario::Bursty>(s.arrivals);
  EXPECT_DOUBLE_EQ(bursty.mean_rate(), 12);
  EXPECT_DOUBLE_EQ(bursty.burst_rate / bursty.quiet_rate, 7);
  s.arrivals = scenario::Gamma{.rate = 1, .shape = 0.5};
  EXPECT_EQ(std::get<scenario::Gamma>(at_rate(s, 12).arrivals).rate, 12);
  const session::testing::ModelFile model(kBrighterRow, "rows");
  EvaluationRequest request{.model = model.path, .spec = model.spec};
  request.find_peak = true;
  request.bound = scenario::LatencyBound{};
  request.scenario = {.kind = Kind::kServer, .arrivals = scenario::Replay{.times_ns = {0, 1}}};
  EXPECT_EQ(evaluate(request, model.environment).error().code(), "RIDGE-WB-0211");
}

TEST(Evaluation, ABatchBindsTheFreeLeadingDimensionsWhateverTheirNames) {
  session::testing::ModelFile model(R"(graph main
    input x[n,4]
    Relu(x) -> y
    output y)",
                                    "free");
  EvaluationRequest request{.model = model.path, .spec = model.spec};
  request.spec.runtimes = {"null"};
  request.batch = 8;
  request.scenario = {.min_duration = Nanos{0}, .min_queries = 100};
  const Evaluation e = must(evaluate(request, model.environment));
  EXPECT_EQ(e.sizes.at("n").value, 8);
  EXPECT_FALSE(e.sizes.at("n").assumed);
  const scenario::Figures& f = e.points.at(0).figures;
  EXPECT_DOUBLE_EQ(f.samples.per_s, 8 * f.completed.per_s);
  // It is in the lock as the size that it sets.
  const EvaluationRequest again = must(request_of(e.lock));
  EXPECT_EQ(again.spec.sizes.at(0).sizes.at("n").value, 8);

  request.spec.sizes[0].sizes["n"] = {4, false};
  EXPECT_EQ(evaluate(request, model.environment).error().text(),
            "error: 'n' is to be 4 and, as the batch, 8\n  hint: state one of both\n"
            "  [RIDGE-WB-0210]\n");
  const session::testing::ModelFile fixed(kBrighterRow, "fixed");
  request.model = fixed.path;
  EXPECT_EQ(evaluate(request, model.environment).error().code(), "RIDGE-WB-0209");
}

TEST(Evaluation, ThatCannotBeAreRefused) {
  const session::testing::ModelFile model(kBrighterRow, "rows");
  EvaluationRequest request{.model = model.path, .spec = model.spec, .scenario = {}};
  const auto code = [&] { return evaluate(request, model.environment).error().code(); };
  request.load = false;
  EXPECT_EQ(code(), "RIDGE-WB-0116");
  request.load = true;
  request.find_peak = true;
  EXPECT_EQ(code(), "RIDGE-WB-0115");
  request.find_peak = false;
  request.spec.threads = {1, 2};
  EXPECT_EQ(code(), "RIDGE-WB-0110");
}

}  // namespace
}  // namespace ridge::evaluation
