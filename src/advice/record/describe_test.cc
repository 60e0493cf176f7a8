// SPDX-License-Identifier: Apache-2.0
#include "advice/record/describe.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "record/json_write.h"

namespace ridge::advice {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json written(const T& value) {
  return Json::parse(record::json_text(record::kType<T>, &value));
}

constexpr double kNoFigure = profile::CheckedFinding::kNone;

Check gained() {
  Check check;
  check.state = CheckState::kGained;
  check.prediction = Prediction::kMissed;
  check.before_ns = {100, {{90, 110}}};
  check.after_ns = {90};
  check.gain_ns = {10, {{9, 11}}};
  check.outputs = OutputDifference{.max_abs = 0.5,
                                   .max_rel = kNoFigure,
                                   .rounding = 1e-5,
                                   .sizes = {"batch=1"},
                                   .inputs = {"seeded"},
                                   .differs_unusually = "by 0.4"};
  return check;
}

TEST(AdviceDocument, OfACheckHasItsFigures) {
  EXPECT_EQ(written(gained()), Json::parse(R"({"state": "gained", "prediction": "missed",
    "before_ns": 100.0, "after_ns": 90.0, "achieved_gain_ns": 10.0, "ci95_ns": [9.0, 11.0],
    "outputs": {"max_abs": 0.5, "max_rel": null, "rounding": 1e-5, "sizes": ["batch=1"],
      "inputs": ["seeded"], "differs_usually": null, "differs_unusually": "by 0.4",
      "not_compared": []}, "reason": null})"));
  Check unjudged;
  unjudged.reason = "the budget was spent";
  EXPECT_EQ(written(unjudged), Json::parse(R"({"state": "not_judged", "prediction": null,
    "before_ns": null, "after_ns": null, "achieved_gain_ns": null, "ci95_ns": null,
    "outputs": null, "reason": "the budget was spent"})"));
}

TEST(AdviceDocument, OfAFindingHasNullForWhatIsUnknown) {
  Finding f{.id = "silu",
            .question = "Q5",
            .kind = "unfused_pattern",
            .nodes = {1, 2},
            .evidence = "e",
            .gain_ns = stats::Estimate{3, {{2, 4}}},
            .predictable = true,
            .no_price = {},
            .changed = {{.nodes = {1}, .before_ns = 9, .after_ns = 6}},
            .lossless = true,
            .effect = "rounding",
            .how = "how",
            .command = "command",
            .confidence = "high",
            .check = {}};
  EXPECT_EQ(written(f), Json::parse(R"({"id": "silu", "question": "Q5", "kind": "unfused_pattern",
    "nodes": [1, 2], "evidence": "e", "predicted_gain_ns": 3.0, "ci95_ns": [2.0, 4.0],
    "predictable": true, "confidence": "high", "no_price": null,
    "changed": [{"nodes": [1], "before_ns": 9.0, "after_ns": 6.0}], "lossless": true,
    "effect": "rounding", "effect_where": null, "how": "how", "command": "command",
    "check": null})"));
  f.question = f.effect = f.confidence = "";
  f.gain_ns.reset();
  f.predictable.reset();
  f.no_price = "no bricks";
  const Json j = written(f);
  for (const char* key : {"question", "predicted_gain_ns", "ci95_ns", "predictable", "confidence",
                          "lossless", "effect"})
    EXPECT_TRUE(j[key].is_null()) << key;
  EXPECT_EQ(j["no_price"], "no bricks");
}

TEST(AdviceDocument, OfAllEditsTogetherHasTheAchievedGainOfItsCheck) {
  Joint joint{.ids = {"a", "b"}, .gain_ns = stats::Estimate{7}, .check = gained()};
  Json j = written(joint);
  EXPECT_EQ(j["check"], written(gained()));
  j.erase("check");
  EXPECT_EQ(j, Json::parse(R"({"ids": ["a", "b"], "predicted_ns": 7.0, "achieved_ns": 10.0,
    "ci95_ns": [9.0, 11.0]})"));
  joint.check.reset();
  EXPECT_EQ(written(joint), Json::parse(R"({"ids": ["a", "b"], "predicted_ns": 7.0,
    "achieved_ns": null, "ci95_ns": null, "check": null})"));
}

TEST(AdviceDocument, HasTheRunAndItsBounds) {
  Advice advice{.model = "m.onnx", .threads = 2, .measured_ns = {5, {{4, 6}}}};
  advice.kernel_bound = {.sequential_ns = 2, .coverage = {0.5, 0.25, {1}}, .beyond = {3}};
  advice.model_bound = {.time_ns = 1, .kind = "compute", .macs = 9};
  advice.achievable.layers = {{.nodes = {0}, .time_ns = 4, .from = "brick k"}};
  const Json j = written(advice);
  EXPECT_EQ(j["schema"], "ridge.advice/1");
  EXPECT_EQ(j["measured"], Json::parse(R"({"median_ns": 5.0, "ci95_ns": [4.0, 6.0]})"));
  EXPECT_EQ(j["bound_of_kernels"], Json::parse(R"({"sequential_ns": 2.0, "critical_path_ns": null,
    "coverage": {"nodes": 0.5, "time": 0.25, "unknown": [1]}, "beyond": [3]})"));
  EXPECT_EQ(j["bound_of_model"], Json::parse(R"({"time_ns": 1.0, "parallel_ns": null,
    "kind": "compute", "macs": 9, "input_bytes": 0, "weight_bytes": 0, "output_bytes": 0,
    "unknown": [], "reason": null})"));
  EXPECT_EQ(j["achievable"]["layers"],
            Json::parse(R"([{"nodes": [0], "time_ns": 4.0, "from": "brick k"}])"));
  EXPECT_TRUE(j["joint"].is_null());
}

}  // namespace
}  // namespace ridge::advice
