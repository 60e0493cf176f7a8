// SPDX-License-Identifier: Apache-2.0
#include "report/profile/page.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "report/kit/testing.h"

namespace ridge::report {
namespace {

using testing::count;

constexpr const char* kHostileProfile =
    "</script><script>alert(1)</script>\x1b[31m\"'&<img src=x onerror=alert(2)>";

/// Profile of two layers in which every text from the model is hostile.
profile::Profile hostile_profile() {
  profile::Profile p;
  p.subject.path = kHostileProfile;
  p.subject.producer = kHostileProfile;
  p.subject.bindings[kHostileProfile] = {2, false};
  p.subject.threads = 1;
  p.latency.processes.push_back({.samples_ns = {10, 11, 12}, .steadiness = "flat"});
  p.latency.ns = {11, {{10, 12}}};
  for (std::uint32_t i = 0; i < 2; ++i) {
    p.nodes.push_back({.index = i,
                       .name = kHostileProfile,
                       .op_type = kHostileProfile,
                       .module = kHostileProfile,
                       .status = "counted"});
    profile::Layer l{
        .index = i, .name = kHostileProfile, .type = kHostileProfile, .precision = "float32"};
    l.corrected_ns = 5;
    l.share = 0.5;
    l.intensity = 2;
    l.flop_per_s = 1e9;
    l.module = kHostileProfile;
    l.members.push_back({i, profile::Role::kExecutes, profile::Evidence::kSameTensor});
    l.kernels.push_back({kHostileProfile, kHostileProfile, {5, {{4, 6}}}});
    p.layers.push_back(std::move(l));
  }
  p.without_layer.push_back({1, profile::Why::kFolded, std::nullopt});
  p.modules = {{.path = ""},
               {.path = "a", .depth = 1},
               {.path = "a/" + std::string(kHostileProfile), .depth = 2}};
  p.notes.push_back(kHostileProfile);
  return p;
}

roofline::Roofs roofs() {
  roofline::Roofs r;
  r.compute.push_back({.kind = "compute", .dtype = "float32", .unit = "FLOP/s", .value = 1e11});
  r.levels.push_back({"memory", 0, 1e10});
  return r;
}

TEST(ReportPage, TellsWhatTheCorrectionDoesNotMakeTrue) {
  profile::Profile p = hostile_profile();
  p.profiling.factor = {0.9, {{0.88, 0.94}}};
  p.profiling.unscaled_residual = {-0.2, {{-0.3, -0.1}}};
  p.profiling.layer_times = profile::kReportedTimes;
  const std::string page = profile_page(p, roofs());
  for (const char* text : {"0.900 [0.880, 0.940]", "-20.0 % [-30.0, -10.0]", "not usable here"})
    EXPECT_NE(page.find(text), std::string::npos) << text;
}

/// Sweep of the hostile model with one thread and with two.
profile::Sweep hostile_sweep() {
  profile::Sweep sweep{{hostile_profile(), hostile_profile()}};
  for (profile::Profile& p : sweep.profiles) {
    p.subject.runtime = "ONNX Runtime";
    p.host_json = R"({"hostname":"bench1","cpu":{"model":"EPYC"},"logical_cpus":2})";
    p.items_per_s = 100;
  }
  sweep.profiles[1].subject.threads = 2;
  sweep.profiles[1].items_per_s = 66;
  return sweep;
}

TEST(ReportPage, ExplainsTheTermsOfItsTables) {
  profile::Profile p = hostile_profile();
  p.verification.cuts.push_back({.node = 1, .layers = 1});
  profile::Profile recorded = hostile_profile();
  recorded.subject.kind = "imported";
  for (const std::string& page : {profile_page(p, roofs()), profile_page(recorded, roofs()),
                                  sweep_page(hostile_sweep(), {roofs()})}) {
    EXPECT_EQ(testing::dangling_terms(page), std::vector<std::string>());
    EXPECT_EQ(testing::unexplained_headings(page), std::vector<std::string>());
    EXPECT_EQ(count(page, " id=\"terms\""), 1U);
    EXPECT_GT(page.find("<details class=\"terms\">"), page.rfind("</section>"));
  }
  EXPECT_EQ(count(chart_page("Roofline", "", {}), "terms\""), 0U);
}

TEST(SweepPage, IsHeadedByModelRuntimeAndMachineAndSaysWhatTheAxisDid) {
  const std::string page = sweep_page(hostile_sweep(), {roofs(), roofs()});
  const std::size_t heading = page.find("<h1>&lt;/script&gt;");
  ASSERT_NE(heading, std::string::npos);
  EXPECT_EQ(count(page, "<h1>"), 1U);
  const std::string head = page.substr(heading, page.find("<table", heading) - heading);
  EXPECT_EQ(count(page, "<summary>2 threads</summary>"), 1U);
  for (const char* text : {"ONNX Runtime", "bench1, EPYC", "2 points",
                           "2 threads: 0.66 x the throughput of 1 (too few runs to tell)."})
    EXPECT_NE(head.find(text), std::string::npos) << text;
}

TEST(SweepPage, HasTheLayersOfEachPointUnderIdsOfTheirOwn) {
  const std::string page = sweep_page(hostile_sweep(), {roofs(), roofs()});
  for (const char* id :
       {"point-1-layers", "point-1-filter", "point-1-layer-0", "point-2-layers", "point-2-layer-1"})
    EXPECT_EQ(count(page, " id=\"" + std::string(id) + "\""), 1U) << id;
  EXPECT_EQ(count(page, "<circle data-id=\"point-2-layer-1\""), 1U);
  EXPECT_EQ(count(page, ">of its bound</th>"), 2U);
}

TEST(ReportPage, OfARecordingSaysThatNothingWasTakenOut) {
  profile::Profile p = hostile_profile();
  p.subject.kind = "imported";
  p.subject.options.clear();
  p.latency = {};
  p.profiling.raw_sum_ns = 10;
  std::string page = profile_page(p, roofs());
  page.resize(page.find("<details class=\"terms\">"));
  EXPECT_NE(page.find("recorded by "), std::string::npos);
  EXPECT_NE(page.find("uncorrected"), std::string::npos);
  for (const char* text : {"profiler", "profiling off", "layers without", "an event costs",
                           "scaled", "of the latency", "threads ?", "profiling overhead"})
    EXPECT_EQ(count(page, text), 0U) << text;
}

TEST(ChartPage, DrawsEachNumberOfThreadsUnderItsOwnRoofs) {
  roofline::Roofs faster = roofs();
  faster.compute[0].value *= 2;
  const std::string page = chart_page("Roofline", "all <of> it",
                                      {{"1 thread", {.roofs = roofs(), .points = {}}},
                                       {"2 threads", {.roofs = faster, .points = {}}}});
  EXPECT_EQ(count(page, "<svg class=\"rl"), 2U);
  EXPECT_NE(page.find("<h2>1 thread</h2>"), std::string::npos);
  EXPECT_NE(page.find("<h2>2 threads</h2>"), std::string::npos);
  EXPECT_NE(page.find("<p class=\"sub\">all &lt;of&gt; it</p>"), std::string::npos);
}

TEST(ReportPage, HostileNamesStayText) {
  const std::string page = profile_page(hostile_profile(), roofs());
  EXPECT_EQ(count(page, "alert(1)"), count(page, "&lt;script&gt;alert(1)"));
  EXPECT_EQ(count(page, "<script>"), 1U);
  EXPECT_EQ(count(page, "<img"), 0U);
  EXPECT_EQ(count(page, "\x1b"), 0U);
}

TEST(ReportPage, AsksForNothingOutsideItself) {
  const std::string page = profile_page(hostile_profile(), roofs());
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  for (const char* outside : {"<link", "src=\"", "href=\"http", "@import", "url("})
    EXPECT_EQ(count(page, outside), 0U) << outside;
}

TEST(ReportPage, TagsAreBalanced) {
  const std::string page = profile_page(hostile_profile(), roofs());
  for (const char* tag :
       {"table", "tbody", "tr", "td", "details", "ul", "li", "section", "svg", "g", "dl"})
    EXPECT_EQ(count(page, "<" + std::string(tag) + ">") + count(page, "<" + std::string(tag) + " "),
              count(page, "</" + std::string(tag) + ">"))
        << tag;
}

TEST(ReportPage, ARowAndItsBubbleShareAnId) {
  const std::string page = profile_page(hostile_profile(), roofs());
  // Id of the row, and data-id of the bubble and of the bars of layer and kernel.
  EXPECT_EQ(count(page, " id=\"layer-1\""), 1U);
  EXPECT_EQ(count(page, "<circle data-id=\"layer-1\""), 1U);
  EXPECT_EQ(count(page, "data-e=\"1\" data-id=\"layer-1\""), 2U);
}

TEST(ReportPage, ALayerHasItsTimeAboveTheBoundUnlessItIsBelowResolution) {
  profile::Profile p = hostile_profile();
  p.layers[0].bound = {.kind = "compute", .time_ns = 2, .roof_share = 0.4, .reason = ""};
  p.layers[1].bound = {.kind = "compute", .time_ns = 2, .roof_share = 0.4, .reason = ""};
  p.layers[1].below_resolution = true;
  const std::string page = profile_page(p, roofs());
  EXPECT_EQ(count(page, "<td class=\"n\" data-v=\"3\">3 ns</td>"), 1U);
  EXPECT_EQ(count(page, "data-sort=\"number\">above bound</th>"), 1U);
}

TEST(ReportPage, AModuleHoldsItsOwnAlthoughAnotherSortsBetween) {
  profile::Profile p = hostile_profile();
  p.modules = {{.path = ""}, {.path = "a"}, {.path = "a-b"}, {.path = "a/b"}};
  const std::string page = profile_page(p, roofs());
  const std::size_t tree = page.find("<ul class=\"tree\">");
  const std::string first = page.substr(tree, page.find("</details>", tree) - tree);
  EXPECT_NE(first.find(">a<"), std::string::npos);
  EXPECT_NE(first.find(">b<"), std::string::npos);
  EXPECT_EQ(first.find(">a-b<"), std::string::npos);
}

TEST(RooflineChart, PointsOffTheLogarithmicPlaneAreCounted) {
  Chart chart{
      .roofs = roofs(),
      .points = {{1, 1e9, 0.6, "conv", "Conv", "a"}, {0, 0, 0.4, "copy", "Transpose", "b"}}};
  const std::string svg = roofline_svg(chart);
  EXPECT_EQ(count(svg, "<title>"), 1U);
  EXPECT_NE(svg.find("Not drawn: 1 without arithmetic or time, 40.0 % of the time."),
            std::string::npos);
}

/// At intensity 10 a bandwidth of 10 GB/s allows 100 GFLOP/s, the compute roof: this is the ridge
/// point, where the memory roof must end.
TEST(RooflineChart, APointAtTheBandwidthLiesOnItsRoof) {
  Chart chart{.roofs = roofs(), .points = {{10, 1e11, 1, "at the ridge", "x", "a"}}};
  const std::string svg = roofline_svg(chart);
  const auto number_after = [&](const std::string& key, std::size_t from) {
    return std::stod(svg.substr(svg.find(key, from) + key.size()));
  };
  const std::size_t circle = svg.find("<circle data-id=\"a\"");
  const std::size_t compute = svg.find("class=\"roof\"");
  const std::size_t memory = svg.find("class=\"roof\"", compute + 1);
  EXPECT_NEAR(number_after("cx=\"", circle), number_after("x2=\"", memory), 0.11);
  EXPECT_NEAR(number_after("cy=\"", circle), number_after("y2=\"", memory), 0.11);
  EXPECT_NEAR(number_after("cy=\"", circle), number_after("y1=\"", compute), 0.11);
}

TEST(RooflineChart, BubblesCoverNoNameOfARoof) {
  const std::string svg =
      roofline_svg({.roofs = roofs(), .points = {{10, 1e11, 1, "at the ridge", "x", "a"}}});
  EXPECT_LT(svg.find("class=\"roof\""), svg.find("<circle data-id"));
  EXPECT_GT(svg.find("class=\"roof-name\""), svg.find("<circle data-id"));
}

TEST(RooflineChart, NamesThatAreCutAlikeAreToldApart) {
  const std::string svg =
      roofline_svg({.roofs = roofs(),
                    .points = {{10, 1e11, 1, "p", "a/very/long/first/name/here", "a"},
                               {10, 1e11, 1, "q", "a/very/long/other/name/here", "b"}}});
  EXPECT_NE(svg.find(">a/very/l\u2026name/here<"), std::string::npos);
  EXPECT_NE(svg.find(">a/very/l\u2026name/here (2)<"), std::string::npos);
}

/// Names that the chart shows: of points, beside them, or of series, in the legend.
std::vector<std::string> names_shown(const std::string& svg, const std::string& css) {
  return testing::all_between(svg, css + "\">", "</text>");
}

Chart runs_in_one_place(std::size_t n) {
  Chart chart{.roofs = roofs(), .points = {}, .names = PointNames::kBeside};
  for (std::size_t i = 0; i < n; ++i)
    chart.points.push_back({10, 5e10, 0.1, "run " + std::to_string(i), "run " + std::to_string(i),
                            "point-" + std::to_string(i)});
  return chart;
}

TEST(RooflineChart, EveryRunHasANameInsideTheChart) {
  const std::string svg = roofline_svg(runs_in_one_place(12));
  EXPECT_EQ(names_shown(svg, "class=\"point-name").size(), 12U);
  for (const std::string& x : testing::all_between(svg, "<text x=\"", "\""))
    EXPECT_LE(std::stod(x), 960 - 20) << x;
}

/// Each name of a point or roof as a box of letters of 5 pixels, narrower than they are drawn.
TEST(RooflineChart, NoNameLiesOnAnother) {
  Chart chart = runs_in_one_place(7);
  chart.roofs.compute.push_back(
      {.kind = "compute", .dtype = "int8", .unit = "FLOP/s", .value = 1.02e11});
  const std::string svg = roofline_svg(chart);
  struct Box {
    double x, y, width;
  };
  std::vector<Box> boxes;
  for (const std::string& text : testing::all_between(svg, "<text ", "</text>")) {
    const bool end = text.find("class=\"roof-name end\"") != std::string::npos;
    if (!end && text.find("class=\"point-name\"") == std::string::npos) continue;
    const double width = 5.0 * static_cast<double>(text.size() - text.find('>') - 1);
    const double x = std::stod(testing::between(text, "x=\"", "\""));
    boxes.push_back({end ? x - width : x, std::stod(testing::between(text, "y=\"", "\"")), width});
  }
  ASSERT_EQ(boxes.size(), 9U);
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_FALSE(std::abs(boxes[i].y - boxes[j].y) < 10 &&
                   boxes[i].x < boxes[j].x + boxes[j].width &&
                   boxes[j].x < boxes[i].x + boxes[i].width)
          << i << " " << j;
}

TEST(RooflineChart, ALegendOfLongNamesWrapsInsideTheChart) {
  Chart chart{.roofs = roofs(), .points = {}};
  for (int i = 0; i < 8; ++i)
    chart.points.push_back({10, 5e10, 0.1, "p", fmt::format("operator number {}", i), "a"});
  const std::string svg = roofline_svg(chart);
  const std::string legend = svg.substr(svg.find("<g class=\"legend\">"));
  const auto xs = testing::all_between(legend, "<text x=\"", "\"");
  const auto ys = testing::all_between(legend, " y=\"", "\"");
  ASSERT_EQ(xs.size(), 8U);
  for (const std::string& x : xs) EXPECT_LT(std::stod(x) + 16 * 6, 960);
  EXPECT_NE(ys.front(), ys.back());
}

TEST(RooflineChart, NoPointsIsStillAChart) {
  EXPECT_NE(roofline_svg({.roofs = roofs()}).find("</svg>"), std::string::npos);
}

}  // namespace
}  // namespace ridge::report
