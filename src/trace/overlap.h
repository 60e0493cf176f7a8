// SPDX-License-Identifier: Apache-2.0
// Clock faults of a trace, and the time that several intervals cover together.
//
//   const ClockFaults f = trace::clock_faults(timeline);    // after correlate
//   const std::int64_t busy_ns = trace::covered_ns(std::move(intervals));
//
// Spans with an end before their start count as points; overlaps count once. Cost: O(n log n).
#pragma once

#include <cstdint>
#include <vector>

#include "profile/timeline.h"

namespace ridge::trace {

struct ClockFaults {
  std::uint64_t negative = 0;  ///< end before start
  /// Spans that overlap an earlier span of their lane where neither contains the other.
  std::uint64_t overlapping = 0;
  std::uint64_t before_cause = 0;  ///< start before the start of their parent
};

/// Counts the faults; a lane is one level on one thread, device and queue.
ClockFaults clock_faults(const profile::Timeline& timeline);

struct Interval {
  std::int64_t start_ns = 0, end_ns = 0;
};

/// Union of the intervals: sorted, disjoint, none empty.
std::vector<Interval> united(std::vector<Interval> intervals);
std::int64_t covered_ns(std::vector<Interval> intervals);

}  // namespace ridge::trace
