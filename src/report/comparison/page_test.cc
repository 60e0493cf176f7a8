// SPDX-License-Identifier: Apache-2.0
#include "report/comparison/page.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "compare/comparison.h"
#include "compare/testing.h"
#include "export/comparison/json.h"
#include "report/kit/testing.h"

namespace ridge::report {
namespace {

using compare::Comparison;
using compare::testing::run_of;
using nlohmann::json;
using testing::all_between;
using testing::between;
using testing::kHostile;
using testing::unbalanced;
using Runs = std::vector<compare::Run>;

Comparison compared(Runs runs) {
  Result<Comparison> c = compare::compare_runs(std::move(runs));
  EXPECT_TRUE(c.ok());
  return std::move(*c);
}

/// Samples from `ns` to `ns` + 11, each once.
std::vector<std::int64_t> around(std::int64_t ns) {
  std::vector<std::int64_t> out;
  for (std::int64_t i = 0; i < 12; ++i) out.push_back(ns + (i * 7) % 12);
  return out;
}

const std::vector<std::string> kNodes = {"stem:Conv", "a/b/x:Conv", "a/b/y:Relu", "a/c/z:Conv",
                                         "fc/head:Gemm"};

/// Two runs; the second fuses a/b, inserts a layer, and is faster in the first group only.
Runs two_runs() {
  Runs runs = {run_of("one", kNodes,
                      {{{0}, around(9000)},
                       {{1}, around(4000)},
                       {{2}, around(1000)},
                       {{3}, around(3000)},
                       {{4}, around(500)}}),
               run_of("two", kNodes,
                      {{{0}, around(5000)},
                       {{1, 2}, around(6000)},
                       {{3}, around(3000)},
                       {{4}, around(500)},
                       {{}, around(70), true}})};
  for (compare::Run& run : runs)
    for (std::uint32_t l = 0; l < run.profile.layers.size(); ++l)
      run.profile.layers[l].index = run.profile.layers[l].order = l;
  return runs;
}

json json_of(const Comparison& c) {
  StringSink sink;
  exports::write_comparison_document(c, sink);
  return json::parse(sink.text());
}

json number(const std::string& text) { return text.empty() ? json() : json(std::stod(text)); }

void expect_same(const json& shown, const json& told, const std::string& what) {
  EXPECT_EQ(shown.is_null(), told.is_null()) << what;
  if (shown.is_null() || told.is_null()) return;
  EXPECT_NEAR(shown.get<double>(), told.get<double>(), 1e-8 * std::abs(told.get<double>())) << what;
}

/// Checks a row of the tree against the row of the JSON document.
void expect_row(const std::string& page, const std::string& opening, const json& row) {
  const std::size_t at = page.find(opening);
  ASSERT_NE(at, std::string::npos) << opening;
  const std::string line = page.substr(at, page.find("</li>", at) - at);
  const std::vector<std::string> times = all_between(line, "<span class=\"n t\" data-v=\"", "\"");
  const std::vector<std::string> ratios = all_between(line, " data-ratio=\"", "\"");
  const std::vector<std::string> verdicts = all_between(line, " data-verdict=\"", "\"");
  const json& runs = row["runs"];
  ASSERT_GE(times.size(), runs.size()) << opening;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    expect_same(number(times[r]), runs[r]["time_ns"], opening);
    if (r == 0) continue;
    expect_same(number(ratios[r - 1]), runs[r]["ratio"], opening);
    EXPECT_EQ(verdicts[r - 1], runs[r]["verdict"]) << opening;
  }
}

void expect_rows(const Comparison& c) {
  const std::string page = comparison_page(c);
  const json document = json_of(c);
  for (std::size_t g = 0; g < document["groups"].size(); ++g)
    expect_row(page, "<li id=\"group-" + std::to_string(g) + "\"", document["groups"][g]);
  for (const json& module : document["modules"]) {
    const std::string opening =
        "<li class=\"module\" data-path=\"" + module["name"].get<std::string>() + "\"";
    if (page.find(opening) != std::string::npos) expect_row(page, opening, module);
  }
}

TEST(ComparisonPage, ShowsTheNumbersOfTheDocument) {
  const Comparison c = compared(two_runs());
  ASSERT_EQ(c.groups.size(), 4U);
  expect_rows(c);
  const std::string page = comparison_page(c);
  EXPECT_EQ(all_between(page, "<li class=\"module\" data-path=\"", "\""),
            (std::vector<std::string>{"a"}));  // a/b, a/c and fc have one group each
  EXPECT_NE(page.find(">fc: head<"), std::string::npos);
  EXPECT_NE(page.find("inserted by the runtime"), std::string::npos);
}

TEST(ComparisonPage, TagsNestAndNothingIsAskedForOutside) {
  const std::string page = comparison_page(compared(two_runs()));
  EXPECT_EQ(unbalanced(page), "");
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  for (const char* outside : {"<link", "src=\"", "href=\"http", "@import", "url("})
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
}

TEST(ComparisonPage, ExplainsTheTermsOfItsTables) {
  const std::string page = comparison_page(compared(two_runs()));
  EXPECT_EQ(testing::dangling_terms(page), std::vector<std::string>());
  EXPECT_EQ(testing::unexplained_headings(page), std::vector<std::string>());
  EXPECT_NE(page.find("<tr id=\"term-could-show\">"), std::string::npos);
}

TEST(ComparisonPage, ThreeRunsHaveAColumnEach) {
  Runs runs = two_runs();
  runs.push_back(runs[0]);
  runs.back().label = "three";
  runs.back().profile.batch = 2;
  const Comparison c = compared(std::move(runs));
  expect_rows(c);
  const std::string page = comparison_page(c);
  EXPECT_EQ(unbalanced(page), "");
  EXPECT_NE(page.find("one → two, by module"), std::string::npos);
  EXPECT_NE(page.find("one → three, by operator"), std::string::npos);
  EXPECT_NE(page.find("0.500 per item"), std::string::npos);
}

TEST(ComparisonPage, TheStepsOfAWaterfallAddUpToTheDifference) {
  const Comparison c = compared(two_runs());
  const json difference = json_of(c)["totals"][1]["difference"];
  const std::vector<std::string> figures =
      all_between(comparison_page(c), "<details class=\"figure\"", "</details>");
  ASSERT_EQ(figures.size(), 2U);
  for (const std::string& figure : figures) {
    double sum = 0;
    for (const std::string& ns : all_between(figure, "data-ns=\"", "\"")) sum += std::stod(ns);
    EXPECT_NEAR(sum, difference["latency_ns"].get<double>(), 0.01) << figure;
  }
}

TEST(ComparisonPage, TheBarsAddUpToTheLatenciesAndTheBest) {
  const Comparison c = compared(two_runs());
  const std::string chart =
      between(comparison_page(c), "aria-label=\"what the latencies are made of\"", "</svg>");
  double sum = 0;
  for (const std::string& ns : all_between(chart, "data-ns=\"", "\"")) sum += std::stod(ns);
  double expected = c.best_ns;
  const json document = json_of(c);
  for (const json& total : document["totals"]) {
    const json& t = total["time"];
    expected += t["latency_ns"].get<double>() - std::min(0.0, t["unexplained_ns"].get<double>());
  }
  EXPECT_NEAR(sum, expected, 0.1);
}

/// Adds a run of another model (without the last node and times of single runs), and an imported
/// run without a time outside layers.
TEST(ComparisonPage, WhatIsNotKnownIsNotDrawn) {
  Runs runs = two_runs();
  runs.push_back(run_of("short", {kNodes[0], kNodes[1], kNodes[2], kNodes[3]},
                        {{{0}, {}}, {{1}, {}}, {{2}, {}}, {{3}, {}}}));
  runs[2].profile.layers[0].corrected_ns = 8000;
  runs.push_back(runs[0]);
  runs[3].label = "imported";
  runs[3].profile.profiling.outside_layers_ns = std::numeric_limits<double>::quiet_NaN();
  const Comparison c = compared(std::move(runs));
  expect_rows(c);
  const std::string page = comparison_page(c);
  EXPECT_EQ(unbalanced(page), "");
  EXPECT_EQ(page.find("nan"), std::string::npos);
  EXPECT_EQ(page.find("inf "), std::string::npos);
  EXPECT_NE(page.find("not in the model of short"), std::string::npos);
  EXPECT_NE(page.find("short has no times of single runs"), std::string::npos);
  EXPECT_NE(page.find("outside layers or unexplained"), std::string::npos);
}

TEST(ComparisonPage, NoTimeAtAllIsStillAPage) {
  std::vector<std::int64_t> zeros(12, 0);
  const Comparison c = compared(
      {run_of("one", {"n:Relu"}, {{{0}, zeros}}), run_of("two", {"n:Relu"}, {{{0}, zeros}})});
  const std::string page = comparison_page(c);
  EXPECT_EQ(unbalanced(page), "");
  EXPECT_EQ(page.find("nan"), std::string::npos);
}

TEST(ComparisonPage, HostileNamesStayText) {
  const std::string in_module = "m/" + std::string(kHostile) + "/";
  Runs runs;
  for (const char* label : {kHostile, "two"})
    runs.push_back(run_of(
        label, {in_module + "x:Conv", in_module + "y:" + kHostile, std::string(kHostile) + ":Relu"},
        {{{0}, around(900)}, {{1}, around(800)}, {{2}, around(700)}}));
  for (compare::Run& run : runs) {
    run.profile.subject.path = run.profile.subject.runtime = kHostile;
    run.profile.subject.options[kHostile] = run.label;
    run.profile.notes.push_back(kHostile);
    for (profile::Layer& l : run.profile.layers)
      l.name = l.type = l.implementation = l.precision = l.layout = kHostile;
    profile::Timeline& t = run.profile.timeline;
    t.add({.level = profile::Level::kLayer, .name = t.intern(kHostile), .end_ns = 10});
    t.attribute("layer", "0\" onclick=\"x");
    t.attribute(kHostile, kHostile);
  }
  const std::string page = comparison_page(compared(std::move(runs)));
  EXPECT_EQ(all_between(page, "alert(1)", "<").size(),
            all_between(page, "&lt;script&gt;alert(1)", "<").size());
  EXPECT_EQ(all_between(page, "<script", ">").size(), 1U);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(page.find('\x1b'), std::string::npos);
  EXPECT_EQ(page.find("\" onclick"), std::string::npos);
  EXPECT_EQ(unbalanced(page), "");
}

TEST(ComparisonPage, BarsOfTheTimelinesLeadToTheirGroups) {
  const Comparison c = compared(two_runs());
  const std::string page = comparison_page(c);
  const std::string svg = between(page, "aria-label=\"timeline\"", "</svg>");
  const std::vector<std::string> ids = all_between(svg, "data-id=\"", "\"");
  // Nothing was recorded, so both timelines are built from medians; every layer has its group.
  EXPECT_EQ(ids, (std::vector<std::string>{"group-0", "group-1", "group-1", "group-2", "group-3",
                                           "group-0", "group-1", "group-2", "group-3"}));
  EXPECT_NE(page.find("No run was recorded: medians"), std::string::npos);
  EXPECT_EQ(all_between(svg, "class=\"sp layer faster\"", ">").size(), 2U);
}

TEST(ComparisonPage, DeepModulesAreATree) {
  std::string path;
  for (int i = 0; i < 300; ++i) path += "m" + std::to_string(i) + "/";
  std::vector<std::string> nodes = {"m0/first:Conv", path + "x:Conv", path + "y:Conv"};
  std::vector<compare::testing::LayerSketch> layers;
  for (std::uint32_t n = 0; n < 3; ++n) layers.push_back({{n}, around(100)});
  const Comparison c = compared({run_of("one", nodes, layers), run_of("two", nodes, layers)});
  const std::string page = comparison_page(c);
  EXPECT_EQ(unbalanced(page), "");
  EXPECT_EQ(all_between(page, "<li class=\"module\"", ">").size(), 2U);  // the rest is one path
}

/// Reference kernels that took 304 % longer with the second run.
TEST(ComparisonPage, AVerdictOverADriftingMachineIsGrayAndItsWarningStandsBeforeIt) {
  Runs runs = two_runs();
  for (std::uint32_t i = 0; i < 2; ++i) {
    runs[0].profile.reference.push_back({i, "multiply-add", 1000});
    runs[1].profile.reference.push_back({i, "multiply-add", 4040});
  }
  for (compare::Run& run : runs) {
    run.profile.latency.processes[0].samples_ns = around(&run == &runs[0] ? 20000 : 15000);
    run.profile.latency.ns.value = &run == &runs[0] ? 20005 : 15005;
  }
  const std::string page = comparison_page(compared(std::move(runs)));
  const std::string verdict = between(page, "<p class=\"lever ", "</p>");
  EXPECT_TRUE(
      verdict.starts_with("unjudged\">two and one cannot be told apart from drift of the "
                          "machine, which may explain up to 304.0 %: "))
      << verdict;
  EXPECT_LT(page.find("may be drift of the machine"), page.find("<p class=\"lever "));
  EXPECT_EQ(page.find("<td class=\"verdict faster\">"), std::string::npos);
}

}  // namespace
}  // namespace ridge::report
