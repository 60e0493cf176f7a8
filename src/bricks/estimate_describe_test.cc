// SPDX-License-Identifier: Apache-2.0
// Documents of estimates and of checks: read again, against the schemas and against each other.
#include "bricks/estimate_describe.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "record/json_write.h"

namespace ridge::bricks {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr stats::Estimate kMissing{kUnknown};

/// Model m with two measured layers, one of them in a single process, and a predicted one; model n
/// with a lost layer and one that no plan has.
EstimateDocument two_models() {
  EstimateDocument document{.ridge = "1.2",
                            .runtime = "onnxruntime",
                            .runtime_version = "1.20",
                            .host = "a \"host\"",
                            .threads = 3,
                            .models = {}};
  document.models.push_back(
      {.name = "m batch=2",
       .total = {1500.5, {{1400.25, 1600.75}}},
       .critical_path_ns = 1200.5,
       .outside = {100.5, {{90, 111}}},
       .measured_share = 0.75,
       .predicted_share = 0.25,
       .layers = {{{0, 2}, "k1", {1000, {{950, 1050}}}, Source::kMeasured, ""},
                  {{1}, "k2", {50}, Source::kMeasured, ""},
                  {{3}, "", {350, {{100, 700}}}, Source::kPredicted, "the budget was spent"}}});
  document.models.push_back({.name = "n",
                             .total = kMissing,
                             .critical_path_ns = kUnknown,
                             .outside = {100.5},
                             .layers = {{{0}, "k1", {1000, {{950, 1050}}}, Source::kMeasured, ""},
                                        {{1, 2}, "k4", kMissing, Source::kMissing, "it crashed\n"},
                                        {{3}, "", kMissing, Source::kMissing, ""}},
                             .missing = 2});
  return document;
}

Json written(const EstimateDocument& document) {
  StringSink sink;
  record::write_json(document, sink);
  return Json::parse(sink.text());
}

/// Model a is 10 % too fast and b 30 % too slow; only the intervals of a meet.
Check check_of_two() {
  Check check{.ridge = "1.2",
              .runtime = "onnxruntime",
              .runtime_version = "1.20",
              .host = "host",
              .threads = 3,
              .width = 0.04};
  check.models = {{.name = "a",
                   .measured = {1000, {{880, 1020}}},
                   .estimate = {900, {{890, 910}}},
                   .processes = 4,
                   .seconds = 12,
                   .measured_width = 0.03,
                   .estimate_width = 0.02},
                  {.name = "b",
                   .measured = {2000, {{1990, 2010}}},
                   .estimate = {2600, {{2500, 2700}}},
                   .processes = 9,
                   .seconds = 30,
                   .narrow = false}};
  check.times = {
      .plan_s = 1, .load_s = 2, .run_s = 3, .bricks_round_s = 0.25, .models_round_s = 0.125};
  check.without_estimate = {"c", "d\"e"};
  return check;
}

Json written(const Check& check) {
  StringSink sink;
  record::write_json(check, sink);
  return Json::parse(sink.text());
}

TEST(EstimateDocument, HasItsLayersAndTheirSources) {
  const Json j = written(two_models());
  EXPECT_EQ(j["schema"], "ridge.estimate/1");
  EXPECT_EQ(j["ridge"], "1.2");
  EXPECT_EQ(j["runtime"], "onnxruntime");
  EXPECT_EQ(j["runtime_version"], "1.20");
  EXPECT_EQ(j["host"], "a \"host\"");
  EXPECT_EQ(j["threads"], 3);
  ASSERT_EQ(j["models"].size(), 2U);
  const Json& m = j["models"][0];
  EXPECT_EQ(m["name"], "m batch=2");
  EXPECT_EQ(m["ci95_ns"], Json::parse("[1400.25, 1600.75]"));
  EXPECT_EQ(m["critical_path_ns"], 1200.5);
  EXPECT_EQ(m["coverage"], Json::parse(R"({"measured": 0.75, "predicted": 0.25})"));
  EXPECT_EQ(m["missing"], Json::array());
  EXPECT_EQ(m["layers"], Json::parse(R"([
    {"nodes": [0, 2], "brick": "k1", "time_ns": 1000.0, "ci95_ns": [950.0, 1050.0],
     "source": "measured"},
    {"nodes": [1], "brick": "k2", "time_ns": 50.0, "ci95_ns": null, "source": "measured"},
    {"nodes": [3], "brick": null, "time_ns": 350.0, "ci95_ns": [100.0, 700.0],
     "source": "predicted"}])"));
}

TEST(EstimateDocument, AddsUp) {
  const Json m = written(two_models())["models"][0];
  double sum = m["outside_layers_ns"];
  for (const Json& layer : m["layers"]) sum += layer["time_ns"].get<double>();
  EXPECT_EQ(m["estimate_ns"], sum);
}

TEST(EstimateDocument, NamesWhatIsMissing) {
  const Json n = written(two_models())["models"][1];
  EXPECT_TRUE(n["estimate_ns"].is_null());
  EXPECT_TRUE(n["ci95_ns"].is_null());
  EXPECT_TRUE(n["critical_path_ns"].is_null());
  EXPECT_EQ(n["outside_layers_ns"], 100.5);
  EXPECT_EQ(n["layers"].size(), 1U);
  EXPECT_EQ(n["missing"], Json::parse(R"([
    {"brick": "k4", "nodes": [1, 2], "why": "it crashed\n"},
    {"brick": null, "nodes": [3], "why": null}])"));
}

TEST(EstimateDocument, OfAnEmptyDocumentHasNoModels) {
  EXPECT_EQ(written(EstimateDocument())["models"], Json::array());
}

TEST(EstimateDocument, OfACheckHasFiguresThatFollowFromItsModels) {
  const Json j = written(check_of_two());
  EXPECT_EQ(j["schema"], "ridge.bricks_check/1");
  EXPECT_EQ(j["threads"], 3);
  double sizes = 0, sum = 0, worst = 0;
  for (const Json& m : j["models"]) {
    const double error = m["estimate_ns"].get<double>() / m["measured_ns"].get<double>() - 1;
    EXPECT_NEAR(m["error"], error, 1e-12);
    const Json &a = m["measured_ci95_ns"], &b = m["ci95_ns"];
    EXPECT_EQ(m["intervals_meet"].get<bool>(), !(a[1] < b[0] || b[1] < a[0]));
    sizes += std::abs(error);
    sum += error;
    worst = std::max(worst, std::abs(error));
  }
  EXPECT_NEAR(j["mape"], sizes / 2, 1e-12);
  EXPECT_NEAR(j["bias"], sum / 2, 1e-12);
  EXPECT_NEAR(j["worst"], worst, 1e-12);
  EXPECT_NEAR(j["p95"], worst, 1e-12);
  EXPECT_NEAR(j["mape"], 0.2, 1e-12);
  EXPECT_NEAR(j["bias"], 0.1, 1e-12);
  EXPECT_EQ(j["intervals_met"], 1);
  EXPECT_EQ(j["without_estimate"], Json::parse(R"(["c", "d\"e"])"));
  const Json& time = j["time"];
  EXPECT_EQ(time, Json::parse(R"({"bricks": {"plan_s": 1.0, "load_s": 2.0, "run_s": 3.0},
    "models_s": 12.0, "width": 0.04, "models_counted": 1, "models_width": 0.03,
    "estimates_width": 0.02, "saved": 2.0, "saved_equal_runs": 0.5})"));
}

TEST(EstimateDocument, OfACheckHasItsModels) {
  const Json models = written(check_of_two())["models"];
  Json a = models[0];
  a.erase("error");
  EXPECT_EQ(a, Json::parse(R"({"name": "a", "measured_ns": 1000.0,
    "measured_ci95_ns": [880.0, 1020.0], "estimate_ns": 900.0, "ci95_ns": [890.0, 910.0],
    "intervals_meet": true, "processes": 4, "seconds": 12.0, "narrow": true,
    "measured_width": 0.03, "estimate_width": 0.02, "estimate_narrow": true})"));
  EXPECT_EQ(models[1]["narrow"], false);
  EXPECT_EQ(models[1]["intervals_meet"], false);
}

TEST(EstimateDocument, OfACheckHasNullForWhatIsUnknown) {
  Check check = check_of_two();
  check.models[0].measured = {1000};
  check.models[0].estimate = {900};
  const Json m = written(check)["models"][0];
  EXPECT_TRUE(m["measured_ci95_ns"].is_null());
  EXPECT_TRUE(m["ci95_ns"].is_null());
  EXPECT_EQ(m["measured_ns"], 1000.0);
  EXPECT_EQ(m["intervals_meet"], false);
  const Json empty = written(Check());
  for (const char* figure : {"mape", "p95", "worst", "bias"})
    EXPECT_TRUE(empty[figure].is_null()) << figure;
  EXPECT_TRUE(empty["time"]["saved"].is_null());
  EXPECT_TRUE(empty["time"]["saved_equal_runs"].is_null());
}

/// Fails unless every object has exactly the keys that the schema requires, in its order.
void expect_order(const Json& schema, const Json& value, const std::string& where) {
  if (value.is_array()) {
    for (const Json& item : value) expect_order(schema["items"], item, where + "[]");
    return;
  }
  if (!value.is_object()) return;
  std::vector<std::string> keys;
  for (const auto& [key, member] : value.items()) {
    keys.push_back(key);
    std::string below = where;
    below.append(".").append(key);
    expect_order(schema["properties"].value(key, Json::object()), member, below);
  }
  EXPECT_EQ(keys, schema["required"].get<std::vector<std::string>>()) << where;
}

TEST(EstimateDocument, HasItsKeysInTheOrderOfTheSchema) {
  const char* source = std::getenv("RIDGE_SOURCE");
  if (source == nullptr) GTEST_SKIP() << "RIDGE_SOURCE names the repository";
  for (const Json& document : {written(two_models()), written(check_of_two())}) {
    std::string file = document["schema"];
    file.replace(file.find('/'), 1, ".");
    std::ifstream stream(std::string(source) + "/data/schema/" + file + ".json");
    expect_order(Json::parse(stream), document, file);
  }
}

}  // namespace
}  // namespace ridge::bricks
