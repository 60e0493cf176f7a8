#include "report/html.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ridge::report {
namespace {

constexpr const char* kHostile =
    "</script><script>alert(1)</script>\x1b[31m\"'&<img src=x onerror=alert(2)>";

/// Two layers; every text that comes from a model is hostile.
profile::Profile hostile_profile() {
  profile::Profile p;
  p.subject.path = kHostile;
  p.subject.producer = kHostile;
  p.subject.bindings[kHostile] = {2, false};
  p.subject.options["threads"] = "1";
  p.latency.processes.push_back({.samples_ns = {10, 11, 12}, .steadiness = "flat"});
  p.latency.ns = {11, 10, 12};
  for (std::uint32_t i = 0; i < 2; ++i) {
    p.nodes.push_back({.index = i,
                       .name = kHostile,
                       .op_type = kHostile,
                       .module = kHostile,
                       .status = "counted"});
    profile::Layer l{.index = i, .name = kHostile, .type = kHostile, .precision = "float32"};
    l.corrected_ns = 5;
    l.share = 0.5;
    l.intensity = 2;
    l.flop_per_s = 1e9;
    l.module = kHostile;
    l.members.push_back({i, profile::Role::kExecutes, profile::Evidence::kSameTensor});
    l.kernels.push_back({kHostile, kHostile, {5, 4, 6}});
    p.layers.push_back(std::move(l));
  }
  p.without_layer.push_back({1, profile::Why::kFolded, std::nullopt});
  p.modules = {
      {.path = ""}, {.path = "a", .depth = 1}, {.path = "a/" + std::string(kHostile), .depth = 2}};
  p.notes.push_back(kHostile);
  return p;
}

roofline::Roofs roofs() {
  roofline::Roofs r;
  r.compute.push_back({.kind = "compute", .dtype = "float32", .unit = "FLOP/s", .value = 1e11});
  r.levels.push_back({"memory", 0, 1e10});
  return r;
}

std::size_t count(const std::string& text, std::string_view what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
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
  // The row's id, and the data-id of the bubble and of the bars of layer and kernel.
  EXPECT_EQ(count(page, " id=\"layer-1\""), 1U);
  EXPECT_EQ(count(page, "<circle data-id=\"layer-1\""), 1U);
  EXPECT_EQ(count(page, "data-e=\"1\" data-id=\"layer-1\""), 2U);
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

/// At intensity 1 a bandwidth of 10 GB/s allows 10 GFLOP/s: that point must lie on the memory roof,
/// which ends at the ridge point.
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

TEST(RooflineChart, NoPointsIsStillAChart) {
  EXPECT_NE(roofline_svg({.roofs = roofs()}).find("</svg>"), std::string::npos);
}

}  // namespace
}  // namespace ridge::report
