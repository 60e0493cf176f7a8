// SPDX-License-Identifier: Apache-2.0
#include "report/chart/timeline.h"

#include <gtest/gtest.h>

#include "report/kit/testing.h"
namespace ridge::report {
namespace {

using profile::Level;
using profile::Profile;
using profile::SpanId;
using profile::Timeline;
using testing::count;

SpanId add(Timeline& t, Level level, std::string_view name, std::int64_t start, std::int64_t end,
           SpanId parent = profile::kNoSpan) {
  return t.add(
      {.parent = parent, .level = level, .name = t.intern(name), .start_ns = start, .end_ns = end});
}

TEST(TimelineSection, IsLeftOutWithoutSpansAndLayers) {
  EXPECT_EQ(timeline_section(Profile()), "");
}

TEST(TimelineSection, WithoutARecordingLayersLieEndToEndAndThatIsSaid) {
  Profile p;
  for (std::uint32_t i = 0; i < 2; ++i) {
    profile::Layer layer{.index = i, .name = "layer", .order = i};
    layer.corrected_ns = i == 0 ? 300 : 100;
    p.layers.push_back(layer);
  }
  const std::string html = timeline_section(p);
  EXPECT_NE(html.find("No run was recorded: medians of layers"), std::string::npos);
  EXPECT_NE(html.find("data-s=\"0.75\" data-e=\"1\" data-id=\"layer-1\""), std::string::npos)
      << html;
}

TEST(TimelineSection, ShowsTheFirstRunThatHasLayers) {
  Profile p;
  Timeline& t = p.timeline;
  add(t, Level::kModel, "plain", 0, 1000);
  p.layers.push_back({.index = 7});
  const SpanId run = add(t, Level::kModel, "profiled", 2000, 3000);
  add(t, Level::kLayer, "conv", 2000, 2500, run);
  t.attribute("layer", "7");
  add(t, Level::kLayer, "relu", 2500, 2750, run);
  const std::string html = timeline_section(p);
  EXPECT_EQ(html.find("plain"), std::string::npos);
  EXPECT_EQ(count(html, "<rect class=\"sp "), 3U);
  EXPECT_NE(html.find("x=\"170\" y=\"52\" width=\"500\""), std::string::npos) << html;
  EXPECT_NE(html.find("data-s=\"0.5\" data-e=\"0.75\""), std::string::npos);
  EXPECT_EQ(count(html, "data-id=\"layer-7\""), 1U);
}

TEST(TimelineSection, WhatNestsTakesARowBelowAndWhatOverlapsALaneOfItsOwn) {
  Profile p;
  Timeline& t = p.timeline;
  add(t, Level::kKernel, "inner", 10, 20);
  add(t, Level::kKernel, "outer", 0, 100);
  add(t, Level::kKernel, "late", 50, 150);
  add(t, Level::kKernel, "after", 150, 160);
  const std::string html = timeline_section(p);
  EXPECT_EQ(count(html, "y=\"26\" width"), 2U);  // outer, after
  EXPECT_EQ(count(html, "y=\"44\" width"), 1U);  // inner
  EXPECT_EQ(count(html, "y=\"70\" width"), 1U);  // late
  EXPECT_NE(html.find("kernel, overflow 1"), std::string::npos);
}

TEST(TimelineSection, ACounterIsAsHighAsItsValue) {
  Profile p;
  for (const char* value : {"50", "100"}) {
    add(p.timeline, Level::kCounter, "power", value[0] == '5' ? 0 : 10, value[0] == '5' ? 10 : 20);
    p.timeline.attribute("value", value);
  }
  const std::string html = timeline_section(p);
  EXPECT_EQ(count(html, "height=\"7.5\""), 1U);
  EXPECT_EQ(count(html, "height=\"15\""), 1U);
}

TEST(TimelineSection, WhatALayerHoldsLeadsToItsRow) {
  Profile p;
  p.layers.push_back({.index = 3});
  const SpanId layer = add(p.timeline, Level::kLayer, "conv", 0, 10);
  p.timeline.attribute("layer", "3");
  const SpanId call = add(p.timeline, Level::kLibrary, "gemm", 1, 9, layer);
  add(p.timeline, Level::kKernel, "k", 2, 8, call);
  add(p.timeline, Level::kKernel, "elsewhere", 2, 8);
  EXPECT_EQ(count(timeline_section(p), "data-id=\"layer-3\""), 3U);
}

TEST(TimelineSection, TicksAreRoundAndFew) {
  for (const std::int64_t ns : std::vector<std::int64_t>{1, 7, 999, 123456, 5000000000}) {
    Profile p;
    add(p.timeline, Level::kKernel, "k", 0, ns);
    const std::string html = timeline_section(p);
    const std::size_t lines = count(html, "<line ");
    EXPECT_GE(lines, 2U) << ns;
    EXPECT_LE(lines, 9U) << ns;
  }
}

TEST(TimelineSection, SeveralProfilesShareOneAxis) {
  Profile one, two;
  add(one.timeline, Level::kKernel, "short", 100, 200);
  add(two.timeline, Level::kKernel, "long", 500, 900);
  const auto plain = [](std::size_t) { return BarLook{}; };
  const std::string html =
      timelines_section({{"one", &one, plain}, {"two", &two, plain}}, "<p>words</p>");
  EXPECT_NE(html.find("data-s=\"0\" data-e=\"0.25\""), std::string::npos);
  EXPECT_NE(html.find("data-s=\"0\" data-e=\"1\""), std::string::npos);
  EXPECT_NE(html.find("<h2>Timelines</h2>"), std::string::npos);
  EXPECT_NE(html.find("<p>words</p>"), std::string::npos);
}

TEST(TimelineSection, SaysWhatItLeavesOut) {
  Profile p;
  for (std::int64_t i = 0; i < 5000; ++i)
    add(p.timeline, Level::kKernel, "k", 10 * i, 10 * i + 1 + (i == 3 ? 5 : 0));
  const std::string html = timeline_section(p);
  EXPECT_EQ(count(html, "<rect class=\"sp "), kMaxBars);
  EXPECT_NE(html.find("the 1000 shortest or deepest spans are left out"), std::string::npos);
  EXPECT_NE(html.find("k, 6 ns from 30 ns"), std::string::npos);
}

TEST(TimelineSection, TimesThatNoClockTellsAreNotDrawn) {
  Profile p;
  add(p.timeline, Level::kKernel, "far", INT64_MIN, INT64_MAX);
  add(p.timeline, Level::kKernel, "back", 10, 5);
  EXPECT_EQ(timeline_section(p), "");
  add(p.timeline, Level::kKernel, "near", 1, 2);
  EXPECT_EQ(count(timeline_section(p), "<rect class=\"sp "), 1U);
}

TEST(TimelineSection, HostileTextsStayText) {
  Profile p;
  add(p.timeline, Level::kLayer, "<script>\"", 0, 10);
  p.timeline.attribute("layer", "1\" onclick=\"x");
  const std::string html = timeline_section(p);
  EXPECT_EQ(html.find("<script>"), std::string::npos);
  EXPECT_EQ(html.find("1\" onclick"), std::string::npos);
}

}  // namespace
}  // namespace ridge::report
