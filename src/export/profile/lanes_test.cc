// SPDX-License-Identifier: Apache-2.0
#include "export/profile/lanes.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace ridge::exports {
namespace {

using profile::Level;
using profile::SpanId;
using profile::Timeline;

SpanId add(Timeline& t, std::int64_t start, std::int64_t end, Level level = Level::kLayer) {
  return t.add({.level = level, .start_ns = start, .end_ns = end});
}

TEST(Lanes, WhatNestsSharesALane) {
  Timeline t;
  add(t, 0, 100);
  add(t, 0, 40);
  add(t, 40, 100);
  const Drawing d = lay_out(t);
  ASSERT_EQ(d.lanes.size(), 1U);
  EXPECT_EQ(d.lanes[0].spans, (std::vector<SpanId>{0, 1, 2}));
}

TEST(Lanes, WhatOverlapsGoesToAnOverflowLane) {
  Timeline t;
  add(t, 0, 50);
  add(t, 40, 90);
  const Drawing d = lay_out(t);
  ASSERT_EQ(d.lanes.size(), 2U);
  EXPECT_EQ(label(t, d.lanes[0]), "layer");
  EXPECT_EQ(label(t, d.lanes[1]), "layer, overflow 1");
}

TEST(Lanes, LevelsThreadsDevicesAndQueuesLieApart) {
  Timeline t;
  t.add({.level = Level::kLayer, .thread = t.intern("main")});
  t.add({.level = Level::kThread, .thread = t.intern("main")});
  t.add({.level = Level::kKernel, .device = t.intern("GPU 0"), .queue = t.intern("7")});
  const Drawing d = lay_out(t);
  ASSERT_EQ(d.lanes.size(), 3U);
  EXPECT_EQ(label(t, d.lanes[0]), "layer, main");
  EXPECT_EQ(label(t, d.lanes[2]), "kernel, queue 7");
  EXPECT_EQ(d.lanes[2].process, 1U);
  EXPECT_EQ(t.text(d.processes[1]), "GPU 0");
}

TEST(Lanes, ACounterIsALaneByNameAndOneWithoutANumberIsASlice) {
  Timeline t;
  t.add({.level = Level::kCounter, .name = t.intern("power")});
  t.attribute("value", "71.5");
  t.add({.level = Level::kCounter, .name = t.intern("power")});
  t.attribute("value", "many");
  const Drawing d = lay_out(t);
  ASSERT_EQ(d.lanes.size(), 2U);
  EXPECT_FALSE(d.lanes[0].counts);
  EXPECT_TRUE(d.lanes[1].counts);
  EXPECT_EQ(label(t, d.lanes[1]), "power");
  EXPECT_EQ(counter_value(t, t.spans()[0]), 71.5);
}

TEST(Lanes, TimesAtTheEdgesOf64BitsStayDefined) {
  Timeline t;
  add(t, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
  add(t, 7, 3);  // ends before it starts
  const Drawing d = lay_out(t);
  EXPECT_EQ(d.since(std::numeric_limits<std::int64_t>::max()),
            std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(drawn_end(t.spans()[1]), 7);
}

/// True if one span contains the other, or they share at most a point in time.
bool nest(const profile::Span& a, const profile::Span& b) {
  const auto holds = [](const auto& x, const auto& y) {
    return x.start_ns <= y.start_ns && y.end_ns <= x.end_ns;
  };
  return holds(a, b) || holds(b, a) || a.end_ns <= b.start_ns || b.end_ns <= a.start_ns;
}

TEST(Lanes, OnEveryLaneAllPairsNestAndEveryEdgeIsInOrder) {
  std::mt19937 random(7);
  for (int round = 0; round < 40; ++round) {
    Timeline t;
    for (int i = 0; i < 120; ++i) {
      const auto start = static_cast<std::int64_t>(random() % 60);
      add(t, start, start + static_cast<std::int64_t>(random() % 30));
    }
    std::set<SpanId> seen;
    for (const Lane& lane : lay_out(t).lanes) {
      for (const SpanId a : lane.spans) {
        EXPECT_TRUE(seen.insert(a).second);
        for (const SpanId b : lane.spans) EXPECT_TRUE(nest(t.spans()[a], t.spans()[b]));
      }
      std::vector<SpanId> open;
      std::int64_t now = 0;
      each_edge(t, lane, [&](const Edge& edge) {
        EXPECT_GE(edge.at_ns, now);
        now = edge.at_ns;
        if (edge.begins) return open.push_back(edge.span);
        ASSERT_FALSE(open.empty());
        EXPECT_EQ(open.back(), edge.span);
        open.pop_back();
      });
      EXPECT_TRUE(open.empty());
    }
    EXPECT_EQ(seen.size(), t.spans().size());
  }
}

}  // namespace
}  // namespace ridge::exports
