// SPDX-License-Identifier: Apache-2.0
#include "measure/recorded.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "profile/member_text.h"

namespace ridge::measure {
namespace {

using profile::Level;
using profile::SpanId;
using profile::TextId;
using profile::Timeline;
using runtime::DeepRun;
using runtime::KernelEvent;
using runtime::Measurement;
using runtime::Mode;
using runtime::ProfiledRun;

/// Chooses up to `count` profiled runs (only the deepest level's, if there are any) whose wall
/// times are nearest to the median. The set is by position, that is in order of time.
std::set<std::uint32_t> typical_runs(const Measurement& m, std::uint32_t count) {
  std::vector<std::uint32_t> order, deepest;
  for (std::uint32_t i = 0; i < m.profiled.size(); ++i) {
    if (m.profiled[i].sample >= m.samples.size()) continue;
    order.push_back(i);
    if (m.samples[m.profiled[i].sample].mode == Mode::kDeepest) deepest.push_back(i);
  }
  if (!deepest.empty()) order = std::move(deepest);
  const auto wall = [&](std::uint32_t i) { return m.samples[m.profiled[i].sample].wall.count; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return wall(a) < wall(b); });
  if (order.empty()) return {};
  const std::int64_t middle = wall(order[(order.size() - 1) / 2]);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::abs(wall(a) - middle) < std::abs(wall(b) - middle);
  });
  order.resize(std::min<std::size_t>(order.size(), count));
  return {order.begin(), order.end()};
}

/// Levels without data: "kernel: not told by the runtime; thread, counter: not asked for".
std::string absent_levels(const Measurement& m) {
  std::string out = "kernel: not told by the runtime", unasked;
  if (m.threads.empty()) unasked = "thread";
  if (m.counters.empty()) unasked += unasked.empty() ? "counter" : ", counter";
  return unasked.empty() ? out : out + "; " + unasked + ": not asked for";
}

/// True if no event has a start time of its own.
bool tells_no_starts(const ProfiledRun& run) {
  return !run.events.empty() &&
         std::all_of(run.events.begin(), run.events.end(), [&](const KernelEvent& e) {
           return e.window_ns == 0 && e.start_ns == run.events.front().start_ns;
         });
}

/// Converts one process of the measurement.
class Recording {
 public:
  Recording(const Measurement& m, std::size_t process, std::int64_t origin_ns,
            const KernelPlaces& places, Timeline& timeline)
      : m_(m),
        to_(places.collected.same_kernel[process]),
        places_(places),
        timeline_(timeline),
        process_(fmt::format("process {}", process + 1)),
        origin_ns_(origin_ns) {}

  void run(std::uint32_t whole_runs) {
    std::vector<const ProfiledRun*> recorded(m_.samples.size(), nullptr);
    if (!to_.empty())
      for (const std::uint32_t i : typical_runs(m_, whole_runs))
        recorded[m_.profiled[i].sample] = &m_.profiled[i];
    std::vector<const DeepRun*> deep(m_.samples.size(), nullptr);
    for (const DeepRun& run : m_.deep)
      if (run.sample < deep.size()) deep[run.sample] = &run;
    for (std::size_t i = 0; i < m_.samples.size(); ++i) {
      const SpanId span = model_span(i);
      if (recorded[i] == nullptr) continue;
      timeline_.attribute("recorded", "1");
      timeline_.attribute("absent", absent_levels(m_));
      place(*recorded[i]);
      layers_of(*recorded[i], span);
      if (deep[i] == nullptr) continue;
      for (const runtime::ThreadWork& work : deep[i]->threads) add_thread(work, span);
      for (const runtime::CounterValue& value : deep[i]->counters) add_counter(value, span);
    }
  }

 private:
  /// Event on the common clock, and the execution of a layer that it is part of.
  struct Placed {
    std::int64_t start_ns = 0, end_ns = 0;
    std::size_t execution = 0;
  };
  /// One execution of a layer: consecutive events on one queue and in one body.
  struct Execution {
    std::vector<std::uint32_t> events;
    SpanId span = profile::kNoSpan;
  };

  SpanId model_span(std::size_t i) {
    const runtime::Sample& s = m_.samples[i];
    run_start_ns_ = s.start.count - origin_ns_;
    const SpanId span = timeline_.add({.level = Level::kModel,
                                       .name = timeline_.intern("run"),
                                       .start_ns = run_start_ns_,
                                       .end_ns = run_start_ns_ + s.wall.count,
                                       .thread = timeline_.intern(process_)});
    timeline_.attribute("process", process_.substr(8));
    timeline_.attribute("run", std::to_string(i));
    timeline_.attribute("mode", runtime::name(s.mode));
    return span;
  }

  /// Computes the position of each event of the run on the common clock.
  void place(const ProfiledRun& run) {
    made_ = tells_no_starts(run);
    placed_.assign(run.events.size(), {});
    std::int64_t next = run_start_ns_;
    for (std::size_t i = 0; i < run.events.size(); ++i) {
      const KernelEvent& e = run.events[i];
      const std::int64_t length = std::max(e.window_ns, e.duration_ns);
      placed_[i].start_ns = made_ ? next : run_start_ns_ + e.start_ns;
      next = placed_[i].end_ns = placed_[i].start_ns + length;
    }
  }

  std::vector<std::uint32_t> in_order(const ProfiledRun& run) const {
    std::vector<std::uint32_t> order(run.events.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const Placed &x = placed_[a], &y = placed_[b];
      if (made_ || x.start_ns != y.start_ns) return x.start_ns < y.start_ns;
      return x.end_ns > y.end_ns;  // outer events before those inside them
    });
    return order;
  }

  void layers_of(const ProfiledRun& run, SpanId model) {
    std::vector<Execution> executions;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> open;  // by queue and owner
    for (const std::uint32_t i : in_order(run)) {
      const KernelEvent& e = run.events[i];
      const auto [last, first] = open.try_emplace({e.queue, e.parent}, executions.size());
      if (first || !continues(run, executions[last->second], e)) {
        last->second = executions.size();
        executions.emplace_back();
      }
      executions[last->second].events.push_back(i);
      placed_[i].execution = last->second;
    }
    for (Execution& execution : executions) {
      const std::uint32_t owner = run.events[execution.events[0]].parent;
      add_layer(run, execution,
                owner < placed_.size() ? executions[placed_[owner].execution].span : model);
    }
  }

  /// True if `e` continues the execution: consecutive kernels of a layer belong together until one
  /// of them repeats.
  bool continues(const ProfiledRun& run, const Execution& execution, const KernelEvent& e) const {
    return layer_of(run.events[execution.events.back()]) == layer_of(e) &&
           std::none_of(execution.events.begin(), execution.events.end(),
                        [&](std::uint32_t other) { return run.events[other].kernel == e.kernel; });
  }

  std::uint32_t layer_of(const KernelEvent& e) const { return places_.layer_of[to_[e.kernel]]; }

  TextId thread_of(const KernelEvent& e) {
    return timeline_.intern(e.queue == 0 ? process_
                                         : fmt::format("{}, thread {}", process_, e.queue));
  }

  void add_layer(const ProfiledRun& run, Execution& execution, SpanId parent) {
    const KernelEvent& first = run.events[execution.events[0]];
    const std::uint32_t number = layer_of(first);
    execution.span = parent;
    if (number < places_.layers.size()) {
      const profile::Layer& layer = places_.layers[number];
      profile::Span span{.parent = parent,
                         .level = Level::kLayer,
                         .name = timeline_.intern(layer.name),
                         .start_ns = placed_[execution.events[0]].start_ns,
                         .end_ns = placed_[execution.events[0]].end_ns,
                         .thread = thread_of(first)};
      for (const std::uint32_t i : execution.events)
        span.end_ns = std::max(span.end_ns, placed_[i].end_ns);
      execution.span = timeline_.add(span);
      describe(layer);
    }
    for (const std::uint32_t i : execution.events)
      add_kernel(run.events[i], placed_[i], execution.span);
  }

  void describe(const profile::Layer& layer) {
    timeline_.attribute("layer", std::to_string(layer.index));
    timeline_.attribute("nodes", profile::node_list(layer));
    timeline_.attribute("type", layer.type);
    if (layer.bytes) timeline_.attribute("bytes", std::to_string(*layer.bytes));
    if (made_) timeline_.attribute("made", "1");
  }

  void add_kernel(const KernelEvent& e, const Placed& placed, SpanId layer) {
    const runtime::KernelInfo& kernel = m_.kernels[e.kernel];
    timeline_.add({.parent = layer,
                   .level = Level::kLibrary,
                   .name = timeline_.intern(kernel.name),
                   .start_ns = placed.start_ns,
                   .end_ns = placed.end_ns,
                   .thread = thread_of(e)});
    timeline_.attribute("type", kernel.type);
    timeline_.attribute("implementation", kernel.implementation);
    timeline_.attribute("duration_ns", std::to_string(e.duration_ns));
    if (made_) timeline_.attribute("made", "1");
  }

  /// Adds a span that covers a whole run; a thread or counter has no start and end of its own, so
  /// its values are attributes.
  void add_of_run(Level level, std::string_view name, std::string_view thread, SpanId run) {
    const profile::Span whole = timeline_.spans()[run];
    timeline_.add({.parent = run,
                   .level = level,
                   .name = timeline_.intern(name),
                   .start_ns = whole.start_ns,
                   .end_ns = whole.end_ns,
                   .thread = timeline_.intern(thread)});
  }

  void add_thread(const runtime::ThreadWork& work, SpanId run) {
    add_of_run(Level::kThread, m_.threads[work.thread].name,
               work.thread == 0 ? process_ : fmt::format("{}, worker {}", process_, work.thread),
               run);
    timeline_.attribute("cpu_ns", std::to_string(work.cpu_ns));
    if (work.wait_ns >= 0) timeline_.attribute("wait_ns", std::to_string(work.wait_ns));
    if (work.switches >= 0) timeline_.attribute("switches", std::to_string(work.switches));
  }

  void add_counter(const runtime::CounterValue& value, SpanId run) {
    const runtime::CounterInfo& counter = m_.counters[value.counter];
    add_of_run(Level::kCounter, counter.name, process_, run);
    timeline_.attribute("value", std::to_string(value.value));
    if (!counter.unit.empty()) timeline_.attribute("unit", counter.unit);
    timeline_.attribute("origin", counter.origin);
    if (value.running_ns == value.enabled_ns) return;
    timeline_.attribute("enabled_ns", std::to_string(value.enabled_ns));
    timeline_.attribute("running_ns", std::to_string(value.running_ns));
  }

  const Measurement& m_;
  const std::vector<std::uint32_t>& to_;
  const KernelPlaces& places_;
  Timeline& timeline_;
  std::string process_;
  std::int64_t origin_ns_ = 0, run_start_ns_ = 0;
  bool made_ = false;  ///< the runtime reports no start times
  std::vector<Placed> placed_;
};

}  // namespace

void record(const std::vector<ProcessMeasurement>& processes, const KernelPlaces& places,
            std::uint32_t runs_of_each, Timeline& timeline) {
  std::int64_t origin_ns = std::numeric_limits<std::int64_t>::max();
  for (const ProcessMeasurement& p : processes)
    if (!p.measurement.samples.empty())
      origin_ns = std::min(origin_ns, p.measurement.samples.front().start.count);
  for (std::size_t i = 0; i < processes.size(); ++i)
    Recording(processes[i].measurement, i, origin_ns, places, timeline).run(runs_of_each);
}

}  // namespace ridge::measure
