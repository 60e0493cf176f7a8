#include "report/timeline.h"

#include <gtest/gtest.h>

namespace ridge::report {
namespace {

using profile::Level;
using profile::Profile;
using profile::SpanId;
using profile::Timeline;

std::size_t count(const std::string& text, std::string_view what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

SpanId add(Timeline& t, Level level, std::string_view name, std::int64_t start, std::int64_t end,
           SpanId parent = profile::kNoSpan) {
  return t.add(
      {.parent = parent, .level = level, .name = t.intern(name), .start_ns = start, .end_ns = end});
}

TEST(TimelineSection, IsLeftOutWithoutSpans) { EXPECT_EQ(timeline_section(Profile()), ""); }

TEST(TimelineSection, ShowsTheFirstRunThatHasLayers) {
  Profile p;
  Timeline& t = p.timeline;
  add(t, Level::kModel, "plain", 0, 1000);
  const SpanId run = add(t, Level::kModel, "profiled", 2000, 3000);
  add(t, Level::kLayer, "conv", 2000, 2500, run);
  t.attribute("layer", "7");
  add(t, Level::kLayer, "relu", 2500, 2750, run);
  const std::string html = timeline_section(p);
  EXPECT_EQ(html.find("plain"), std::string::npos);
  EXPECT_EQ(count(html, "<rect class=\"sp "), 3U);
  EXPECT_NE(html.find("class=\"sp layer\" x=\"210.00\" y=\"52\" width=\"495.00\""),
            std::string::npos)
      << html;
  EXPECT_NE(html.find("data-s=\"0.5\" data-e=\"0.75\""), std::string::npos);
  EXPECT_EQ(count(html, "data-id=\"layer-7\""), 1U);
}

TEST(TimelineSection, NestedAndOverlappingSpansOfOneLaneTakeRows) {
  Profile p;
  Timeline& t = p.timeline;
  add(t, Level::kKernel, "inner", 10, 20);
  add(t, Level::kKernel, "outer", 0, 100);
  add(t, Level::kKernel, "late", 50, 150);
  add(t, Level::kKernel, "after", 150, 160);
  const std::string html = timeline_section(p);
  EXPECT_EQ(count(html, "y=\"26\" width"), 2U);  // outer, after
  EXPECT_EQ(count(html, "y=\"44\" width"), 2U);  // inner, late
}

TEST(TimelineSection, SaysWhatItLeavesOut) {
  Profile p;
  for (std::int64_t i = 0; i < 5000; ++i)
    add(p.timeline, Level::kKernel, "k", 10 * i, 10 * i + 1 + (i == 3 ? 5 : 0));
  const std::string html = timeline_section(p);
  EXPECT_EQ(count(html, "<rect class=\"sp "), kMostBars);
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
