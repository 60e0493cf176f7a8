// SPDX-License-Identifier: Apache-2.0
// The check across the stack: what the children of each span take of its time, level by level.
//
//   for (const StackLevel& l : application_stack(timeline))
//     l.name, l.time_ns, l.children_ns, l.remainder_ns(), l.exceeding;
//
// Children are the spans whose parent it is, counters and threads left out; what they cover
// together counts once. A span exceeds if its children on one thread take longer in sum than it
// does, or one of them begins before it or ends after it: a fault of clocks or of attribution. The
// remainder is time of the level that nothing below explains (Li et al., XSP, IPDPS 2020, section
// III). Thread rule: pure. Cost: O(n log n).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/timeline.h"

namespace ridge::trace {

/// Spans of one level and name that have children; layers and calls count together.
struct StackLevel {
  profile::Level level = profile::Level::kApplication;
  std::string name;  ///< "query", "sample", "run", "layer"
  std::uint64_t spans = 0;
  std::int64_t time_ns = 0;      ///< sum over these spans
  std::int64_t children_ns = 0;  ///< covered by their children
  std::uint64_t exceeding = 0;
  std::int64_t max_excess_ns = 0;  ///< the largest by which children exceed their parent

  std::int64_t remainder_ns() const { return time_ns - children_ns; }
};

/// By level, then by name.
std::vector<StackLevel> application_stack(const profile::Timeline& timeline);

}  // namespace ridge::trace
