// SPDX-License-Identifier: Apache-2.0
#include "trace/correlate.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "trace/containers.h"
#include "trace/testing.h"

namespace ridge::trace {
namespace {

using profile::kNoSpan;
using profile::Level;
using profile::Span;
using profile::SpanId;
using profile::Timeline;

std::vector<SpanId> parents_of(const Timeline& t) {
  std::vector<SpanId> out;
  for (const Span& s : t.spans()) out.push_back(s.parent);
  return out;
}

TEST(Correlate, KernelsBelongToTheirLaunchesHoweverLateTheyRun) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    testing::Made made =
        testing::make({.runs = 3, .layers = 8, .kernels_per_layer = 3, .streams = 3, .seed = seed});
    const Correlation c = correlate(made.timeline);
    EXPECT_EQ(parents_of(made.timeline), made.parents);
    EXPECT_EQ(c.spans, 3U * (1 + 8 * (1 + 1 + 3 * 2)));
    EXPECT_EQ(c.by_id, 3U * 8 * 3);
    EXPECT_EQ(c.by_containment, 3U * 8 * (1 + 1 + 3));
    EXPECT_EQ(c.roots, 3U);
    EXPECT_EQ(c.ambiguous + c.orphaned + c.broken + c.given, 0U);
  }
}

TEST(Correlate, AProcessorsTraceIsCorrelatedByTimeAlone) {
  testing::Made made = testing::make({.layers = 30, .kernels_per_layer = 0, .calls_per_layer = 4});
  const Correlation c = correlate(made.timeline);
  EXPECT_EQ(parents_of(made.timeline), made.parents);
  EXPECT_EQ(c.by_id, 0U);
  EXPECT_EQ(c.ambiguous, 0U);
}

TEST(Correlate, ParentsThatAreGivenStay) {
  testing::Made made = testing::make({});
  for (std::size_t i = 0; i < made.parents.size(); ++i)
    made.timeline.spans()[i].parent = made.parents[i];
  const Correlation c = correlate(made.timeline);
  EXPECT_EQ(parents_of(made.timeline), made.parents);
  EXPECT_EQ(c.given, made.parents.size() - 2);
  EXPECT_EQ(c.by_id + c.by_containment, 0U);
}

/// Level, start, end, thread.
struct SpanRow {
  Level level;
  std::int64_t start_ns, end_ns;
  const char* thread = "t";
};

Timeline timeline(const std::vector<SpanRow>& rows) {
  Timeline t;
  for (const SpanRow& r : rows)
    t.add({.level = r.level,
           .start_ns = r.start_ns,
           .end_ns = r.end_ns,
           .thread = t.intern(r.thread)});
  return t;
}

TEST(Correlate, OverlappingContainersAreAmbiguousAndTheLaterOneIsTaken) {
  Timeline t = timeline({{Level::kModel, 0, 100},
                         {Level::kLayer, 0, 50},
                         {Level::kLayer, 30, 80},
                         {Level::kLibrary, 35, 45},
                         {Level::kLibrary, 60, 70}});
  const Correlation c = correlate(t);
  EXPECT_EQ(parents_of(t), (std::vector<SpanId>{kNoSpan, 0, 0, 2, 2}));
  EXPECT_EQ(c.ambiguous, 1U);
}

TEST(Correlate, AThreadDoesNotContainWhatAnotherDoes) {
  Timeline t = timeline({{Level::kLayer, 0, 100, "a"}, {Level::kLibrary, 10, 20, "b"}});
  const Correlation c = correlate(t);
  EXPECT_EQ(parents_of(t), (std::vector<SpanId>{kNoSpan, kNoSpan}));
  EXPECT_EQ(c.orphaned, 2U);
}

TEST(Correlate, ASpanOfNoThreadInLayersOfTwoIsAmbiguous) {
  Timeline t = timeline(
      {{Level::kLayer, 0, 100, "a"}, {Level::kLayer, 0, 120, "b"}, {Level::kKernel, 10, 20, ""}});
  const Correlation c = correlate(t);
  EXPECT_EQ(t.spans()[2].parent, 0U);
  EXPECT_EQ(c.ambiguous, 1U);
}

TEST(Correlate, AKernelOnADeviceWithoutALaunchIsInNothingWhereOthersHaveIds) {
  for (const std::uint64_t id : {std::uint64_t{0}, std::uint64_t{5}}) {
    Timeline t = timeline({{Level::kLayer, 0, 100}, {Level::kLibrary, 10, 20}});
    t.spans()[1].correlation = id;
    t.add({.level = Level::kKernel, .start_ns = 30, .end_ns = 40, .device = t.intern("GPU 0")});
    correlate(t);
    // A recording without any ids is correlated by times alone.
    EXPECT_EQ(t.spans()[2].parent, id == 0 ? 0 : kNoSpan);
  }
}

TEST(Correlate, ParentsThatAreNotThereOrGoInCirclesAreDroppedAndCounted) {
  Timeline t = timeline({{Level::kModel, 0, 100}, {Level::kLayer, 0, 50}, {Level::kLayer, 60, 90}});
  t.spans()[0].parent = 77;
  t.spans()[1].parent = 2;
  t.spans()[2].parent = 1;
  const Correlation c = correlate(t);
  EXPECT_EQ(c.broken, 2U);
  EXPECT_EQ(t.spans()[0].parent, kNoSpan);
  // One link of the cycle remains, and counts as given by the file.
  EXPECT_EQ(c.given, 1U);
  EXPECT_EQ(c.by_containment, 1U);
}

TEST(Correlate, OneIdOfSeveralLaunchesTakesTheLastOneBeforeTheKernel) {
  Timeline t = timeline({{Level::kLibrary, 0, 5},
                         {Level::kLibrary, 20, 25},
                         {Level::kLibrary, 90, 95},
                         {Level::kKernel, 30, 60, ""}});
  for (Span& s : t.spans()) s.correlation = 9;
  const Correlation c = correlate(t);
  EXPECT_EQ(t.spans()[3].parent, 1U);
  EXPECT_EQ(c.by_id, 1U);
  EXPECT_EQ(c.ambiguous, 1U);
}

TEST(Correlate, ANegativeDurationIsAPoint) {
  Timeline t = timeline({{Level::kLayer, 0, 50}, {Level::kLibrary, 30, 10}});
  correlate(t);
  EXPECT_EQ(t.spans()[1].parent, 0U);
}

// Reference implementation: tests every pair of spans.
bool admits(const Span& outer, const Span& inner) {
  const bool level =
      outer.level < inner.level || (outer.level == inner.level && nests(inner.level));
  const bool thread =
      !on_its_thread(outer) || !on_its_thread(inner) || outer.thread == inner.thread;
  return level && thread && outer.start_ns <= inner.start_ns && end_of(outer) >= end_of(inner);
}

/// True if `a` precedes `b` in the order that makes the first of equal intervals the outer.
bool before(const std::vector<Span>& spans, SpanId a, SpanId b) {
  const auto key = [&](SpanId id) {
    return std::tuple(spans[id].start_ns, -end_of(spans[id]), spans[id].level, id);
  };
  return key(a) < key(b);
}

Container brute_force(const std::vector<Span>& spans, SpanId inner) {
  std::vector<SpanId> around;
  for (SpanId id = 0; id < spans.size(); ++id)
    if (id != inner && admits(spans[id], spans[inner]) && before(spans, id, inner))
      around.push_back(id);
  if (around.empty()) return {};
  SpanId best = around[0];
  for (const SpanId id : around)
    if (before(spans, best, id)) best = id;
  Container out{best, false};
  for (const SpanId id : around) {
    out.one_of_several |= end_of(spans[id]) < end_of(spans[best]);
    out.one_of_several |= !on_its_thread(spans[inner]) && on_its_thread(spans[best]) &&
                          on_its_thread(spans[id]) && spans[id].thread != spans[best].thread;
  }
  return out;
}

TEST(Correlate, ContainmentIsThatOfAllPairs) {
  std::mt19937 random(7);
  const auto up_to = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 400; ++round) {
    Timeline t;
    const int count = 2 + up_to(30), range = 4 + up_to(40), threads = 1 + up_to(3);
    for (int i = 0; i < count; ++i) {
      const int start = up_to(range), thread = up_to(threads + 1);
      t.add({.level = static_cast<Level>(up_to(7)),
             .start_ns = start,
             .end_ns = start + up_to(range) - 1,
             .thread = thread == 0 ? 0 : t.intern(fmt::format("t{}", thread)),
             .device = up_to(2) == 0 ? 0 : t.intern("GPU")});
    }
    Containers c(t.spans());
    for (const SpanId id : c.order()) {
      const Container found = c.around(id), expected = brute_force(t.spans(), id);
      ASSERT_EQ(found.span, expected.span) << "round " << round << " span " << id;
      ASSERT_EQ(found.one_of_several, expected.one_of_several) << round << " span " << id;
      c.add(id);
    }
  }
}

}  // namespace
}  // namespace ridge::trace
