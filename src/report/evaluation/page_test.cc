// SPDX-License-Identifier: Apache-2.0
#include "report/evaluation/page.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/text.h"
#include "report/evaluation/testing.h"
#include "report/kit/testing.h"

namespace ridge::report {
namespace {

using testing::all_between;
using testing::between;
using testing::count;
using testing::Evaluated;
using testing::kHostile;
using testing::unbalanced;

/// Page that fits HTML, has no unknown figure, and explains its terms.
std::string sound_evaluation_page(const EvaluationView& view) {
  std::string page = evaluation_page(view);
  EXPECT_EQ(unbalanced(page), "");
  EXPECT_EQ(testing::dangling_terms(page), std::vector<std::string>());
  EXPECT_EQ(testing::unexplained_headings(page), std::vector<std::string>());
  const std::string shown = between(page, "<body>", "<script>");
  for (const char* unknown : {"nan", "inf ", "\"inf", ">inf", "-inf", ">?<"})
    EXPECT_EQ(count(shown, unknown), 0U) << unknown;
  return page;
}

/// Cells of the row of a figure, one for each runtime.
std::vector<std::string> cells(const std::string& page, const std::string& key) {
  return all_between(between(page, "<tr data-key=\"" + key + "\">", "</tr>"), "<td class=\"n\"",
                     "</td>");
}

double cell_attribute(const std::string& cell, const std::string& name) {
  return std::strtod(between(cell, " " + name + "=\"", "\"").c_str(), nullptr);
}

TEST(EvaluationPage, ShowsEachFigureWithItsInterval) {
  const Evaluated bench(3000);
  const std::string page = sound_evaluation_page(bench.view());
  for (std::size_t i = 0; i < bench.e.points.size(); ++i) {
    const scenario::Figures& f = bench.e.points[i].figures;
    ASSERT_FALSE(f.latency.percentiles.empty());
    for (const scenario::Percentile& p : f.latency.percentiles) {
      const auto row = cells(page, "latency." + scenario::percentile_name(p.share));
      ASSERT_EQ(row.size(), 2U);
      EXPECT_EQ(cell_attribute(row[i], "data-v"), static_cast<double>(p.value_ns));
      if (!p.interval) continue;
      EXPECT_NEAR(cell_attribute(row[i], "data-low"), p.interval->lo, 1e-3);
      EXPECT_NEAR(cell_attribute(row[i], "data-high"), p.interval->hi, 1e-3);
    }
    EXPECT_EQ(cell_attribute(cells(page, "queries")[i], "data-v"), 3000);
    EXPECT_NEAR(cell_attribute(cells(page, "completed")[i], "data-v"), f.completed.per_s,
                1e-9 * 100);
    EXPECT_NEAR(cell_attribute(cells(page, "within")[i], "data-v"), f.within->value, 1e-12);
    EXPECT_EQ(cell_attribute(cells(page, "late.p99")[i], "data-v"),
              static_cast<double>(f.lateness.p99_ns));
    EXPECT_EQ(cell_attribute(cells(page, "peak")[i], "data-v"), 88);
  }
  EXPECT_EQ(cell_attribute(cells(page, "answers.top1")[1], "data-v"), 0.6875);
}

TEST(EvaluationPage, SaysTheVerdictWithItsReasonsFirst) {
  Evaluated bench(3000);
  bench.e.points[0].validity = {scenario::State::kValid, {}};
  bench.e.points[1].validity = {scenario::State::kInvalid,
                                {"it was interrupted", "3 of 9 queries failed"}};
  const std::string page = sound_evaluation_page(bench.view());
  EXPECT_EQ(between(page, "<p class=\"lever verdict faster\">", "<br>"),
            "<b>ONNX Runtime 1.2: valid</b>");
  EXPECT_EQ(between(page, "<p class=\"lever verdict slower\">", "<br><small>"),
            "<b>resnet50.onnxVino 1.2: invalid</b><br>it was interrupted<br>3 of 9 queries failed");
  EXPECT_LT(page.find("lever verdict"), page.find("id=\"figures\""));
}

TEST(EvaluationPage, SaysTheScenarioInOneSentence) {
  Evaluated bench(50);
  Evaluation& e = bench.e;
  for (EvaluatedPoint& p : e.points) p.peak.reset();
  EXPECT_EQ(scenario_sentence(e),
            "Queries arrive at 80 per second (poisson arrivals, seed 1), whether or not the ones "
            "before are answered, with one run at a time, for at least 10 s and 100 queries. "
            "Bound: p99 of the latency within 120 ms.");
  e.bound.reset();
  e.scenario.kind = scenario::Kind::kClosedLoop;
  e.scenario.workers = 4;
  EXPECT_EQ(scenario_sentence(e),
            "4 clients, each of which sends its next query when its last one is answered, for at "
            "least 10 s and 100 queries.");
  e.scenario.kind = scenario::Kind::kOffline;
  EXPECT_EQ(scenario_sentence(e),
            "All samples are asked for at once, with up to 4 runs at the same time, for at least "
            "10 s and 100 queries.");
  e.scenario.kind = scenario::Kind::kMultiStream;
  e.scenario.samples_per_query = 8;
  EXPECT_EQ(scenario_sentence(e),
            "One client sends queries of 8 samples, the next when the one before it is answered, "
            "for at least 10 s and 100 queries.");
  e.load = false;
  EXPECT_EQ(scenario_sentence(e), "No load: every sample runs once, and its answer is judged.");
}

TEST(EvaluationPage, TheAxisOfLatenciesReachesABoundFarAboveThem) {
  Evaluated bench(50);
  bench.e.bound->latency_ns = 12'000'000'000;
  const std::string page = sound_evaluation_page(bench.view());
  const std::string chart =
      between(page.substr(page.find("<h2>Over time")), "aria-label=\"latency", "</svg>");
  EXPECT_NE(chart.find(">10 s<"), std::string::npos) << chart.substr(0, 3000);
}

TEST(EvaluationPage, ListsSamplesWithDifferentAnswers) {
  const Evaluated bench(50);
  const std::string page = sound_evaluation_page(bench.view());
  EXPECT_NE(page.find("4 of 64 samples get different answers from the runtimes (6.25 %)"),
            std::string::npos);
  const auto rows = all_between(between(page, "id=\"changed\"", "</table>"), "<tr><td", "</tr>");
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_NE(rows[1].find(">21<"), std::string::npos);
  EXPECT_EQ(all_between(rows[1], "data-v=\"", "\""), (std::vector<std::string>{"21", "22"}));
}

TEST(EvaluationPage, StepsWaitAndRunMakeOneBarEach) {
  const Evaluated bench(200);
  const std::string page = sound_evaluation_page(bench.view());
  const auto rows = all_between(between(page, "id=\"steps\"", "</table>"), "<tr><td", "</tr>");
  ASSERT_EQ(rows.size(), 10U);  // three steps, wait and run of two runtimes
  for (std::size_t i = 0; i < 2; ++i) {
    double wait = 0, run = 0;
    for (const scenario::Query& q : bench.e.points[i].load.queries) {
      wait += static_cast<double>(q.issued_ns - q.scheduled_ns) / 200;
      run += static_cast<double>(q.done_ns - q.issued_ns) / 200;
    }
    EXPECT_NEAR(cell_attribute(rows[5 * i + 3], "data-v"), wait, 1e-6 * wait);
    EXPECT_NEAR(cell_attribute(rows[5 * i + 4], "data-v"), run, 1e-6 * run);
    EXPECT_NEAR(wait + run, bench.e.points[i].figures.latency.mean_ns, 1e-6 * run);
    double shares = 0;
    for (std::size_t k = 0; k < 5; ++k)
      shares += std::strtod(all_between(rows[5 * i + k], "data-v=\"", "\"")[1].c_str(), nullptr);
    EXPECT_NEAR(shares, 1, 1e-6);
  }
  const auto levels = all_between(between(page, "id=\"levels\"", "</table>"), "<tr><td", "</tr>");
  ASSERT_EQ(levels.size(), 2U);
  EXPECT_EQ(all_between(levels[1], "data-v=\"", "\""),
            (std::vector<std::string>{"3", "30000000", "28000000", "2000000", "1"}));
}

TEST(EvaluationPage, DoesNotGrowWithTheQueries) {
  const Evaluated few(2000), many(200'000);
  EXPECT_LT(evaluation_page(many.view()).size(), evaluation_page(few.view()).size() + 30'000);
  EXPECT_LT(evaluation_page(many.view()).size(), 300'000U);
}

TEST(EvaluationPage, LeavesOutWhatIsMissing) {
  Evaluated bench(40);
  bench.e.load = false;
  bench.e.bound.reset();
  for (EvaluatedPoint& p : bench.e.points) p.load = {}, p.figures = {}, p.peak.reset();
  bench.steps.clear();
  bench.levels.clear();
  const std::string answers = sound_evaluation_page(bench.view());
  for (const char* heading : {"<h2>Latency", "<h2>Over time", "<h2>Search", "<h2>Steps"})
    EXPECT_EQ(answers.find(heading), std::string::npos) << heading;
  EXPECT_NE(answers.find("<h2>Answers"), std::string::npos);
  bench.e.points.clear();
  EXPECT_NE(sound_evaluation_page(bench.view()).find("No runtime was evaluated."),
            std::string::npos);
  // The first point is from a store; the load of the second ended before its first answer.
  Evaluated dead(40);
  dead.e.points[0].load.queries.clear();
  EvaluatedPoint& second = dead.e.points[1];
  second.load.queries.resize(1);
  second.load.queries[0].failed = 1;
  second.figures = scenario::figures_of(dead.e.scenario, second.load, dead.e.bound);
  const std::string page = sound_evaluation_page(dead.view());
  EXPECT_EQ(count(page, "evaluated before: its queries are not kept"), 1U);
  EXPECT_EQ(cell_attribute(cells(page, "queries")[0], "data-v"), 40);
}

TEST(EvaluationPage, EscapesNamesFromOutside) {
  Evaluated bench(40, kHostile);
  bench.e.host = bench.e.data->of.source = bench.e.ridge = kHostile;
  bench.steps[0].name = bench.levels[0].name = kHostile;
  bench.e.points[0].accuracy->metrics[0].metric = kHostile;
  const std::string page = sound_evaluation_page(bench.view());
  EXPECT_EQ(count(page, "<script>"), 1U);
  EXPECT_EQ(count(page, "<img"), 0U);
  EXPECT_EQ(count(page, "\x1b"), 0U);
}

}  // namespace
}  // namespace ridge::report
