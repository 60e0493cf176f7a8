#include "compare/evaluation_run.h"

#include <gtest/gtest.h>

namespace ridge::compare {
namespace {

/// A document as ridge eval writes it, with the keys that are read.
std::string document(const std::string& samples = R"(["a", "b"])",
                     const std::string& answers = R"({"predicted": [3, 4], "correct": [1, 0],
                       "class_names": [{"class": 3, "name": "cat"}],
                       "metrics": [{"metric": "top1", "value": 0.5, "ci95": [0.1, 0.9]}]})") {
  return R"({"schema": "ridge.evaluation/1", "host": "h", "model": {"path": "m", "graph_hash": "g"},
    "scenario": {"kind": "server"}, "data": {"source": "d", "steps": "decode", "samples": )" +
         samples + R"(, "samples_ns": [5, 6]}, "points": [{"runtime": {"name": "ONNX Runtime",
    "version": "1", "library": "l"}, "threads": 2, "queries_per_s": 7.5, "accuracy": )" +
         answers + R"(, "figures": {"latency": {"percentiles": [{"percentile": 99, "value_ns": 8,
    "ci95_ns": null}]}, "completed": {"per_s": 9, "ci95_per_s": [8, 10]}},
    "validity": {"state": "valid"}}]})";
}

std::string run_error(const std::string& text) {
  const auto runs = read_evaluation(text, "x");
  return runs.ok() ? "" : runs.error().message();
}

TEST(EvaluationRun, HasWhatTheDocumentHas) {
  const auto runs = read_evaluation(document(), "base");
  ASSERT_TRUE(runs.ok()) << runs.error().text();
  const EvaluationRun& run = runs->at(0);
  EXPECT_EQ(run.label, "base");
  EXPECT_EQ(run.threads, 2);
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
}

TEST(EvaluationRun, OtherDocumentsAreRefused) {
  EXPECT_EQ(run_error("{"), "it is no document of an evaluation: this is not a JSON object");
  EXPECT_EQ(run_error(R"({"schema": "ridge.profile/7"})"),
            "it is a document of 'ridge.profile/7', not of 'ridge.evaluation/1'");
  EXPECT_EQ(run_error(R"({"schema": "ridge.evaluation/1"})"),
            "it is no document of an evaluation: it lacks value at /host");
  EXPECT_EQ(run_error(document(R"(["a", "a"])")),
            "it is no document of an evaluation: it lacks samples of different names at /data");
  EXPECT_EQ(run_error(document(R"(["a"])")),
            "it is no document of an evaluation: it lacks as many times as samples at /data");
  EXPECT_EQ(run_error(document(R"(["a", "b"])", R"({"predicted": [1]})")),
            "it is no document of an evaluation: it lacks as many answers as samples at /points/0");
  EXPECT_EQ(run_error(document(R"(["a", "b"])", R"({"correct": [1, 2]})")),
            "it is no document of an evaluation: it lacks integer below 2 at "
            "/points/0/accuracy/correct/1");
}

TEST(EvaluationRun, NestedBracketsDoNotOverflow) {
  std::string deep = R"({"schema": "ridge.evaluation/1", "host": )";
  deep.append(100'000, '[');
  EXPECT_NE(run_error(deep), "");
}

}  // namespace
}  // namespace ridge::compare
