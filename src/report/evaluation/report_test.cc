// SPDX-License-Identifier: Apache-2.0
// The page of an evaluation beside its JSON document.
#include "report/evaluation/report.h"

#include <gtest/gtest.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "attribution/testing.h"
#include "evaluation/record/document.h"
#include "evaluation/run/evaluation.h"
#include "session/testing.h"

namespace ridge::report {
namespace {

using attribution::testing::must;
using nlohmann::json;
using session::testing::ModelFile;

constexpr std::string_view kAnyModel = R"(graph main
    input x[1,8]
    Relu(x) -> y
    output y)";

std::string text_between(const std::string& text, std::string_view from, std::string_view to) {
  const std::size_t begin = text.find(from);
  if (begin == std::string::npos) return "(none)";
  const std::size_t start = begin + from.size();
  return text.substr(start, text.find(to, start) - start);
}

/// Number of an attribute of the only cell in the row of a figure.
double shown(const std::string& page, const std::string& key, const std::string& attribute) {
  const std::string cell = text_between(page, "<tr data-key=\"" + key + "\">", "</td></tr>");
  const std::string text = text_between(cell, " " + attribute + "=\"", "\"");
  double out = -1;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

void expect_interval(const std::string& page, const std::string& key, const json& interval) {
  if (interval.is_null()) {
    EXPECT_EQ(shown(page, key, "data-low"), -1) << key;
    return;
  }
  const double low = interval[0], high = interval[1];
  EXPECT_NEAR(shown(page, key, "data-low"), low, 1e-9 * low + 1e-9) << key;
  EXPECT_NEAR(shown(page, key, "data-high"), high, 1e-9 * high + 1e-9) << key;
}

/// "p99.9" for 99.9.
std::string percentile_key(double percentile) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), percentile).ptr;
  return "latency.p" + std::string(text.data(), end);
}

TEST(EvaluationReport, ItsNumbersAreThoseOfTheDocument) {
  session::testing::ModelFile model(kAnyModel, "report");
  model.spec.runtimes = {"null"};
  model.spec.runtime_options = {{"ridge.service", "exponential:200"}, {"ridge.fail_every", "70"}};
  const evaluation::EvaluationRequest request{
      .model = model.path,
      .spec = model.spec,
      .scenario = {.kind = scenario::Kind::kServer,
                   .arrivals = scenario::Poisson{.rate = 3000},
                   .min_duration = Nanos{0},
                   .min_queries = 900},
      .bound = scenario::LatencyBound{0.97, 400'000}};
  const evaluation::Evaluation e = must(evaluation::evaluate(request, model.environment));
  const std::string page = evaluation_report(e);
  StringSink sink;
  evaluation::write_evaluation(e, sink);
  const json point = json::parse(sink.text())["points"][0], figures = point["figures"];
  const auto same = [&](const std::string& key, const json& value) {
    EXPECT_NEAR(shown(page, key, "data-v"), value.get<double>(),
                1e-9 * std::abs(value.get<double>()))
        << key;
  };
  ASSERT_EQ(figures["latency"]["percentiles"].size(), 6U);
  for (const json& percentile : figures["latency"]["percentiles"]) {
    const std::string key = percentile_key(percentile["percentile"]);
    same(key, percentile["value_ns"]);
    expect_interval(page, key, percentile["ci95_ns"]);
  }
  same("mean", figures["latency"]["mean_ns"]);
  same("trimmed_mean", figures["latency"]["trimmed_mean_ns"]);
  same("queries", figures["queries"]);
  same("failed", figures["failed"]);
  EXPECT_GT(figures["failed"].get<int>(), 0);
  same("abandoned", figures["abandoned"]);
  same("duration_s", figures["duration_s"]);
  same("scheduled", figures["scheduled_per_s"]);
  same("completed", figures["completed"]["per_s"]);
  expect_interval(page, "completed", figures["completed"]["ci95_per_s"]);
  same("within", figures["within_bound"]["value"]);
  expect_interval(page, "within", figures["within_bound"]["ci95"]);
  same("late.p99", figures["lateness"]["p99_ns"]);
  same("late.share", figures["lateness"]["share_late"]);
  const std::string verdict = text_between(page, "lever verdict", "</p>");
  EXPECT_NE(verdict.find(": " + point["validity"]["state"].get<std::string>() + "</b>"),
            std::string::npos);
  for (const json& reason : point["validity"]["reasons"])
    EXPECT_NE(verdict.find(reason.get<std::string>()), std::string::npos) << reason;
}

TEST(EvaluationReportSlow, TheProbesOfASearchAreThoseOfTheDocument) {
  session::testing::ModelFile model(kAnyModel, "probes");
  model.spec.runtimes = {"null"};
  model.spec.runtime_options = {{"ridge.service", "constant:300"}};
  const evaluation::EvaluationRequest request{
      .model = model.path,
      .spec = model.spec,
      .scenario = {.kind = scenario::Kind::kServer,
                   .arrivals = scenario::Constant{.rate = 100},
                   .min_duration = Nanos{0},
                   .min_queries = 50},
      .bound = scenario::LatencyBound{0.5, 50'000'000},
      .find_peak = true,
      .peak_budget_s = 1};
  const evaluation::Evaluation e = must(evaluation::evaluate(request, model.environment));
  ASSERT_TRUE(e.points[0].peak);
  StringSink sink;
  evaluation::write_evaluation(e, sink);
  const json peak = json::parse(sink.text())["points"][0]["peak"];
  const std::string page = evaluation_report(e);
  std::string rows = text_between(page, "id=\"probes\"", "</table>");
  rows = text_between(rows, "<tbody>", "</tbody>");
  ASSERT_FALSE(peak["probes"].empty());
  for (const json& probe : peak["probes"]) {
    std::array<double, 6> values{};
    for (double& value : values) {
      const std::string text = text_between(rows, "data-v=\"", "\"");
      std::from_chars(text.data(), text.data() + text.size(), value);
      rows.erase(0, rows.find("data-v=\"") + 8);
    }
    const std::array<double, 4> expected = {probe["queries_per_s"], probe["queries"], probe["late"],
                                            probe["seconds"]};
    EXPECT_NEAR(values[1], expected[0], 1e-6 * expected[0]);
    EXPECT_EQ(values[2], expected[1]);
    EXPECT_NEAR(values[3], expected[2], 1e-6);
    EXPECT_NEAR(values[5], expected[3], 1e-6 * expected[3]);
  }
  EXPECT_EQ(rows.find("data-v"), std::string::npos);
}

}  // namespace
}  // namespace ridge::report
