// What clocks did wrong, and how much time several spans cover together.
//
//   const ClockFaults f = trace::clock_faults(timeline);    // after correlate
//   const std::int64_t busy_ns = trace::covered_ns(std::move(intervals));
//
// Spans with an end before their start count as points; what overlaps counts once. Cost:
// O(n log n).
#pragma once

#include <cstdint>
#include <vector>

#include "profile/timeline.h"

namespace ridge::trace {

struct ClockFaults {
  std::uint64_t negative = 0;  ///< end before start
  std::uint64_t overlapping =
      0;  ///< overlap an earlier span of their lane, neither holds the other
  std::uint64_t before_cause = 0;  ///< start before the span that caused them: a clock went back
};

/// A lane: one level on one thread, device and queue.
ClockFaults clock_faults(const profile::Timeline& timeline);

struct Interval {
  std::int64_t start_ns = 0, end_ns = 0;
};

/// Sorted, disjoint, none empty.
std::vector<Interval> united(std::vector<Interval> intervals);
std::int64_t covered_ns(std::vector<Interval> intervals);

}  // namespace ridge::trace
