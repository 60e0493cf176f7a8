// SPDX-License-Identifier: Apache-2.0
// Correlation of spans with their causes: finds parents for spans that have none, by correlation id
// first, by interval containment as the fallback.
//
//   const Correlation c = trace::correlate(timeline);      // fills Span::parent
//   c.by_id, c.by_containment, c.ambiguous, c.orphaned
//
// 1. A parent from the file stays, unless it does not exist or closes a cycle.
// 2. The parent of a span with a correlation id is the span of a higher level with the same id (for
//    a kernel its launch). Among several it is one of the deepest level, there the last that starts
//    no later than the child.
// 3. Otherwise it is the innermost span that contains the child in time, of a higher level, or of
//    the same level where that level nests (application, layer, library). Containment is tested
//    within a thread; a span without a thread may contain, and be contained by, spans of any
//    thread. Among equal intervals the one of the higher level, then the one that is first in the
//    file, is the outer. A kernel on a device runs asynchronously to the host: where a recording
//    has correlation ids, a kernel without a launch of its id gets no parent.
//
// `ambiguous`: several spans contain the child that overlap without containing each other or are on
// several threads, so the innermost is a guess; or several spans have the id. An end before its
// start counts as the start. Cost: O(n log n) time, some 60 bytes per span; iterative.
#pragma once

#include <cstdint>

#include "profile/timeline.h"

namespace ridge::trace {

struct Correlation {
  std::uint64_t spans = 0;
  std::uint64_t given = 0;  ///< parent from the file
  std::uint64_t by_id = 0, by_containment = 0;
  std::uint64_t ambiguous = 0;  ///< part of by_id and by_containment: one of several candidates
  std::uint64_t orphaned = 0;   ///< below level model, without a parent
  std::uint64_t roots = 0;      ///< spans of levels application and model without a parent
  std::uint64_t broken = 0;     ///< removed parents: missing, or part of a cycle
};

Correlation correlate(profile::Timeline& timeline);

}  // namespace ridge::trace
