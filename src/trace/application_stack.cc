// SPDX-License-Identifier: Apache-2.0
#include "trace/application_stack.h"

#include <algorithm>
#include <map>
#include <utility>

#include "trace/overlap.h"

namespace ridge::trace {
namespace {

using profile::Level;
using profile::Span;
using profile::SpanId;
using profile::TextId;
using profile::Timeline;

/// Level and name under which a span is counted.
std::pair<Level, std::string> place_of(const Timeline& timeline, const Span& span) {
  const bool named = span.level == Level::kApplication || span.level == Level::kModel;
  return {span.level, std::string(named ? timeline.text(span.name) : name(span.level))};
}

/// Time by which children exceed their parent: in sum on one thread, or at either end.
std::int64_t excess(const Timeline& timeline, const Span& parent,
                    const std::vector<SpanId>& children) {
  std::map<TextId, std::int64_t> by_thread;
  std::int64_t most = 0;
  for (const SpanId id : children) {
    const Span& child = timeline.spans()[id];
    std::int64_t& sum = by_thread[child.thread];
    sum += child.duration_ns();
    most = std::max({most, sum - parent.duration_ns(), parent.start_ns - child.start_ns,
                     child.end_ns - parent.end_ns});
  }
  return most;
}

std::int64_t covered(const Timeline& timeline, const Span& parent,
                     const std::vector<SpanId>& children) {
  std::vector<Interval> intervals;
  for (const SpanId id : children) {
    const Span& child = timeline.spans()[id];
    intervals.push_back({std::clamp(child.start_ns, parent.start_ns, parent.end_ns),
                         std::clamp(child.end_ns, parent.start_ns, parent.end_ns)});
  }
  return covered_ns(std::move(intervals));
}

}  // namespace

std::vector<StackLevel> application_stack(const Timeline& timeline) {
  const std::vector<Span>& spans = timeline.spans();
  std::vector<std::vector<SpanId>> children(spans.size());
  for (SpanId id = 0; id < spans.size(); ++id) {
    const bool part = spans[id].level != Level::kThread && spans[id].level != Level::kCounter;
    if (part && spans[id].parent < spans.size()) children[spans[id].parent].push_back(id);
  }
  std::map<std::pair<Level, std::string>, StackLevel> levels;
  for (SpanId id = 0; id < spans.size(); ++id) {
    if (children[id].empty() || spans[id].end_ns < spans[id].start_ns) continue;
    const auto place = place_of(timeline, spans[id]);
    StackLevel& level = levels[place];
    level.level = place.first;
    level.name = place.second;
    ++level.spans;
    level.time_ns += spans[id].duration_ns();
    level.children_ns += covered(timeline, spans[id], children[id]);
    const std::int64_t over = excess(timeline, spans[id], children[id]);
    if (over > 0) ++level.exceeding;
    level.max_excess_ns = std::max(level.max_excess_ns, over);
  }
  std::vector<StackLevel> out;
  for (auto& [place, level] : levels) out.push_back(std::move(level));
  return out;
}

}  // namespace ridge::trace
