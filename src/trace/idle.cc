// SPDX-License-Identifier: Apache-2.0
// Query idle: causes of the gaps between the spans of a device queue or of a thread.
//
// The gap before a kernel is split: until its launch begins, the host does other work (host work);
// after that, time in which other queues run is taken as waiting for them (dependency), and the
// rest is launch latency. The gap of a thread is a dependency while other threads run, else the
// runtime's own work between layers (host work). The gap at the end of a run is reported
// separately, for threads also the one at its start.
//
// Example: stream 8 is idle from 0 until kernel k2 starts at 70, its launch begins at 40, and
// stream 7 is busy in [50, 90). Host work: [0, 40), 40 ns. Dependency: [50, 70), 20 ns. Launch
// latency: the remaining 10 ns.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "trace/containers.h"
#include "trace/overlap.h"
#include "trace/query_tables.h"

namespace ridge::trace {
namespace {

using profile::kNoSpan;
using profile::Level;
using profile::Span;
using profile::SpanId;

enum class Cause : std::uint8_t {
  kHost,
  kLaunch,
  kDependency,
  kRunStart,
  kRunEnd,
  kUnknown,
};
constexpr std::array<std::string_view, 6> kCauses = {"host work", "launch latency", "dependency",
                                                     "run start", "run end",        "unknown"};

struct CauseSum {
  std::int64_t gaps = 0, longest_ns = 0;
  double ns = 0;  // over many runs, an integer might overflow
  SpanId longest_before = kNoSpan;

  void add(std::int64_t gap_ns, SpanId before) {
    if (gap_ns <= 0) return;
    ++gaps;
    ns += static_cast<double>(gap_ns);
    if (gap_ns <= longest_ns) return;
    longest_ns = gap_ns;
    longest_before = before;
  }
};

/// Device and queue, or thread and 0.
using Lane = std::pair<profile::TextId, profile::TextId>;
struct LaneSums {
  std::array<CauseSum, kCauses.size()> causes;
  double runs = 0, spans_ns = 0;  ///< recorded runs that use the lane, their total length
};

Level busy_level(const View& run) {
  for (const Level level : {Level::kKernel, Level::kLibrary})
    if (run.spans_of[static_cast<std::size_t>(level)] > 0) return level;
  return Level::kLayer;
}

class IdleTime {
 public:
  explicit IdleTime(const View& view)
      : view_(view), spans_(view.profile->timeline.spans()), level_(busy_level(view)) {}

  std::map<Lane, LaneSums> sums() {
    each_busy();
    for (std::size_t first = 0; first < order_.size();) {
      std::size_t last = first;
      while (last < order_.size() && run_of(last) == run_of(first)) ++last;
      one_run(first, last);
      first = last;
    }
    return std::move(sums_);
  }

 private:
  std::uint32_t run_of(std::size_t i) const { return view_.run_of[order_[i]]; }

  Lane lane_of(const Span& s) const {
    return level_ == Level::kKernel ? Lane(s.device, s.queue) : Lane(s.thread, 0);
  }

  /// Collects the busy spans, sorted by run, lane and start.
  void each_busy() {
    for (SpanId id = 0; id < spans_.size(); ++id)
      if (spans_[id].level == level_ && view_.run_of[id] != kNone) order_.push_back(id);
    std::sort(order_.begin(), order_.end(), [&](SpanId a, SpanId b) {
      if (view_.run_of[a] != view_.run_of[b]) return view_.run_of[a] < view_.run_of[b];
      const Lane x = lane_of(spans_[a]), y = lane_of(spans_[b]);
      if (x != y) return x < y;
      return spans_[a].start_ns != spans_[b].start_ns ? spans_[a].start_ns < spans_[b].start_ns
                                                      : a < b;
    });
  }

  void one_run(std::size_t first, std::size_t last) {
    std::vector<Interval> all;
    for (std::size_t i = first; i < last; ++i)
      all.push_back({spans_[order_[i]].start_ns, end_of(spans_[order_[i]])});
    busy_ = united(std::move(all));
    busy_before_ns_.assign(busy_.size(), 0);
    for (std::size_t i = 1; i < busy_.size(); ++i)
      busy_before_ns_[i] = busy_before_ns_[i - 1] + busy_[i - 1].end_ns - busy_[i - 1].start_ns;
    const SpanId model = view_.runs[run_of(first)];
    for (std::size_t begin = first; begin < last;) {
      std::size_t end = begin;
      const Lane lane = lane_of(spans_[order_[begin]]);
      while (end < last && lane_of(spans_[order_[end]]) == lane) ++end;
      sums_[lane].runs += 1;
      if (model != kNoSpan)
        sums_[lane].spans_ns += static_cast<double>(end_of(spans_[model]) - spans_[model].start_ns);
      one_lane(begin, end, model, sums_[lane]);
      begin = end;
    }
  }

  void one_lane(std::size_t first, std::size_t last, SpanId model, LaneSums& sums) {
    std::int64_t reached_ns =
        model == kNoSpan ? spans_[order_[first]].start_ns : spans_[model].start_ns;
    for (std::size_t i = first; i < last; ++i) {
      const Span& next = spans_[order_[i]];
      const bool from_run_start = i == first && level_ != Level::kKernel;
      if (from_run_start)
        at(sums, Cause::kRunStart).add(next.start_ns - reached_ns, order_[i]);
      else if (next.start_ns > reached_ns)
        gap(reached_ns, order_[i], sums);
      reached_ns = i == first ? end_of(next) : std::max(reached_ns, end_of(next));
    }
    if (model != kNoSpan) at(sums, Cause::kRunEnd).add(end_of(spans_[model]) - reached_ns, kNoSpan);
  }

  void gap(std::int64_t from_ns, SpanId before, LaneSums& sums) {
    const Span& next = spans_[before];
    if (view_.made_starts) return at(sums, Cause::kUnknown).add(next.start_ns - from_ns, before);
    Cause rest = Cause::kHost;
    if (level_ == Level::kKernel) {
      const SpanId launch = next.parent;
      if (launch == kNoSpan || spans_[launch].level != Level::kLibrary)
        return at(sums, Cause::kUnknown).add(next.start_ns - from_ns, before);
      // Example: a queue is idle from 100 to 200, the next kernel is launched at 130, another queue
      // is busy from 150 to 160. Host work 30 (nobody had launched yet), dependency 10, launch
      // latency 60.
      const std::int64_t launched_ns = std::clamp(spans_[launch].start_ns, from_ns, next.start_ns);
      at(sums, Cause::kHost).add(launched_ns - from_ns, before);
      from_ns = launched_ns;
      rest = Cause::kLaunch;
    }
    const std::int64_t others_ns = busy_between(from_ns, next.start_ns);
    at(sums, Cause::kDependency).add(others_ns, before);
    at(sums, rest).add(next.start_ns - from_ns - others_ns, before);
  }

  /// Time in which any lane is busy; called for a gap, so it is the busy time of the other lanes.
  std::int64_t busy_between(std::int64_t from_ns, std::int64_t to_ns) const {
    return busy_until(to_ns) - busy_until(from_ns);
  }

  std::int64_t busy_until(std::int64_t ns) const {
    const auto after = std::partition_point(busy_.begin(), busy_.end(),
                                            [&](const Interval& i) { return i.start_ns < ns; });
    if (after == busy_.begin()) return 0;
    const auto last = static_cast<std::size_t>(after - busy_.begin()) - 1;
    return busy_before_ns_[last] + std::min(busy_[last].end_ns, ns) - busy_[last].start_ns;
  }

  static CauseSum& at(LaneSums& sums, Cause cause) {
    return sums.causes[static_cast<std::size_t>(cause)];
  }

  const View& view_;
  const std::vector<Span>& spans_;
  Level level_;
  std::vector<SpanId> order_;
  std::vector<Interval> busy_;  ///< union over all lanes of the current run
  std::vector<std::int64_t> busy_before_ns_;
  std::map<Lane, LaneSums> sums_;
};

}  // namespace

Table idle_time(const View& run) {
  Table t;
  const bool devices = busy_level(run) == Level::kKernel;
  const auto where = t.column(devices ? "device" : "thread", "", "the trace does not name one"),
             queue = t.column("queue", "", devices ? "the trace does not name one" : ""),
             cause = t.column("cause"), gaps = t.column("gaps"), time = t.column("time_ns", "ns"),
             share = t.column("share", "1", "the run has no latency"),
             longest = t.column("longest_ns", "ns"),
             before = t.column("longest_before", "", "nothing came after it");
  const profile::Timeline& timeline = run.profile->timeline;
  for (const auto& [lane, sums] : IdleTime(run).sums())
    for (std::size_t c = 0; c < sums.causes.size(); ++c) {
      const CauseSum& s = sums.causes[c];
      if (s.gaps == 0) continue;
      Row& row = t.row();
      row.set(where, timeline.text(lane.first)).set(queue, timeline.text(lane.second));
      row.set(cause, kCauses[c]).set(gaps, static_cast<double>(s.gaps) / sums.runs);
      row.set(time, s.ns / sums.runs);
      row.set(share, share_of(s.ns, sums.spans_ns)).set(longest, static_cast<double>(s.longest_ns));
      if (s.longest_before == kNoSpan) continue;
      const std::uint32_t layer = devices ? kNone : run.layer_of[s.longest_before];
      row.set(before, layer != kNone ? std::string_view(run.layers[layer].name)
                                     : timeline.text(timeline.spans()[s.longest_before].name));
    }
  t.notes.push_back(fmt::format(
      "means over the recorded runs that each has part in, of {}; gaps between spans of level {}",
      run.runs.size(), profile::name(busy_level(run))));
  if (run.made_starts)
    t.notes.emplace_back(
        "the runtime tells no starts: its spans were laid end to end, so gaps between them mean "
        "nothing");
  return t;
}

}  // namespace ridge::trace
