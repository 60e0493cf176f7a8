// SPDX-License-Identifier: Apache-2.0
#include "trace/application.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string>

#include "stats/random.h"
#include "trace/application_stack.h"

namespace ridge::trace {
namespace {

using profile::Level;
using profile::Span;
using profile::SpanId;
using profile::Timeline;

/// Queries of a server with so many workers: each goes to the worker that is free first.
std::vector<scenario::Query> served(std::size_t queries, std::size_t workers,
                                    std::int64_t mean_gap_ns) {
  stats::Random random(queries * 31 + workers);
  std::vector<std::int64_t> free(workers, 0);
  std::vector<scenario::Query> out;
  std::int64_t at = 1'000'000'000'000;
  for (std::size_t i = 0; i < queries; ++i) {
    at += static_cast<std::int64_t>(random.below(2 * static_cast<std::size_t>(mean_gap_ns)));
    const auto worker = std::ranges::min_element(free);
    const std::int64_t issued = std::max(at, *worker) + static_cast<std::int64_t>(random.below(90));
    *worker = issued + 1 + static_cast<std::int64_t>(random.below(20'000));
    out.push_back({.scheduled_ns = at,
                   .issued_ns = issued,
                   .done_ns = *worker,
                   .late_ns = static_cast<std::uint32_t>(random.below(90)),
                   .sample = static_cast<std::uint32_t>(random.below(50)) & 63U,
                   .failed = i % 10 == 9 ? 1U : 0U});
  }
  return out;
}

std::int64_t number(const Timeline& t, const Span& span, std::string_view key) {
  const std::string_view text = t.attribute_of(span, key);
  std::int64_t out = -1;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

/// Spans of a level whose name it is.
std::vector<const Span*> named(const Timeline& t, Level level, std::string_view name) {
  std::vector<const Span*> out;
  for (const Span& span : t.spans())
    if (span.level == level && t.text(span.name) == name) out.push_back(&span);
  return out;
}

/// Threads of the spans; no two spans of a thread may overlap.
std::size_t threads_without_overlap(const Timeline& t, std::vector<const Span*> spans) {
  std::ranges::sort(spans, {}, &Span::start_ns);
  std::map<profile::TextId, std::int64_t> ends;
  for (const Span* span : spans) {
    const auto [end, first] = ends.try_emplace(span->thread, span->end_ns);
    if (first) continue;
    EXPECT_LE(end->second, span->start_ns) << t.text(span->thread);
    end->second = span->end_ns;
  }
  return ends.size();
}

TEST(ApplicationTrace, EveryQueryIsASpanThatItsWaitAndItsRunFill) {
  for (const std::size_t workers : {1U, 2U, 5U}) {
    const std::vector<scenario::Query> queries =
        served(2000, workers, 12'000 / static_cast<int>(workers));
    ApplicationTrace trace;
    trace.add({.name = "ort", .queries = queries});
    EXPECT_EQ(trace.left_out(), 0U);
    const Timeline t = trace.take();
    const auto spans = named(t, Level::kApplication, "query"),
               waits = named(t, Level::kApplication, "wait"), runs = named(t, Level::kModel, "run");
    ASSERT_EQ(runs.size(), queries.size());
    ASSERT_EQ(spans.size(), queries.size());  // with these gaps few queries wait
    ASSERT_EQ(waits.size(), queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const scenario::Query& q = queries[i];
      EXPECT_EQ(number(t, *spans[i], "query"), static_cast<std::int64_t>(i));
      EXPECT_EQ(spans[i]->start_ns, q.scheduled_ns);
      EXPECT_EQ(spans[i]->end_ns, q.done_ns);
      EXPECT_EQ(waits[i]->start_ns, q.scheduled_ns);
      EXPECT_EQ(waits[i]->end_ns, q.issued_ns);
      EXPECT_EQ(runs[i]->start_ns, q.issued_ns);
      EXPECT_EQ(runs[i]->end_ns, q.done_ns);
      EXPECT_EQ(&t.spans()[waits[i]->parent], spans[i]);
      EXPECT_EQ(&t.spans()[runs[i]->parent], spans[i]);
      EXPECT_EQ(number(t, *runs[i], "sample"), std::int64_t{q.sample});
      EXPECT_EQ(number(t, *runs[i], "late_ns"), std::int64_t{q.late_ns});
      EXPECT_EQ(t.attribute_of(*runs[i], "failed"), q.failed == 1 ? "1" : "");
    }
    EXPECT_LE(threads_without_overlap(t, runs), workers);
    threads_without_overlap(t, spans);
    const std::vector<StackLevel> stack = application_stack(t);
    ASSERT_EQ(stack.size(), 1U);
    EXPECT_EQ(stack[0].name, "query");
    EXPECT_EQ(stack[0].remainder_ns(), 0);
    EXPECT_EQ(stack[0].exceeding, 0U);
  }
}

TEST(ApplicationTrace, AClosedLoopsClientsHaveATrackEach) {
  // Two clients, each sends its next query when its last one is answered.
  std::vector<scenario::Query> queries;
  for (int i = 0; i < 50; ++i)
    for (const std::int64_t client : {0, 3})
      queries.push_back({.scheduled_ns = 10 * i + client,
                         .issued_ns = 10 * i + client,
                         .done_ns = 10 * i + client + 10});
  ApplicationTrace trace;
  trace.add({.name = "ort", .queries = queries});
  const Timeline t = trace.take();
  for (const Span* run : named(t, Level::kModel, "run"))
    EXPECT_EQ(t.text(run->thread), run->start_ns % 10 == 0 ? "ort, worker 1" : "ort, worker 2");
}

TEST(ApplicationTrace, AnIntervalGoesToTheTrackThatBecameFreeLast) {
  Tracks tracks(2);
  EXPECT_EQ(tracks.place(0, 5), 0U);
  EXPECT_EQ(tracks.place(0, 8), 1U);
  EXPECT_EQ(tracks.place(4, 6), Tracks::kNone);
  EXPECT_EQ(tracks.place(10, 12), 1U);
  EXPECT_EQ(tracks.place(11, 13), 0U);
}

TEST(ApplicationTrace, TheCounterOfWaitingQueriesCountsThemAtEveryMoment) {
  const std::vector<scenario::Query> queries = served(300, 1, 9000);
  ApplicationTrace trace;
  trace.add({.name = "ort", .queries = queries});
  const Timeline t = trace.take();
  const auto counts = named(t, Level::kCounter, "ort, queries waiting");
  ASSERT_FALSE(counts.empty());
  for (const Span* count : counts) {
    const auto waiting = std::ranges::count_if(queries, [&](const scenario::Query& q) {
      return q.scheduled_ns <= count->start_ns && q.issued_ns > count->start_ns;
    });
    EXPECT_EQ(number(t, *count, "value"), waiting);
  }
}

TEST(ApplicationTrace, OfQueriesBeyondTheTracksThereIsTheRun) {
  std::vector<scenario::Query> queries;
  for (int i = 0; i < 500; ++i)
    queries.push_back({.scheduled_ns = 100, .issued_ns = 100 + i, .done_ns = 101 + i});
  ApplicationTrace trace;
  trace.add({.name = "ort", .queries = queries});
  const Timeline t = trace.take();
  EXPECT_EQ(named(t, Level::kApplication, "query").size(), ApplicationTrace::kMaxTracks);
  const auto runs = named(t, Level::kModel, "run");
  ASSERT_EQ(runs.size(), 500U);
  EXPECT_EQ(t.attribute_of(*runs[499], "scheduled_ns"), "-499");
}

TEST(ApplicationTrace, KeepsTheFirstAndTheSlowestOfManyQueries) {
  constexpr std::size_t kMax = ApplicationTrace::kMaxQueries;
  std::vector<scenario::Query> queries = served(3 * kMax, 1, 30'000);
  queries[2 * kMax].done_ns += 1;
  std::int64_t slowest = 0;
  for (const scenario::Query& q : queries) slowest = std::max(slowest, q.latency_ns());
  ApplicationTrace trace;
  trace.add({.name = "ort", .queries = queries});
  EXPECT_EQ(trace.left_out(), 2 * kMax);
  const Timeline t = trace.take();
  const auto runs = named(t, Level::kModel, "run");
  ASSERT_EQ(runs.size(), kMax);
  EXPECT_EQ(number(t, *runs[kMax / 2 - 1], "query"), static_cast<std::int64_t>(kMax / 2 - 1));
  std::int64_t shown = 0;
  for (const Span* run : runs)
    shown =
        std::max(shown, queries[static_cast<std::size_t>(number(t, *run, "query"))].latency_ns());
  EXPECT_EQ(shown, slowest);
}

TEST(ApplicationTrace, StepsOfASampleLieInItsSpan) {
  // Two threads prepare samples: 0 and 1 at the same time, then 2.
  const std::vector<ApplicationStep> steps = {
      {0, "decode", 10, 50}, {0, "resize", 52, 70}, {1, "decode", 20, 55},
      {1, "resize", 55, 80}, {2, "decode", 90, 99},
  };
  ApplicationTrace trace;
  trace.add_steps(steps);
  const Timeline t = trace.take();
  const auto samples = named(t, Level::kApplication, "sample");
  ASSERT_EQ(samples.size(), 3U);
  EXPECT_EQ(samples[0]->start_ns, 10);
  EXPECT_EQ(samples[0]->end_ns, 70);
  EXPECT_EQ(t.text(samples[0]->thread), "pre-processing");
  EXPECT_EQ(t.text(samples[1]->thread), "pre-processing, track 2");
  const auto decodes = named(t, Level::kApplication, "decode");
  ASSERT_EQ(decodes.size(), 3U);
  EXPECT_EQ(&t.spans()[decodes[1]->parent], samples[1]);
  threads_without_overlap(t, samples);
  const std::vector<StackLevel> stack = application_stack(t);
  ASSERT_EQ(stack.size(), 1U);
  EXPECT_EQ(stack[0].spans, 3U);
  EXPECT_EQ(stack[0].time_ns, 60 + 60 + 9);
  EXPECT_EQ(stack[0].remainder_ns(), 2);
}

/// A recording with a run that was recorded whole, and one that was not.
Timeline recording() {
  Timeline t;
  t.add({.level = Level::kModel,
         .name = t.intern("run"),
         .start_ns = 0,
         .end_ns = 90,
         .thread = t.intern("process 1")});
  const SpanId run = t.add({.level = Level::kModel,
                            .name = t.intern("run"),
                            .start_ns = 100,
                            .end_ns = 200,
                            .thread = t.intern("process 1")});
  t.attribute("recorded", "1");
  const SpanId layer = t.add({.parent = run,
                              .level = Level::kLayer,
                              .name = t.intern("conv1"),
                              .start_ns = 110,
                              .end_ns = 150,
                              .thread = t.intern("process 1, thread 2")});
  t.attribute("nodes", "0 1");
  t.add({.parent = layer,
         .level = Level::kLibrary,
         .name = t.intern("gemm"),
         .start_ns = 111,
         .end_ns = 149,
         .thread = t.intern("process 1, thread 2")});
  return t;
}

TEST(ApplicationTrace, LayersOfARecordedRunStandBelowItsQuery) {
  ApplicationTrace trace;
  trace.add_profiled("ort", recording(), 5000);
  const Timeline t = trace.take();
  ASSERT_EQ(t.spans().size(), 4U);
  const Span &query = t.spans()[0], &run = t.spans()[1], &layer = t.spans()[2],
             &call = t.spans()[3];
  EXPECT_EQ(t.text(query.name), "query");
  EXPECT_EQ(query.start_ns, 5100);
  EXPECT_EQ(run.parent, 0U);
  EXPECT_EQ(run.end_ns, 5200);
  EXPECT_EQ(layer.parent, 1U);
  EXPECT_EQ(t.text(layer.thread), "ort, profiled, thread 2");
  EXPECT_EQ(t.attribute_of(layer, "nodes"), "0 1");
  EXPECT_EQ(call.parent, 2U);
  EXPECT_EQ(call.start_ns, 5111);
}

TEST(ApplicationStack, ReportsWhatNoChildExplainsAndWhatExceeds) {
  Timeline t = recording();
  std::vector<StackLevel> stack = application_stack(t);
  ASSERT_EQ(stack.size(), 2U);
  EXPECT_EQ(stack[0].name, "run");
  EXPECT_EQ(stack[0].spans, 1U);
  EXPECT_EQ(stack[0].remainder_ns(), 60);
  EXPECT_EQ(stack[1].name, "layer");
  EXPECT_EQ(stack[1].children_ns, 38);
  EXPECT_EQ(stack[1].exceeding, 0U);
  // A second call on the same thread makes the sum longer than the layer; one on another does not.
  Span second = t.spans()[3];
  second.start_ns = 120;
  second.end_ns = 145;
  t.add(second);
  stack = application_stack(t);
  EXPECT_EQ(stack[1].children_ns, 38);
  EXPECT_EQ(stack[1].exceeding, 1U);
  EXPECT_EQ(stack[1].max_excess_ns, 38 + 25 - 40);
  t.spans().back().thread = t.intern("process 1, thread 3");
  EXPECT_EQ(application_stack(t)[1].exceeding, 0U);
  t.spans().back().end_ns = 153;
  EXPECT_EQ(application_stack(t)[1].max_excess_ns, 3);
}

}  // namespace
}  // namespace ridge::trace
