// SPDX-License-Identifier: Apache-2.0
#include "report/advice/page.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "report/advice/arrows.h"
#include "report/advice/modules.h"
#include "report/kit/testing.h"

namespace ridge::report {
namespace {

using advice::Advice;
using advice::Check;
using advice::CheckState;
using advice::Finding;
using testing::all_between;
using testing::between;
using testing::count;
using testing::kHostile;
using testing::unbalanced;

/// The part of the page that follows from its data: without the terms and the script.
std::string shown_advice(const std::string& page) { return between(page, "<body>", "<script>"); }

std::string section_of(const std::string& page, const std::string& heading) {
  return between(page, "<h2>" + heading + "</h2>", "</section>");
}

std::vector<std::string> row_values(const std::string& row) {
  return all_between(row, "data-v=\"", "\"");
}

std::vector<std::string> figure_rows(const std::string& page) {
  const std::string table = between(page, "id=\"figures\"", "</table>");
  return all_between(between(table, "<tbody>", "</tbody>"), "<tr>", "</tr>");
}

/// Line of a finding in the list.
std::string line_of(const std::string& page, const std::string& id) {
  return between(page, "id=\"" + id + "\" class=\"group\">", "</summary>");
}

/// Page that is well formed, names unknown figures in words, explains its terms, and whose links
/// lead somewhere.
std::string sound_advice_page(const Advice& advice, const profile::Profile& run,
                              const roofline::Roofs& roofs = {}) {
  std::string page = advice_page(advice, run, roofs);
  EXPECT_EQ(unbalanced(page), "");
  EXPECT_EQ(testing::dangling_terms(page), std::vector<std::string>());
  EXPECT_EQ(testing::unexplained_headings(page), std::vector<std::string>());
  for (const char* unknown : {"nan", "inf ", "\"inf", ">inf", "-inf"})
    EXPECT_EQ(count(shown_advice(page), unknown), 0U) << unknown;
  const std::vector<std::string> ids = all_between(page, " id=\"", "\"");
  const std::set<std::string> targets(ids.begin(), ids.end());
  for (const std::string& link : all_between(page, "href=\"#", "\""))
    EXPECT_TRUE(targets.contains(link)) << link;
  return page;
}

/// Layer with one node of its own. `macs`: half of its operations.
void add_layer(profile::Profile& run, const std::string& module, double time_ns,
               std::optional<double> bound_ns, std::int64_t macs = 0, std::int64_t bytes = 0) {
  const auto index = static_cast<std::uint32_t>(run.layers.size());
  run.nodes.push_back({.index = index, .parent = {}, .name = fmt::format("node{}", index)});
  profile::Layer layer;
  layer.index = index;
  layer.type = "Conv";
  layer.corrected_ns = time_ns;
  layer.module = module;
  layer.bound.time_ns = bound_ns;
  layer.work = {.macs = macs, .flops = 0, .special = 0, .int_ops = 0};
  layer.bytes = bytes;
  layer.members.push_back({.node = index});
  if (macs > 0) {
    layer.flop_per_s = 2.0 * static_cast<double>(macs) / time_ns * 1e9;
    layer.intensity = 2.0 * static_cast<double>(macs) / static_cast<double>(bytes);
  }
  run.layers.push_back(std::move(layer));
}

/// Four layers of 1 ms and 1 ms outside of them: two convolutions of 100 and 10 GFLOP/s at 10
/// FLOP/B in the module "body", one without arithmetic, one without a bound.
profile::Profile four_layers() {
  profile::Profile run;
  run.subject.path = "net.onnx";
  run.latency.ns = {5e6, {{4.9e6, 5.1e6}}};
  run.profiling.corrected_sum_ns = 4e6;
  run.profiling.outside_layers_ns = 1e6;
  add_layer(run, "body/a", 1e6, 8e5, 50'000'000, 10'000'000);
  add_layer(run, "body/b", 1e6, 2e5, 5'000'000, 1'000'000);
  add_layer(run, "head", 1e6, 5e5);
  add_layer(run, "", 1e6, {});
  for (profile::Layer& layer : run.layers) layer.share = 0.25;
  return run;
}

Advice of_four_layers() {
  Advice a{.ridge = "0.1.0",
           .model = "net.onnx",
           .runtime = "ONNX Runtime",
           .runtime_version = "1.31.1",
           .host = "bench, AMD EPYC",
           .threads = 1,
           .measured_ns = {5e6, {{4.9e6, 5.1e6}}}};
  a.kernel_bound = {1.5e6, 8e5, {.nodes = 0.75, .time = 0.8, .unknown = {3}}, {0}};
  a.model_bound = {.time_ns = 1e6, .parallel_ns = 6e5, .kind = "compute", .macs = 50'000'000};
  a.achievable = {.sequential_ns = 4e6, .scheduled_ns = 3e6};
  return a;
}

Finding finding(const std::string& id, std::vector<graph::NodeId> nodes,
                std::optional<stats::Estimate> gain_ns = {}) {
  return {.id = id,
          .question = "Q5",
          .kind = "unfused_pattern",
          .nodes = std::move(nodes),
          .evidence = id + " is spelled out",
          .gain_ns = gain_ns,
          .no_price = gain_ns ? "" : "no bricks",
          .how = "one kernel",
          .command = "ridge advise net.onnx --apply " + id};
}

Check check(CheckState state, const stats::Estimate& gain_ns, const std::string& reason = "") {
  Check out;
  out.state = state;
  out.before_ns = {5e6, {{5e6, 5e6}}};
  out.after_ns = {5e6 - gain_ns.value, {{4e6, 5e6}}};
  out.gain_ns = gain_ns;
  out.reason = reason;
  return out;
}

TEST(AdvicePage, ShowsTheFiguresOnOneScale) {
  Advice a = of_four_layers();
  const std::string page = sound_advice_page(a, four_layers());
  EXPECT_EQ(count(page, "<h1>net.onnx</h1>"), 1U);
  EXPECT_EQ(count(page, "ONNX Runtime 1.31.1 · 1 thread · bench, AMD EPYC · ridge 0.1.0"), 1U);
  EXPECT_EQ(count(page, "<b>5.000 ms</b><span>latency, median, 95 % interval [4.900 ms, 5.100 ms]"),
            1U);
  const std::vector<std::string> rows = figure_rows(page);
  ASSERT_EQ(rows.size(), 7U);
  const std::vector<std::pair<std::string, double>> expected = {
      {"bound of the model, in parallel", 6e5},
      {"bound of the model", 1e6},
      {"bound of these kernels, in parallel", 8e5},
      {"bound of these kernels", 1.5e6},
      {"achievable, in parallel", 3e6},
      {"achievable", 4e6},
      {"measured", 5e6}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(between(rows[i], "\">", "</td>"), expected[i].first);
    const double ns = expected[i].second;
    ASSERT_EQ(row_values(rows[i]).size(), 2U);
    EXPECT_NEAR(std::stod(row_values(rows[i])[0]), ns, 1);
    EXPECT_NEAR(std::stod(row_values(rows[i])[1]), ns / 5e6, 1e-6);
    // The scale ends with the interval of the measured latency, at 5.1 ms.
    EXPECT_NEAR(std::stod(between(rows[i], "width:", "%")), 100 * ns / 5.1e6, 0.006);
  }
  EXPECT_EQ(count(rows[1], "compute: 50.0 M multiply-accumulates"), 1U);
  EXPECT_EQ(count(rows[3], "modeled") > 0 && count(rows[3], "covers 80.0 % of the time") > 0, true);
  EXPECT_EQ(count(rows[4], ">estimated:"), 1U);
  EXPECT_EQ(count(rows[5], ">measured: the run itself; no bricks were measured<"), 1U);
  EXPECT_EQ(count(rows[6], "class=\"interval\" style=\"left:96.08%;width:3.92%\""), 1U);
  EXPECT_EQ(count(page, "1 node without a bound"), 1U);
  EXPECT_EQ(count(page, "1 node in layers faster than their roof"), 1U);
}

TEST(AdvicePage, SaysHowTheAchievableTimeWasObtained) {
  Advice a = of_four_layers();
  a.achievable.layers = {{{0}, 1, "brick k"}, {{1}, 1, "brick l"}};
  a.achievable.coverage = {.nodes = 0.5, .time = 0.9};
  std::string row = figure_rows(sound_advice_page(a, four_layers()))[5];
  EXPECT_EQ(count(row,
                  ">measured: the least time of the run and of bricks; covers 90.0 % of the "
                  "time of layers, 50.0 % of their nodes<"),
            1U);
  EXPECT_EQ(count(row, "as-measured"), 1U);
  a.achievable.layers.push_back({{2}, 1, "OpenVINO"});
  row = figure_rows(sound_advice_page(a, four_layers()))[5];
  EXPECT_EQ(count(row, ">estimated: each piece in the best of OpenVINO;"), 1U);
  EXPECT_EQ(count(row, "as-estimated"), 1U);
}

TEST(AdvicePage, NamesUnknownFigures) {
  Advice a = of_four_layers();
  a.kernel_bound = {};
  a.model_bound = {};
  a.achievable.scheduled_ns.reset();
  a.threads = 4;
  a.measured_ns.interval.reset();
  profile::Profile run = four_layers();
  for (profile::Layer& layer : run.layers) layer.bound = {};
  const std::string page = sound_advice_page(a, run);
  const std::vector<std::string> rows = figure_rows(page);
  for (const std::size_t i : {0, 1, 2, 3, 4}) {
    EXPECT_EQ(row_values(rows[i]), std::vector<std::string>(2)) << i;
    EXPECT_EQ(count(rows[i], ">unknown<"), 1U) << i;
    EXPECT_EQ(count(rows[i], "<i "), 0U) << i;
  }
  EXPECT_EQ(count(rows[0], "the roofs of this machine are unknown"), 1U);
  EXPECT_EQ(count(rows[2], "no layer has a bound"), 1U);
  EXPECT_EQ(count(rows[4], "a run with 4 threads use several processors already"), 1U);
  EXPECT_EQ(count(rows[6], "95 % interval unknown"), 1U);
  EXPECT_EQ(count(page, "<b>unknown</b><span>bound of these kernels</span>"), 1U);
  EXPECT_EQ(count(page, "<b>unknown</b><span>bound of the model</span>"), 1U);
  const std::string modules = section_of(page, "By module");
  EXPECT_EQ(count(modules, "bounds unknown"), 1U);
  EXPECT_EQ(count(modules, ">unknown</span>"), 10U);  // bound and time above it of five modules
}

TEST(AdvicePage, ShowsModulesByTimeAboveTheirBound) {
  const std::string modules =
      section_of(sound_advice_page(of_four_layers(), four_layers()), "By module");
  // Above their bounds: body 200 + 800, outside 1000, head 500; the last layer has no bound.
  EXPECT_EQ(
      all_between(modules, "<span class=\"path\" title=\"", "\""),
      (std::vector<std::string>{"body", "b", "a", "(outside layers)", "head", "(in no module)"}));
  const std::string body = between(modules, "data-path=\"body\"", "</summary>");
  EXPECT_EQ(row_values(body), (std::vector<std::string>{"2000000", "1000000", "0.5", "1000000"}));
  EXPECT_EQ(all_between(body, "style=\"left:", "\""),
            (std::vector<std::string>{"0.00%;width:50.00%", "50.00%;width:50.00%"}));
  const std::string last = modules.substr(modules.find("(in no module)"));
  EXPECT_EQ(row_values(last), (std::vector<std::string>{"1000000", "", "", ""}));
  EXPECT_EQ(count(last, "class=\"unknown\" style=\"left:0.00%;width:50.00%\""), 1U);
  EXPECT_EQ(count(modules,
                  "Layers take 4.000 ms, their bounds 1.500 ms, which lack those of layers "
                  "that take 1.000 ms; 1.000 ms of the run is outside layers."),
            1U);
}

/// Sum over the layers inside a module, found by their paths alone.
ModuleTime sum_of(const profile::Profile& run, const std::string& path) {
  ModuleTime out{.path = path};
  for (const profile::Layer& l : run.layers) {
    if (l.module != path && !(l.module + "/").starts_with(path + "/")) continue;
    if (path.empty() && !l.module.empty()) continue;
    ++out.layers;
    out.time_ns += l.corrected_ns;
    const double bound = l.inserted ? 0 : l.bound.time_ns.value_or(l.corrected_ns);
    out.above_ns += std::max(0.0, l.corrected_ns - bound);
    if (!l.inserted) out.bound_ns += l.bound.time_ns.value_or(0);
    if (!l.inserted && !l.bound.time_ns) out.unbounded_ns += l.corrected_ns;
  }
  return out;
}

profile::Profile random_modules(std::mt19937& random) {
  profile::Profile run;
  for (int i = 0; i < 60; ++i) {
    std::string module;
    for (auto depth = random() % 5; depth > 0; --depth)
      module += (module.empty() ? "" : "/") + std::string(1, static_cast<char>('a' + random() % 3));
    const auto bound = random() % 3 == 0 ? std::nullopt : std::optional<double>(random() % 100);
    add_layer(run, module, static_cast<double>(random() % 100), bound);
    run.layers.back().inserted = random() % 8 == 0;
  }
  return run;
}

TEST(AdvicePage, SumsModulesUpAsTheirPathsSay) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 20; ++trial) {
    const profile::Profile run = random_modules(random);
    const ModuleTimes whole = module_times(run, 1000);
    EXPECT_EQ(whole.left_out, 0U);
    std::map<std::string, std::size_t> place;
    for (const ModuleTime& m : whole.rows) {
      const ModuleTime expected = sum_of(run, m.path);
      EXPECT_EQ(m.layers, expected.layers) << m.path;
      EXPECT_DOUBLE_EQ(m.time_ns, expected.time_ns) << m.path;
      EXPECT_DOUBLE_EQ(m.bound_ns, expected.bound_ns) << m.path;
      EXPECT_DOUBLE_EQ(m.above_ns, expected.above_ns) << m.path;
      EXPECT_DOUBLE_EQ(m.unbounded_ns, expected.unbounded_ns) << m.path;
      const std::size_t slash = m.path.rfind('/');
      if (slash != std::string::npos) {
        ASSERT_TRUE(place.contains(m.path.substr(0, slash))) << m.path;
      }
      place[m.path] = place.size();
    }
    // Siblings: most time above the bound first.
    for (const ModuleTime& a : whole.rows)
      for (const ModuleTime& b : whole.rows)
        if (a.depth == b.depth &&
            a.path.substr(0, a.path.rfind('/') + 1) == b.path.substr(0, b.path.rfind('/') + 1)) {
          EXPECT_FALSE(a.above_ns > b.above_ns && place[a.path] > place[b.path]);
        }
    // With fewer rows, those further above their bounds are kept.
    const ModuleTimes few = module_times(run, 7);
    EXPECT_EQ(few.rows.size(), 7U);
    EXPECT_EQ(few.left_out, whole.rows.size() - 7);
    double least = 1e9;
    std::set<std::string> kept;
    for (const ModuleTime& m : few.rows) kept.insert(m.path), least = std::min(least, m.above_ns);
    for (const ModuleTime& m : whole.rows)
      EXPECT_TRUE(kept.contains(m.path) || m.above_ns <= least) << m.path;
  }
}

/// Findings with every state: gains 0.2 (gained, prediction missed), 1 (predicted), 0.5 (lost), unknown.
Advice with_findings() {
  Advice a = of_four_layers();
  a.findings = {finding("gained", {0, 1}, stats::Estimate{3e5, {{1e5, 5e5}}}),
                finding("predicted", {2}, stats::Estimate{1e6, {{9e5, 11e5}}}),
                finding("unpriced", {3}), finding("lost", {0}, stats::Estimate{8e5, {{7e5, 9e5}}})};
  a.findings[0].check = check(CheckState::kGained, {2e5, {{1e5, 3e5}}});
  a.findings[0].check->outputs =
      advice::OutputDifference{2e-6, 4e-7, 1e-4, {"n=1", "n=2"}, {"seeded", "some NaN"}};
  a.findings[0].check->prediction = advice::Prediction::kMissed;
  a.findings[0].confidence = "high";
  a.findings[0].changed = {{{0}, 5e5, 2e5}, {{}, 0, 1e3}};
  a.findings[2].check =
      check(CheckState::kNotJudged, advice::kUnknown, "its outputs differ from those of the model");
  a.findings[2].check->broken = true;
  a.findings[2].lossless = false;
  a.findings[2].effect = "values";
  a.findings[2].effect_where = "by 0.5 of the largest element";
  a.findings[3].check = check(CheckState::kLost, {5e5, {{4e5, 6e5}}});
  return a;
}

TEST(AdvicePage, ListsFindingsWithTheLargestGainFirst) {
  const std::string page = sound_advice_page(with_findings(), four_layers());
  const std::string list = section_of(page, "Findings");
  const std::vector<std::string> order = {"predicted", "lost", "gained", "unpriced"};
  const std::vector<std::vector<std::string>> gains = {
      {"1000000", ""}, {"800000", "500000"}, {"300000", "200000"}, {"", ""}};
  const std::vector<std::string> verdicts = {"not checked", "lost", "gained",
                                             "not judged, outputs differ"};
  const std::vector<std::string> shares = {"20.0 %", "10.0 %", "4.0 %", "?"};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::string line = line_of(list, fmt::format("finding-{}", i));
    EXPECT_EQ(between(line, "<span class=\"path\">", " <"), order[i]);
    EXPECT_EQ(row_values(line), gains[i]) << order[i];
    EXPECT_EQ(count(line, ">" + verdicts[i] + "</span>"), i == 0 ? 2U : 1U) << line;
    EXPECT_EQ(count(line, ">" + shares[i] + "</span>"), 1U) << line;
  }
  EXPECT_EQ(count(page,
                  "Largest gain: predicted, 1.000 ms (20.0 % of the latency), predicted, not "
                  "measured."),
            1U);
  EXPECT_EQ(count(page, "findings, 1 gained, 1 lost, 1 not judged, 1 not checked"), 1U);
}

TEST(AdvicePage, ShowsEvidenceRepairCommandAndCheckOfAFinding) {
  const std::string list =
      section_of(sound_advice_page(with_findings(), four_layers()), "Findings");
  const std::string gained = between(list, "id=\"finding-2\"", "</li>");
  const auto said = [&](const std::string& of, const std::string& term) {
    return between(of, "<dt>" + term + "</dt><dd>", "</dd>");
  };
  EXPECT_EQ(said(gained, "evidence"), "gained is spelled out");
  EXPECT_EQ(said(gained, "repair"), "one kernel");
  EXPECT_EQ(said(gained, "command"),
            "<code class=\"command\">ridge advise net.onnx --apply gained</code>");
  EXPECT_EQ(
      said(gained, "predicted gain"),
      "cannot be predicted in this budget: 100.0 µs to 500.0 µs is more than 100.0 µs to both "
      "sides of 300.0 µs");
  EXPECT_EQ(said(gained, "achieved gain"), "200.0 µs (95 %: 100.0 µs to 300.0 µs)");
  EXPECT_EQ(said(gained, "confidence"), "high");
  EXPECT_EQ(
      said(gained, "check"),
      "gained: 5.000 ms (95 %: 5.000 ms to 5.000 ms) before, 4.800 ms (95 %: 4.000 ms to 5.000 "
      "ms) after");
  EXPECT_EQ(said(gained, "prediction"), "missed");
  EXPECT_EQ(
      said(gained, "outputs compared"),
      "differ by at most 4e-07 of their largest element (2e-06 absolute); compared at n=1; n=2; "
      "elements: seeded, some NaN; up to 0.0001 is rounding");
  EXPECT_EQ(said(gained, "question"), "Q5: missed fusions");
  EXPECT_EQ(said(gained, "2 nodes"),
            "<a href=\"#layer-0\">#0 node0</a>, <a href=\"#layer-1\">#1 node1</a>");
  EXPECT_EQ(
      said(gained, "changed pieces, run → bricks"),
      "<div>500.0 µs → 200.0 µs: <a href=\"#layer-0\">#0 node0</a></div><div>0 ns → 1.000 µs: "
      "kernels of the runtime's own</div>");
  const std::string unpriced = between(list, "id=\"finding-3\"", "</li>");
  EXPECT_EQ(count(unpriced, "changed pieces"), 0U);
  EXPECT_EQ(said(unpriced, "predicted gain"), "unknown: no bricks");
  EXPECT_EQ(said(unpriced, "achieved gain"), "unknown");
  EXPECT_EQ(said(unpriced, "check"),
            "not judged, outputs differ; its outputs differ from those of the model");
  EXPECT_EQ(said(unpriced, "warning"), "the outputs differ although they should stay the same");
  EXPECT_EQ(said(unpriced, "outputs"), "differ for some inputs: by 0.5 of the largest element");
}

TEST(AdvicePage, DrawsBothGainsOnOneScale) {
  const std::string list =
      section_of(sound_advice_page(with_findings(), four_layers()), "Findings");
  // 0 to 1.1 ms on 200 pixels from 10: 0.1 ms is 18.18 pixels.
  const std::string gained = between(line_of(list, "finding-2"), "<svg", "</svg>");
  EXPECT_EQ(count(gained,
                  "<g class=\"predicted\"><line x1=\"28.18\" x2=\"100.91\" y1=\"8\" y2=\"8\"/>"
                  "<circle cx=\"64.55\" cy=\"8\""),
            1U);
  EXPECT_EQ(count(gained,
                  "<g class=\"achieved faster\"><line x1=\"28.18\" x2=\"64.55\" y1=\"18\" "
                  "y2=\"18\"/><circle cx=\"46.36\" cy=\"18\""),
            1U);
  const std::string predicted = between(line_of(list, "finding-0"), "<svg", "</svg>");
  EXPECT_EQ(count(predicted, "<circle"), 1U);
  EXPECT_EQ(count(between(line_of(list, "finding-3"), "<svg", "</svg>"), "<circle"), 0U);
  EXPECT_EQ(all_between(between(list, "<svg class=\"gp head\"", "</svg>"), "start\">", "</text>"),
            std::vector<std::string>{"0"});
}

TEST(AdvicePage, ListsTheFindingsTogether) {
  Advice a = with_findings();
  a.joint = advice::Joint{.ids = {"gained", "lost"},
                          .gain_ns = stats::Estimate{9e5, {{8e5, 1e6}}},
                          .check = check(CheckState::kNoDifference, {-1e5, {{-2e5, 1e4}}})};
  const std::string list = section_of(sound_advice_page(a, four_layers()), "Findings");
  const std::string line = line_of(between(list, "finding-3", "</section>"), "finding-together");
  const std::string together = list.substr(list.find("id=\"finding-together\""));
  EXPECT_EQ(row_values(together), (std::vector<std::string>{"900000", "-100000"}));
  EXPECT_EQ(count(together, ">all 2 together <"), 1U);
  EXPECT_EQ(count(together, ">no difference</span>"), 1U);
  EXPECT_EQ(count(together, "<dd>gained, lost</dd>"), 1U);
}

TEST(AdvicePage, SaysThatThereAreNoFindings) {
  const std::string page = sound_advice_page(of_four_layers(), four_layers());
  EXPECT_EQ(count(section_of(page, "Findings"), "No findings:"), 1U);
  EXPECT_EQ(count(page, "<h2>Notes</h2>"), 0U);
  EXPECT_EQ(count(shown_advice(page), "class=\"arrows\""), 0U);
  sound_advice_page({}, {});
}

TEST(AdvicePage, ListsNotes) {
  Advice a = of_four_layers();
  a.notes.assign(60, "it was <noisy>");
  const std::string notes = section_of(sound_advice_page(a, four_layers()), "Notes");
  EXPECT_EQ(count(notes, "<li>it was &lt;noisy&gt;</li>"), 50U);
  EXPECT_EQ(count(notes, "10 notes left out") + count(notes, "10 notes more left out"), 1U);
}

TEST(GainArrow, MovesTheLayersTogetherUpByTheGain) {
  profile::Profile run;
  // 2 GFLOP and 10 MB in 20 ms, in two layers.
  add_layer(run, "", 15e6, {}, 900'000'000, 4'000'000);
  add_layer(run, "", 5e6, {}, 100'000'000, 6'000'000);
  add_layer(run, "", 7e6, {});
  const Advice advice;
  const roofline::Roofs roofs;
  const AdviceView view(advice, run, roofs);
  const GainArrow arrow =
      gain_arrow(view, finding("f", {0, 1}, stats::Estimate{4e6, {{3e6, 5e6}}}));
  EXPECT_EQ(arrow.why_not, "");
  EXPECT_EQ(arrow.layers, 2U);
  EXPECT_DOUBLE_EQ(arrow.intensity, 200);
  EXPECT_DOUBLE_EQ(arrow.now, 100e9);
  EXPECT_DOUBLE_EQ(arrow.then, 125e9);
  EXPECT_FALSE(arrow.achieved);
  Finding checked = finding("f", {0, 1}, stats::Estimate{4e6, {{3e6, 5e6}}});
  checked.check = check(CheckState::kLost, {-5e6, {{-6e6, -4e6}}});
  EXPECT_DOUBLE_EQ(gain_arrow(view, checked).then, 80e9);
  EXPECT_TRUE(gain_arrow(view, checked).achieved);
  const auto why_not = [&](const Finding& f) { return gain_arrow(view, f).why_not; };
  EXPECT_EQ(why_not(finding("f", {0})), "its gain is unknown");
  EXPECT_EQ(why_not(finding("f", {9}, stats::Estimate{1, {{1, 1}}})),
            "none of its nodes has a layer");
  EXPECT_EQ(why_not(finding("f", {2}, stats::Estimate{1, {{1, 1}}})),
            "its layers have no arithmetic or no time");
  EXPECT_EQ(why_not(finding("f", {1}, stats::Estimate{5e6, {{1, 1}}})),
            "its gain exceeds the time of its layers");
  run.layers[1].work.macs.reset();
  EXPECT_EQ(why_not(finding("f", {1}, stats::Estimate{1, {{1, 1}}})),
            "the work or bytes of its layers are unknown");
}

/// Attribute of the first tag in `markup` that begins with `tag`.
double number_of(const std::string& markup, const std::string& tag, const std::string& attribute) {
  return std::stod(between(between(markup, tag, "/>"), " " + attribute + "=\"", "\""));
}

TEST(AdvicePage, DrawsAnArrowPerFindingOnTheRoofline) {
  const std::string chart =
      section_of(sound_advice_page(with_findings(), four_layers()), "Roofline");
  const std::string arrows = between(chart, "<g class=\"arrows\">", "</svg>");
  // "predicted" concerns a layer without arithmetic, "unpriced" has no gain.
  EXPECT_EQ(count(arrows, "<line "), 2U);
  EXPECT_EQ(count(arrows, "<g class=\"achieved\">"), 2U);
  EXPECT_EQ(count(chart,
                  "No arrow for predicted: its layers have no arithmetic or no time. No "
                  "arrow for unpriced: its gain is unknown."),
            1U);
  // Layers of 100 and 10 GFLOP/s at the same intensity: a decade of the axis.
  const double decade =
      number_of(chart, "data-id=\"layer-1\"", "cy") - number_of(chart, "data-id=\"layer-0\"", "cy");
  const std::string lost = between(arrows, "<g class=\"achieved\">", "</g>");
  EXPECT_EQ(count(lost,
                  "lost: achieved gain 500.0 µs\n1 layer together: 1.000 ms now, 500.0 µs "
                  "then\n100 GFLOP/s now, 200 GFLOP/s then, at 10.00 FLOP/B\ncheck: lost"),
            1U);
  EXPECT_NEAR(number_of(lost, "<line", "y1") - number_of(lost, "<line", "y2"),
              decade * std::log10(2.0), 0.2);
  EXPECT_NEAR(number_of(lost, "<line", "y1"), number_of(chart, "data-id=\"layer-0\"", "cy"), 0.1);
  EXPECT_NEAR(number_of(lost, "<line", "x2"), number_of(chart, "data-id=\"layer-0\"", "cx"), 0.1);
  // Both ends are points of the chart, whose areas are shares of the layers' time.
  EXPECT_EQ(count(chart, "lost: 1 layer together, now\n25.0 % of the time, 10.00 FLOP/B"), 1U);
  EXPECT_EQ(count(chart, "lost: 1 layer together, after achieved gain 500.0 µs\n12.5 % of"), 1U);
}

TEST(AdvicePage, BoundsTheSizeForLargeModels) {
  profile::Profile run;
  std::vector<graph::NodeId> all;
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    add_layer(run, fmt::format("model/block.{}/part.{}", i / 20, i % 20), 1000 + i, 500, 1000, 100);
    run.nodes.back().name = fmt::format("model/block.{}/part.{}/an_operator_with_a_name", i, i);
    run.layers.back().share = 1e-4;
    all.push_back(i);
  }
  Advice a = of_four_layers();
  for (int i = 0; i < 120; ++i)
    a.findings.push_back(finding(fmt::format("f{}", i), all, stats::Estimate{1e5, {{1e5, 1e5}}}));
  run.layers.back().members.resize(5000);
  a.kernel_bound.coverage.unknown = all;
  const std::string page = sound_advice_page(a, run);
  EXPECT_LT(page.size(), 1'500'000U);
  EXPECT_EQ(count(page, " and 9960 more"), 101U);  // of a hundred findings, and without a bound
  EXPECT_EQ(count(page, "20 findings with less gain left out."), 1U);
  EXPECT_EQ(count(page, "108 findings") + count(page, "88 findings with less gain have no arrow"),
            1U);
  EXPECT_EQ(count(page, "Left out: 9600 layers with 96.0 % of the time."), 1U);
  EXPECT_EQ(count(page, "9880 layers left out."), 1U);
  EXPECT_EQ(count(page, "has more than 40 of either: 4960."), 1U);
  EXPECT_EQ(count(page, "10441 modules with less time above the bound left out."), 1U);
}

TEST(AdvicePage, EscapesNames) {
  profile::Profile run = four_layers();
  for (profile::Node& n : run.nodes) n.name += kHostile;
  for (profile::Layer& l : run.layers) {
    l.type = l.implementation = l.precision = l.layout = kHostile;
    l.module += std::string("/") + kHostile;
    l.bound.kind = l.bound.reason = kHostile;
    l.kernels.push_back({.name = kHostile, .type = kHostile});
  }
  Advice a = with_findings();
  a.ridge = a.model = a.runtime = a.runtime_version = a.host = kHostile;
  for (Finding& f : a.findings) {
    f.id = f.question = f.kind = f.evidence = f.how = f.command = f.confidence = kHostile;
    if (!f.gain_ns) f.no_price = kHostile;
    if (f.check) f.check->reason = kHostile;
  }
  a.achievable.layers = {{{0}, 1, kHostile}};
  a.joint = advice::Joint{.ids = {kHostile}, .gain_ns = {}, .check = {}};
  a.notes = {kHostile};
  const std::string page = sound_advice_page(a, run);
  EXPECT_EQ(count(page, "<script>alert"), 0U);
  EXPECT_EQ(count(page, "<img"), 0U);
  EXPECT_EQ(count(page, "\x1b"), 0U);
  EXPECT_GT(count(page, "&lt;script&gt;alert"), 30U);
}

}  // namespace
}  // namespace ridge::report
