// Which span caused which: parents for spans that name none, by correlation ids first, by interval
// containment as the fall-back.
//
//   const Correlation c = trace::correlate(timeline);      // fills Span::parent
//   c.by_id, c.by_containment, c.ambiguous, c.orphaned
//
// 1. A parent that the file gives stays, unless it does not exist or leads back to its child.
// 2. A span with a correlation id belongs to the span of a higher level with the same id (a kernel
//    to its launch): of several the one of the deepest level, then the last that starts before it.
// 3. Otherwise the innermost span that contains it in time, of a higher level, or of the same one
//    where that level nests (application, layer, library). Spans of one thread contain each other;
//    one that names no thread contains, and is contained, on any. Of equal intervals the one of the
//    higher level, then the one that comes first, is the outer. A kernel on a device runs while the
//    host does something else: where a recording has correlation ids, one without a launch of its
//    id is in nothing.
//
// `ambiguous`: containing spans were found that overlap without containing each other, or on
// several threads, so the innermost is a guess; or several spans have the id. An end before its
// start counts as the start. Cost: O(n log n) time, some 60 bytes per span; iterative.
#pragma once

#include <cstdint>

#include "profile/timeline.h"

namespace ridge::trace {

struct Correlation {
  std::uint64_t spans = 0;
  std::uint64_t given = 0;  ///< the file says their parent
  std::uint64_t by_id = 0, by_containment = 0;
  std::uint64_t ambiguous = 0;  ///< of by_id and by_containment: one of several
  std::uint64_t orphaned = 0;   ///< below level model and in no other span
  std::uint64_t roots = 0;      ///< of levels application and model, with no parent
  std::uint64_t broken = 0;     ///< named a parent that is not there, or that they caused
};

Correlation correlate(profile::Timeline& timeline);

}  // namespace ridge::trace
