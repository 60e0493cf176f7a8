// SPDX-License-Identifier: Apache-2.0
#include "export/profile/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <tuple>

#include "base/number.h"
#include "base/text.h"

namespace ridge::exports {
namespace {

using profile::Level;
using profile::Span;
using profile::SpanId;
using profile::TextId;
using profile::Timeline;

/// Number of lanes that are searched for one on which a span nests. Real concurrency on one thread
/// or queue is below it; beyond it, spans are laid end to end on flat lanes, which needs no search.
constexpr std::size_t kNestingLanes = 16;

struct Kind {
  std::uint32_t process = 0;
  Level level = Level::kModel;
  TextId thread = 0, queue = 0, counter = 0;
  bool counts = false;
  auto key() const { return std::tie(process, level, thread, queue, counts, counter); }
  bool operator<(const Kind& other) const { return key() < other.key(); }
};

Lane lane_of(const Kind& kind, std::uint32_t overflow) {
  return {.process = kind.process,
          .level = kind.level,
          .thread = kind.thread,
          .queue = kind.queue,
          .counter = kind.counter,
          .counts = kind.counts,
          .overflow = overflow};
}

/// Lanes of one kind. Spans are added by start, longer ones first.
///
/// Example: outer [0, 100), inner [10, 20), late [50, 150), after [150, 160). Lane 0 has the open
/// ends {100} after outer and {100, 20} after inner, which ends before outer. At 50 inner is
/// closed; late would end after outer's 100, so it does not nest and opens lane 1. At 150 outer is
/// closed too, and after is on lane 0 again. Lanes: {outer, inner, after} and, as overflow 1,
/// {late}.
class Stack {
 public:
  Stack(const Timeline& timeline, const Kind& kind) : timeline_(timeline), kind_(kind) {}

  void add(SpanId id) {
    const Span& span = timeline_.spans()[id];
    const std::int64_t end = drawn_end(span);
    for (std::size_t i = 0; i < kNestingLanes; ++i) {
      if (i == open_.size()) grow();
      std::vector<std::int64_t>& open = open_[i];
      while (!open.empty() && open.back() <= span.start_ns) open.pop_back();
      if (!open.empty() && open.back() < end) continue;
      open.push_back(end);
      lanes_[i].spans.push_back(id);
      return;
    }
    lanes_[place_flat(span.start_ns, end)].spans.push_back(id);
  }

  std::vector<Lane> take() { return std::move(lanes_); }

 private:
  void grow() {
    open_.emplace_back();
    lanes_.push_back(lane_of(kind_, static_cast<std::uint32_t>(lanes_.size())));
  }

  /// Flat lane that is free at `start`, or a new one.
  std::size_t place_flat(std::int64_t start, std::int64_t end) {
    std::size_t at = lanes_.size();
    if (!flat_.empty() && flat_.top().first <= start) {
      at = flat_.top().second;
      flat_.pop();
    } else {
      lanes_.push_back(lane_of(kind_, static_cast<std::uint32_t>(at)));
    }
    flat_.emplace(end, at);
    return at;
  }

  using Free = std::pair<std::int64_t, std::size_t>;
  const Timeline& timeline_;
  Kind kind_;
  std::vector<Lane> lanes_;
  std::vector<std::vector<std::int64_t>> open_;  ///< ends of the open spans on each nesting lane
  std::priority_queue<Free, std::vector<Free>, std::greater<>> flat_;
};

std::vector<Lane> lanes_of(const Timeline& timeline, const Kind& kind, std::vector<SpanId> spans) {
  std::stable_sort(spans.begin(), spans.end(), [&](SpanId a, SpanId b) {
    const Span &x = timeline.spans()[a], &y = timeline.spans()[b];
    return x.start_ns != y.start_ns ? x.start_ns < y.start_ns : drawn_end(x) > drawn_end(y);
  });
  if (kind.counts) {
    Lane lane = lane_of(kind, 0);
    lane.spans = std::move(spans);
    return {std::move(lane)};
  }
  Stack stack(timeline, kind);
  for (const SpanId id : spans) stack.add(id);
  return stack.take();
}

/// "thread 7" for a number, but "main" for a name.
std::string named(std::string_view what, std::string_view text) {
  return whole_number(text) ? fmt::format("{} {}", what, text) : std::string(text);
}

}  // namespace

Drawing lay_out(const Timeline& timeline) {
  std::vector<SpanId> all(timeline.spans().size());
  std::iota(all.begin(), all.end(), 0u);
  return lay_out(timeline, all);
}

Drawing lay_out(const Timeline& timeline, std::span<const SpanId> chosen) {
  Drawing drawing;
  std::map<TextId, std::uint32_t> devices = {{0, 0}};
  std::map<Kind, std::vector<SpanId>> kinds;
  if (!chosen.empty()) drawing.origin_ns = std::numeric_limits<std::int64_t>::max();
  for (const SpanId id : chosen) {
    const Span& span = timeline.spans()[id];
    drawing.origin_ns = std::min(drawing.origin_ns, span.start_ns);
    const auto next = static_cast<std::uint32_t>(devices.size());
    const auto [device, added] = devices.try_emplace(span.device, next);
    if (added) drawing.processes.push_back(span.device);
    const bool counts = counter_value(timeline, span).has_value();
    kinds[{device->second, span.level, span.thread, span.queue, counts ? span.name : 0, counts}]
        .push_back(id);
  }
  for (auto& [kind, spans] : kinds)
    for (Lane& lane : lanes_of(timeline, kind, std::move(spans)))
      drawing.lanes.push_back(std::move(lane));
  return drawing;
}

std::string label(const Timeline& timeline, const Lane& lane) {
  std::string out(lane.counts ? timeline.text(lane.counter) : name(lane.level));
  if (lane.thread != 0) out += ", " + named("thread", timeline.text(lane.thread));
  if (lane.queue != 0) out += ", " + named("queue", timeline.text(lane.queue));
  if (lane.overflow != 0) out += fmt::format(", overflow {}", lane.overflow);
  return valid_utf8(out);
}

std::optional<double> counter_value(const Timeline& timeline, const Span& span) {
  if (span.level != Level::kCounter) return std::nullopt;
  return finite_number(timeline.attribute_of(span, "value"));
}

void each_edge(const Timeline& timeline, const Lane& lane,
               const std::function<void(const Edge&)>& visit) {
  std::vector<SpanId> open;
  const auto end_of = [&](SpanId id) { return drawn_end(timeline.spans()[id]); };
  const auto close = [&] {
    visit({end_of(open.back()), open.back(), false});
    open.pop_back();
  };
  for (const SpanId id : lane.spans) {
    const std::int64_t start = timeline.spans()[id].start_ns;
    while (!open.empty() && end_of(open.back()) <= start) close();
    visit({start, id, true});
    open.push_back(id);
  }
  while (!open.empty()) close();
}

}  // namespace ridge::exports
