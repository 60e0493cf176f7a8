// SPDX-License-Identifier: Apache-2.0
#include "report/bricks/page.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "bricks/testing/lettered.h"
#include "report/kit/testing.h"

namespace ridge::report {
namespace {

using bricks::Plan;
using bricks::testing::lettered;
using testing::all_between;
using testing::between;
using testing::count;
using testing::kHostile;
using testing::unbalanced;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// The part of the page that follows from its data: without the terms and the script.
std::string shown_bricks(const std::string& page) { return between(page, "<body>", "<script>"); }

/// The table with that id.
std::string table(const std::string& page, const std::string& id) {
  return between(page, "id=\"" + id + "\"", "</table>");
}

std::vector<std::string> rows(const std::string& table) {
  return all_between(between(table, "<tbody>", "</tbody>"), "<tr>", "</tr>");
}

std::vector<std::string> brick_row_values(const std::string& row) {
  return all_between(row, "data-v=\"", "\"");
}

std::vector<std::string> titles(const std::string& markup) {
  return all_between(markup, "<title>", "</title>");
}

/// Page of a plan that fits HTML, has no unknown figure, and explains its terms.
std::string sound_bricks_page(const BricksPage& data) {
  std::string page = bricks_page(data);
  EXPECT_EQ(unbalanced(page), "");
  EXPECT_EQ(testing::dangling_terms(page), std::vector<std::string>());
  EXPECT_EQ(testing::unexplained_headings(page), std::vector<std::string>());
  for (const char* unknown : {"nan", "inf ", "\"inf", ">inf", "-inf"})
    EXPECT_EQ(count(shown_bricks(page), unknown), 0U) << unknown;
  return page;
}

/// Time of a process for each brick, by key.
bricks::BrickTimes times_of(const std::vector<std::pair<std::string, std::int64_t>>& ns) {
  profile::SuiteProcess process;
  for (const std::uint32_t kernels : {20U, 60U})
    for (std::uint32_t round = 0; round < 10; ++round)
      process.chains.push_back({.kernels = kernels,
                                .round = round,
                                .plain_ns = 300 + kernels * 1000,
                                .profiled_ns = 300 + kernels * 1000,
                                .reported_ns = kernels * 1000,
                                .foreign_cpus = 0});
  for (const auto& [key, time] : ns) {
    profile::SuiteBrick brick{.key = key, .kind = "Conv|float32", .macs = 1, .bytes = 1};
    for (std::uint32_t round = 0; round < 10; ++round)
      brick.runs.push_back({.round = round, .reported_ns = time, .events = 0, .foreign_cpus = 0});
    process.bricks.push_back(std::move(brick));
  }
  process.lost = {{"z", std::string("the runtime rejected it: ") + kHostile}};
  return {std::span(&process, 1), {.processors = 2, .threads = 1}};
}

TEST(BricksPage, ShowsTheCountsOfThePlan) {
  const std::vector<std::string> words = {"abca", "bcdddd", "aabbccdd", "xyz"};
  Plan plan = lettered(words);
  plan.left_over = {{"m3", {7, 8}, "it lacks Relu", ""}, {"m3", {9}, "it lacks Relu", ""}};
  const std::string page = sound_bricks_page({.plan = &plan});
  const std::vector<std::string> models = rows(table(page, "repeats"));
  ASSERT_EQ(models.size(), words.size());
  for (std::size_t m = 0; m < words.size(); ++m) {
    const bricks::PlannedModel& model = plan.models[m];
    const std::vector<std::string> shown = brick_row_values(models[m]);
    ASSERT_EQ(shown.size(), 7U);
    EXPECT_EQ(shown[0], std::to_string(model.macs));
    EXPECT_EQ(shown[1], std::to_string(model.bricks));
    EXPECT_EQ(shown[2], std::to_string(model.unique));
    EXPECT_NEAR(std::stod(shown[3]), 1.0 * model.bricks / model.unique, 1e-6);
    EXPECT_EQ(shown[4], std::to_string(model.added));
    EXPECT_EQ(shown[6], m == 3 ? "3" : "0");
  }
  // The parts of a bar: of bcdddd b and c are known, d is new and comes three times more.
  EXPECT_EQ(all_between(models[1], "title=\"", "\""),
            (std::vector<std::string>{"2 known from models before: 33.3 %",
                                      "3 repeated in this model: 50.0 %", "1 new: 16.7 %"}));
  EXPECT_EQ(count(page, "<b>21</b><span>pieces</span>"), 1U);
  EXPECT_EQ(count(page, "<b>7</b><span>bricks, 33.3 % of the pieces</span>"), 1U);
  EXPECT_EQ(rows(table(page, "left")).size(), 1U);
}

TEST(BricksPage, ShadesACellPerPairThatShares) {
  const Plan plan = lettered({"abb", "bcc", "ddd"});
  const std::string page = sound_bricks_page({.plan = &plan});
  const std::string matrix = between(page, "aria-label=\"shared pieces\"", "</svg>");
  const std::vector<std::string> all = titles(matrix);
  const std::set<std::string> cells(all.begin(), all.end());
  EXPECT_TRUE(cells.contains("m0: 2 of 3 pieces (66.7 %)\nwhose brick m1 has too"));
  EXPECT_TRUE(cells.contains("m1: 1 of 3 pieces (33.3 %)\nwhose brick m0 has too"));
  EXPECT_TRUE(cells.contains("m2: 3 pieces"));
  EXPECT_EQ(count(matrix, "<rect class=\"c\""), 2U);
  EXPECT_EQ(count(matrix, "<rect class=\"self\""), 3U);
  EXPECT_EQ(count(matrix, ">67<"), 1U);
  // Of the 5 MACs of m0, 4 are of brick b.
  EXPECT_EQ(count(between(page, "aria-label=\"multiply-accumulates of shared pieces\"", "</svg>"),
                  "m0: 4 of 5 MACs (80.0 %)"),
            1U);
}

TEST(BricksPage, AddsUpModelsInTheOrderOfThePlan) {
  const Plan plan = lettered({"abb", "bcc", "ddd"});
  const std::string page = sound_bricks_page({.plan = &plan});
  EXPECT_EQ(titles(between(page, "aria-label=\"pieces and bricks in", "</svg>")),
            (std::vector<std::string>{"m0: 3 pieces, 2 new\nup to here 3 pieces, 2 once each",
                                      "m1: 3 pieces, 1 new\nup to here 6 pieces, 3 once each",
                                      "m2: 3 pieces, 1 new\nup to here 9 pieces, 4 once each"}));
}

TEST(BricksPage, ListsBricksWithMostWorkFirstAndSumsUpTheRest) {
  std::string word;
  for (char letter = 'A'; letter <= 'z'; ++letter)
    if (std::isalpha(static_cast<unsigned char>(letter)) != 0) word += letter;
  Plan plan = lettered({word + word});
  for (std::size_t b = 0; b < plan.bricks.size(); ++b)
    plan.bricks[b].macs = static_cast<std::int64_t>(b);
  const std::string page = sound_bricks_page({.plan = &plan});
  const std::vector<std::string> listed = rows(table(page, "bricks"));
  ASSERT_EQ(listed.size(), 50U);
  for (std::size_t i = 0; i < listed.size(); ++i)
    EXPECT_EQ(brick_row_values(listed[i])[2], std::to_string(plan.bricks.size() - 1 - i));
  const std::string rest = between(page, "<tfoot>", "</tfoot>");
  EXPECT_EQ(count(rest, "2 bricks more"), 1U);
  EXPECT_EQ(brick_row_values(rest)[0], "4");
  double shares = std::stod(brick_row_values(rest)[1]);
  for (const std::string& row : listed) shares += std::stod(brick_row_values(row)[4]);
  EXPECT_NEAR(shares, 1, 1e-6);
}

TEST(BricksPage, WeighsBricksByTheirTimeOnceThereIsOne) {
  const Plan plan = lettered({"abbz"});
  const bricks::BrickTimes times = times_of({{"a", 1000}, {"b", 2000}});
  const std::string page = sound_bricks_page({.plan = &plan, .times = &times});
  const std::vector<std::string> listed = rows(table(page, "bricks"));
  ASSERT_EQ(listed.size(), 3U);
  EXPECT_EQ(count(listed[0], "b.onnx"), 1U);
  EXPECT_EQ(brick_row_values(listed[0]),
            (std::vector<std::string>{"2", "1", "2", "0", "2000", "0.8"}));
  EXPECT_EQ(count(listed[2], ">?<"), 1U);  // z
  const std::vector<std::string> lost = rows(table(page, "unmeasured"));
  ASSERT_EQ(lost.size(), 1U);
  EXPECT_EQ(count(lost[0], "the runtime rejected it"), 1U);
}

bricks::CheckedModel checked(const std::string& name, double error, double half) {
  return {.name = name,
          .measured = {1e6, {{0.99e6, 1.01e6}}},
          .estimate = {1e6 * (1 + error), {{1e6 * (1 + error - half), 1e6 * (1 + error + half)}}},
          .processes = 4,
          .seconds = 3};
}

TEST(BricksPage, DrawsErrorsWithBothIntervals) {
  const Plan plan = lettered({"ab", "b", "c"});
  bricks::Check check;
  check.models = {checked("m0", 0.01, 0.02), checked("m1", -0.1, 0.01), checked("m2", 0.05, 0.01)};
  check.times = {.plan_s = 1, .load_s = 0.5, .run_s = 1.5};
  const std::string page = sound_bricks_page({.plan = &plan, .check = &check});
  const std::vector<std::string> sorted = rows(table(page, "errors"));
  ASSERT_EQ(sorted.size(), 3U);
  EXPECT_EQ(count(sorted[0], ">m2<") + count(sorted[1], ">m0<") + count(sorted[2], ">m1<"), 3U);
  EXPECT_NEAR(std::stod(brick_row_values(sorted[2])[4]), -0.1, 1e-6);
  const std::string chart = between(page, "<svg class=\"be\"", "</svg>");
  EXPECT_EQ(count(chart, "<g class=\"meets\">"), 1U);
  EXPECT_EQ(count(chart, "<g class=\"apart\">"), 2U);
  // The axis is from -16 % to 16 % on 870 pixels from 250: 0 at 685, 1 % is 27.19.
  EXPECT_EQ(all_between(chart, "<circle cx=\"", "\""),
            (std::vector<std::string>{"820.94", "712.19", "413.13"}));
  EXPECT_EQ(count(chart, "<line class=\"estimate\" x1=\"657.81\" x2=\"766.56\""), 1U);
  EXPECT_EQ(count(chart, "<rect class=\"measured\" x=\"657.81\" y=\"58.5\" width=\"54.38\""), 1U);
  EXPECT_EQ(count(chart, "<rect class=\"near\" x=\"603.44\" y=\"24\" width=\"163.12\""), 1U);
  EXPECT_EQ(count(page, "<b>1 of 3</b><span>intervals meet</span>"), 1U);
  EXPECT_EQ(count(page, "<b>3.0 x</b>"), 1U);  // 9 s against 3 s
}

TEST(BricksPage, DrawsErrorsBeyondTheAxisAtItsEnd) {
  const Plan plan = lettered({"ab", "b"});
  bricks::Check check;
  check.models = {checked("m0", 3, 0.02), checked("m1", 0, 0.01)};
  check.models[1].measured.interval.reset();
  check.models[1].estimate.interval.reset();
  check.without_estimate = {kHostile};
  const std::string page = sound_bricks_page({.plan = &plan, .check = &check});
  const std::string chart = between(page, "<svg class=\"be\"", "</svg>");
  EXPECT_EQ(count(chart, "<path"), 1U);
  EXPECT_EQ(count(chart, "+300.0 %"), 2U);  // the tooltip's, too
  EXPECT_EQ(count(chart, "<rect class=\"measured\""), 1U);
  EXPECT_EQ(count(chart, "<line class=\"estimate\""), 1U);
}

TEST(BricksPage, ListsEstimatesAndWhatTheyLack) {
  const Plan plan = lettered({"ab", "bz"});
  const bricks::BrickTimes times = times_of({{"a", 1000}, {"b", 2000}});
  const std::vector<bricks::ModelProgress> estimates = {
      {.name = "m0", .estimate = {3e3, {{2.9e3, 3.1e3}}}, .half_width = 0.02, .reached = true},
      {.name = "m1",
       .estimate = {kUnknown},
       .half_width = std::numeric_limits<double>::infinity(),
       .unmeasured = 1}};
  const std::string page =
      sound_bricks_page({.plan = &plan, .estimates = estimates, .times = &times});
  const std::vector<std::string> listed = rows(table(page, "estimates"));
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_EQ(brick_row_values(listed[0]),
            (std::vector<std::string>{"3000", "0.0333333333", "0.02", "0"}));
  EXPECT_EQ(brick_row_values(listed[1]), (std::vector<std::string>{"", "", "", "1"}));
}

TEST(BricksPage, LeavesOutWhatFewModelsDoNotHave) {
  const Plan none, one = lettered({"aab"}), two = lettered({"aab", "b"}),
                   empty = lettered({"", ""});
  for (const char* section : {"Repeats", "What models share", "What a new model adds", "Bricks"}) {
    const std::string heading = fmt::format("<h2>{}</h2>", section);
    const bool needs_two = std::string_view(section).starts_with("What");
    EXPECT_EQ(count(sound_bricks_page({.plan = &none}), heading), 0U) << section;
    EXPECT_EQ(count(sound_bricks_page({.plan = &one}), heading), needs_two ? 0U : 1U) << section;
    EXPECT_EQ(count(sound_bricks_page({.plan = &two}), heading), 1U) << section;
  }
  EXPECT_EQ(count(sound_bricks_page({.plan = &none}), "<h1>Bricks of 0 models</h1>"), 1U);
  EXPECT_EQ(count(sound_bricks_page({.plan = &empty}), "<h2>Bricks</h2>"), 0U);
}

TEST(BricksPage, ShowsNinetyModelsWithoutNumbersInCells) {
  std::vector<std::string> words(90);
  for (std::size_t m = 0; m < words.size(); ++m)
    for (std::size_t piece = 0; piece < 20; ++piece)
      words[m] += static_cast<char>('a' + (m / 10 + piece * (m % 3 + 1)) % 26);
  const Plan plan = lettered(words);
  const std::string page = sound_bricks_page({.plan = &plan});
  EXPECT_EQ(count(page, "<rect class=\"self\""), 180U);
  EXPECT_EQ(count(page, "class=\"in"), 0U);
  EXPECT_EQ(rows(table(page, "repeats")).size(), 90U);
  EXPECT_EQ(
      count(between(page, "aria-label=\"pieces and bricks in", "</svg>"), "<g class=\"slot\""),
      90U);
}

TEST(BricksPage, OmitsThePrefixThatAllNamesShareInCharts) {
  Plan plan = lettered({"a", "a"});
  plan.models[0].name = "zoo:net_a";
  plan.models[1].name = "zoo:net_b";
  plan.bricks[0].occurrences = {{"zoo:net_a", {0}}, {"zoo:net_b", {0}}};
  const std::string page = sound_bricks_page({.plan = &plan});
  EXPECT_EQ(count(between(page, "<div class=\"matrix\">", "</div>"), "zoo:"), 0U);
  // A row and a column of two matrices, each with its tooltip, and two charts.
  EXPECT_EQ(count(page, ">net_a<"), 10U);
}

TEST(BricksPage, EscapesNames) {
  Plan plan = lettered({"ab", "b"});
  for (bricks::PlannedModel& m : plan.models) m.name += kHostile;
  for (bricks::Brick& b : plan.bricks) {
    b.file = b.key + kHostile;
    b.kernels = {kHostile, kHostile};
    for (bricks::Occurrence& o : b.occurrences) o.model += kHostile;
  }
  plan.runtime = plan.runtime_version = plan.host = plan.ridge = kHostile;
  plan.left_over = {{plan.models[0].name, {5}, kHostile, ""}};
  bricks::Check check;
  check.models = {checked(plan.models[0].name, 0.01, 0.02)};
  check.without_estimate = {plan.models[1].name};
  const bricks::BrickTimes times = times_of({{"a", 1000}});
  const std::vector<bricks::ModelProgress> estimates = {{.name = plan.models[0].name}};
  const std::string page =
      sound_bricks_page({.plan = &plan, .estimates = estimates, .times = &times, .check = &check});
  EXPECT_EQ(count(page, "<script>alert"), 0U);
  EXPECT_EQ(count(page, "<img"), 0U);
  EXPECT_EQ(count(page, "\x1b"), 0U);
  EXPECT_GT(count(page, "&lt;script&gt;alert"), 10U);
}

}  // namespace
}  // namespace ridge::report
