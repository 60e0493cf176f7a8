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
  const Evaluated e(3000);
  const std::string page = sound_evaluation_page(e.view());
  for (std::size_t i = 0; i < e.figures.size(); ++i) {
    const scenario::Figures& f = e.figures[i];
    ASSERT_FALSE(f.latency.empty());
    for (const scenario::Percentile& p : f.latency) {
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
  Evaluated e(3000);
  e.validities[0] = {scenario::State::kValid, {}};
  e.validities[1] = {scenario::State::kInvalid, {"it was interrupted", "3 of 9 queries failed"}};
  const std::string page = sound_evaluation_page(e.view());
  EXPECT_EQ(between(page, "<p class=\"lever verdict faster\">", "<br>"),
            "<b>ONNX Runtime 1.2: valid</b>");
  EXPECT_EQ(between(page, "<p class=\"lever verdict slower\">", "<br><small>"),
            "<b>resnet50.onnxVino 1.2: invalid</b><br>it was interrupted<br>3 of 9 queries failed");
  EXPECT_LT(page.find("lever verdict"), page.find("id=\"figures\""));
}

TEST(EvaluationPage, SaysTheScenarioInOneSentence) {
  Evaluated e(50);
  EvaluationView view = e.view();
  view.find_peak = false;
  EXPECT_EQ(scenario_sentence(view),
            "Queries arrive at 80 per second (poisson arrivals, seed 1), whether or not the ones "
            "before are answered, with one run at a time, for at least 10 s and 100 queries. "
            "Bound: p99 of the latency within 120 ms.");
  view.bound.reset();
  view.scenario.kind = scenario::Kind::kClosedLoop;
  view.scenario.workers = 4;
  EXPECT_EQ(scenario_sentence(view),
            "4 clients, each of which sends its next query when its last one is answered, for at "
            "least 10 s and 100 queries.");
  view.scenario.kind = scenario::Kind::kOffline;
  EXPECT_EQ(scenario_sentence(view),
            "All samples are asked for at once, with up to 4 runs at the same time, for at least "
            "10 s and 100 queries.");
  view.scenario.kind = scenario::Kind::kMultiStream;
  view.scenario.samples_per_query = 8;
  EXPECT_EQ(scenario_sentence(view),
            "One client sends queries of 8 samples, the next when the one before it is answered, "
            "for at least 10 s and 100 queries.");
  view.load = false;
  EXPECT_EQ(scenario_sentence(view), "No load: every sample runs once, and its answer is judged.");
}

TEST(EvaluationPage, TheAxisOfLatenciesReachesABoundFarAboveThem) {
  const Evaluated e(50);
  EvaluationView view = e.view();
  view.bound->latency_ns = 12'000'000'000;
  const std::string page = sound_evaluation_page(view);
  const std::string chart =
      between(page.substr(page.find("<h2>Over time")), "aria-label=\"latency", "</svg>");
  EXPECT_NE(chart.find(">10 s<"), std::string::npos) << chart.substr(0, 3000);
}

TEST(EvaluationPage, ListsSamplesWithDifferentAnswers) {
  const Evaluated e(50);
  const std::string page = sound_evaluation_page(e.view());
  EXPECT_NE(page.find("4 of 64 samples get different answers from the runtimes (6.25 %)"),
            std::string::npos);
  const auto rows = all_between(between(page, "id=\"changed\"", "</table>"), "<tr><td", "</tr>");
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_NE(rows[1].find(">21<"), std::string::npos);
  EXPECT_EQ(all_between(rows[1], "data-v=\"", "\""), (std::vector<std::string>{"21", "22"}));
}

TEST(EvaluationPage, StepsWaitAndRunMakeOneBarEach) {
  const Evaluated e(200);
  const std::string page = sound_evaluation_page(e.view());
  const auto rows = all_between(between(page, "id=\"steps\"", "</table>"), "<tr><td", "</tr>");
  ASSERT_EQ(rows.size(), 10U);  // three steps, wait and run of two runtimes
  for (std::size_t i = 0; i < 2; ++i) {
    double wait = 0, run = 0;
    for (const scenario::Query& q : e.loads[i].queries) {
      wait += static_cast<double>(q.issued_ns - q.scheduled_ns) / 200;
      run += static_cast<double>(q.done_ns - q.issued_ns) / 200;
    }
    EXPECT_NEAR(cell_attribute(rows[5 * i + 3], "data-v"), wait, 1e-6 * wait);
    EXPECT_NEAR(cell_attribute(rows[5 * i + 4], "data-v"), run, 1e-6 * run);
    EXPECT_NEAR(wait + run, e.figures[i].mean_ns, 1e-6 * run);
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
  Evaluated e(40);
  EvaluationView view = e.view();
  view.load = false;
  view.bound.reset();
  for (EvaluationPoint& p : view.points) p.load = nullptr, p.peak.reset();
  view.steps.clear();
  view.levels.clear();
  const std::string answers = sound_evaluation_page(view);
  for (const char* heading : {"<h2>Latency", "<h2>Over time", "<h2>Search", "<h2>Steps"})
    EXPECT_EQ(answers.find(heading), std::string::npos) << heading;
  EXPECT_NE(answers.find("<h2>Answers"), std::string::npos);
  view.points.clear();
  EXPECT_NE(sound_evaluation_page(view).find("No runtime was evaluated."), std::string::npos);
  // The first point is from a store; the load of the second ended before its first answer.
  EvaluationView dead = e.view();
  e.loads[0].queries.clear();
  e.loads[1].queries.resize(1);
  e.loads[1].queries[0].failed = 1;
  e.figures[1] = scenario::figures_of(e.scenario, e.loads[1], e.bound);
  const std::string page = sound_evaluation_page(dead);
  EXPECT_EQ(count(page, "evaluated before: its queries are not kept"), 1U);
  EXPECT_EQ(cell_attribute(cells(page, "queries")[0], "data-v"), 40);
}

TEST(EvaluationPage, EscapesNamesFromOutside) {
  const Evaluated e(40);
  EvaluationView view = e.view(kHostile);
  view.host = view.data = view.ridge = kHostile;
  view.steps[0].name = view.levels[0].name = view.points[0].answers->figures[0].name = kHostile;
  const std::string page = sound_evaluation_page(view);
  EXPECT_EQ(count(page, "<script>"), 1U);
  EXPECT_EQ(count(page, "<img"), 0U);
  EXPECT_EQ(count(page, "\x1b"), 0U);
}

}  // namespace
}  // namespace ridge::report
