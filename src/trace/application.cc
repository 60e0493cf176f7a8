// SPDX-License-Identifier: Apache-2.0
#include "trace/application.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace ridge::trace {
namespace {

using profile::Level;
using profile::Span;
using profile::SpanId;
using profile::TextId;
using profile::Timeline;

/// Numbers of the queries that are kept, ascending.
std::vector<std::uint32_t> kept_of(std::span<const scenario::Query> queries) {
  std::vector<std::uint32_t> out(queries.size());
  std::iota(out.begin(), out.end(), 0U);
  constexpr std::size_t kMax = ApplicationTrace::kMaxQueries, kHalf = kMax / 2;
  if (out.size() <= kMax) return out;
  std::nth_element(out.begin() + kHalf, out.begin() + kMax, out.end(),
                   [&](std::uint32_t a, std::uint32_t b) {
                     return queries[a].latency_ns() > queries[b].latency_ns();
                   });
  out.resize(kMax);
  std::ranges::sort(out);
  return out;
}

/// The track of each kept query's run, by position in `kept`.
std::vector<std::size_t> workers_of(std::span<const scenario::Query> queries,
                                    std::span<const std::uint32_t> kept) {
  std::vector<std::uint32_t> order(kept.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return queries[kept[i]].issued_ns; });
  Tracks workers(std::numeric_limits<std::size_t>::max());
  std::vector<std::size_t> out(kept.size());
  for (const std::uint32_t i : order)
    out[i] = workers.place(queries[kept[i]].issued_ns, queries[kept[i]].done_ns);
  return out;
}

}  // namespace

std::size_t Tracks::place(std::int64_t begin_ns, std::int64_t end_ns) {
  std::size_t best = kNone;
  for (std::size_t t = 0; t < ends_.size(); ++t)
    if (ends_[t] <= begin_ns && (best == kNone || ends_[t] > ends_[best])) best = t;
  if (best == kNone) {
    if (ends_.size() >= most_) return kNone;
    best = ends_.size();
    ends_.push_back(0);
  }
  ends_[best] = std::max(begin_ns, end_ns);
  return best;
}

void ApplicationTrace::add(const ApplicationLoad& load) {
  const std::vector<std::uint32_t> kept = kept_of(load.queries);
  left_out_ += load.queries.size() - kept.size();
  const std::vector<std::size_t> workers = workers_of(load.queries, kept);
  Tracks tracks(kMaxTracks);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const scenario::Query& q = load.queries[kept[i]];
    const std::size_t track = tracks.place(q.scheduled_ns, q.done_ns);
    const SpanId query =
        track == Tracks::kNone ? profile::kNoSpan : add_query(load, kept[i], track);
    timeline_.add(
        {.parent = query,
         .level = Level::kModel,
         .name = timeline_.intern("run"),
         .start_ns = q.issued_ns,
         .end_ns = q.done_ns,
         .thread = timeline_.intern(fmt::format("{}, worker {}", load.name, workers[i] + 1))});
    describe(q, kept[i]);
    if (query == profile::kNoSpan)
      timeline_.attribute("scheduled_ns", std::to_string(q.scheduled_ns - q.issued_ns));
  }
  add_waiting(load, kept);
}

SpanId ApplicationTrace::add_query(const ApplicationLoad& load, std::uint32_t number,
                                   std::size_t track) {
  const scenario::Query& q = load.queries[number];
  const TextId thread =
      timeline_.intern(fmt::format("{}, queries, track {}", load.name, track + 1));
  const SpanId query = timeline_.add({.level = Level::kApplication,
                                      .name = timeline_.intern("query"),
                                      .start_ns = q.scheduled_ns,
                                      .end_ns = q.done_ns,
                                      .thread = thread});
  describe(q, number);
  timeline_.add({.parent = query,
                 .level = Level::kApplication,
                 .name = timeline_.intern("wait"),
                 .start_ns = q.scheduled_ns,
                 .end_ns = q.issued_ns,
                 .thread = thread});
  return query;
}

void ApplicationTrace::describe(const scenario::Query& query, std::uint32_t number) {
  timeline_.attribute("query", std::to_string(number));
  timeline_.attribute("sample", std::to_string(std::uint32_t{query.sample}));
  timeline_.attribute("late_ns", std::to_string(query.late_ns));
  if (query.failed == 1) timeline_.attribute("failed", "1");
}

/// A counter that steps where a kept query is scheduled or issued.
void ApplicationTrace::add_waiting(const ApplicationLoad& load,
                                   std::span<const std::uint32_t> kept) {
  std::map<std::int64_t, std::int64_t> changes;
  for (const std::uint32_t number : kept) {
    ++changes[load.queries[number].scheduled_ns];
    --changes[load.queries[number].issued_ns];
  }
  std::int64_t waiting = 0;
  for (auto at = changes.begin(); at != changes.end(); ++at) {
    waiting += at->second;
    const auto next = std::next(at);
    timeline_.add({.level = Level::kCounter,
                   .name = timeline_.intern(load.name + ", queries waiting"),
                   .start_ns = at->first,
                   .end_ns = next == changes.end() ? at->first : next->first});
    timeline_.attribute("value", std::to_string(waiting));
  }
}

/// A span around the steps of each sample.
void ApplicationTrace::add_steps(std::span<const ApplicationStep> all) {
  const std::span<const ApplicationStep> steps = all.first(std::min(all.size(), kMaxSteps));
  struct Sample {
    std::size_t first = 0, last = 0;
    std::int64_t begin_ns = 0, end_ns = 0;
  };
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i == 0 || steps[i].sample != steps[i - 1].sample)
      samples.push_back({i, i, steps[i].begin_ns, steps[i].end_ns});
    samples.back().last = i;
    samples.back().end_ns = std::max(samples.back().end_ns, steps[i].end_ns);
  }
  std::ranges::stable_sort(samples, {}, &Sample::begin_ns);
  Tracks tracks(std::numeric_limits<std::size_t>::max());
  for (const Sample& s : samples) {
    const std::size_t track = tracks.place(s.begin_ns, s.end_ns);
    const TextId thread = timeline_.intern(
        track == 0 ? "pre-processing" : fmt::format("pre-processing, track {}", track + 1));
    const SpanId sample = timeline_.add({.level = Level::kApplication,
                                         .name = timeline_.intern("sample"),
                                         .start_ns = s.begin_ns,
                                         .end_ns = s.end_ns,
                                         .thread = thread});
    timeline_.attribute("sample", std::to_string(steps[s.first].sample));
    for (std::size_t i = s.first; i <= s.last; ++i)
      timeline_.add({.parent = sample,
                     .level = Level::kApplication,
                     .name = timeline_.intern(steps[i].name),
                     .start_ns = steps[i].begin_ns,
                     .end_ns = steps[i].end_ns,
                     .thread = thread});
  }
}

void ApplicationTrace::add_profiled(const std::string& name, const Timeline& recording,
                                    std::int64_t origin_ns) {
  std::vector<SpanId> to(recording.spans().size(), profile::kNoSpan);
  std::uint32_t runs = 0;
  for (SpanId id = 0; id < recording.spans().size(); ++id) {
    const Span& from = recording.spans()[id];
    const bool run = from.level == Level::kModel;
    if (run && recording.attribute_of(from, "recorded").empty()) continue;
    // Parents come before their children in a recording.
    if (!run && (from.parent >= id || to[from.parent] == profile::kNoSpan)) continue;
    Span span{.parent = run ? profile::kNoSpan : to[from.parent],
              .level = from.level,
              .name = timeline_.intern(recording.text(from.name)),
              .start_ns = from.start_ns + origin_ns,
              .end_ns = from.end_ns + origin_ns};
    std::string thread = name + ", profiled";
    const std::string_view own = recording.text(from.thread);
    // "process 1, thread 2" is another thread than the run's thread.
    if (const std::size_t comma = own.find(", "); comma != std::string_view::npos)
      thread += own.substr(comma);
    span.thread = timeline_.intern(thread);
    if (run) {
      span.parent = timeline_.add({.level = Level::kApplication,
                                   .name = timeline_.intern("query"),
                                   .start_ns = span.start_ns,
                                   .end_ns = span.end_ns,
                                   .thread = span.thread});
      timeline_.attribute("profiled", std::to_string(++runs));
    }
    to[id] = timeline_.add(span);
    for (const auto* a = recording.begin(from); a != recording.end(from); ++a)
      timeline_.attribute(recording.text(a->key), recording.text(a->value));
  }
}

}  // namespace ridge::trace
