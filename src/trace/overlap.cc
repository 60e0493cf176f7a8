// SPDX-License-Identifier: Apache-2.0
#include "trace/overlap.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "trace/containers.h"

namespace ridge::trace {
namespace {

using profile::Span;
using profile::SpanId;

auto lane_of(const Span& s) { return std::tuple(s.level, s.thread, s.device, s.queue); }

std::uint64_t overlapping(const std::vector<Span>& spans) {
  std::vector<SpanId> order(spans.size());
  std::iota(order.begin(), order.end(), SpanId{0});
  std::sort(order.begin(), order.end(), [&](SpanId a, SpanId b) {
    const Span &x = spans[a], &y = spans[b];
    if (lane_of(x) != lane_of(y)) return lane_of(x) < lane_of(y);
    if (x.start_ns != y.start_ns) return x.start_ns < y.start_ns;
    return end_of(x) > end_of(y);
  });
  std::uint64_t count = 0;
  std::vector<std::int64_t> open;  // ends of the open spans, decreasing
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Span& s = spans[order[i]];
    if (i > 0 && lane_of(spans[order[i - 1]]) != lane_of(s)) open.clear();
    while (!open.empty() && open.back() <= s.start_ns) open.pop_back();
    bool cut = false;
    while (!open.empty() && open.back() < end_of(s)) {
      cut = true;
      open.pop_back();
    }
    count += cut ? 1U : 0U;
    open.push_back(end_of(s));
  }
  return count;
}

}  // namespace

ClockFaults clock_faults(const profile::Timeline& timeline) {
  const std::vector<Span>& spans = timeline.spans();
  ClockFaults faults;
  for (const Span& s : spans) {
    faults.negative += s.end_ns < s.start_ns ? 1U : 0U;
    if (s.parent < spans.size())
      faults.before_cause += s.start_ns < spans[s.parent].start_ns ? 1U : 0U;
  }
  faults.overlapping = overlapping(spans);
  return faults;
}

std::vector<Interval> united(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) {
    return std::tie(a.start_ns, a.end_ns) < std::tie(b.start_ns, b.end_ns);
  });
  std::vector<Interval> out;
  for (const Interval& i : intervals) {
    if (i.end_ns <= i.start_ns) continue;
    if (!out.empty() && i.start_ns <= out.back().end_ns)
      out.back().end_ns = std::max(out.back().end_ns, i.end_ns);
    else
      out.push_back(i);
  }
  return out;
}

std::int64_t covered_ns(std::vector<Interval> intervals) {
  std::int64_t sum = 0;
  for (const Interval& i : united(std::move(intervals))) sum += i.end_ns - i.start_ns;
  return sum;
}

}  // namespace ridge::trace
