// SPDX-License-Identifier: Apache-2.0
// Layout of the spans of a timeline: a lane per level, device, queue and thread, on which spans
// nest. Spans that overlap without nesting go to an overflow lane of the same name.
//
//   const Drawing drawing = lay_out(timeline);
//   for (const Lane& lane : drawing.lanes)
//     each_edge(timeline, lane, [](const Edge& edge) { … });   // begins and ends, in order
//
// Chrome's `X` events and Perfetto's track events are only defined for slices that nest. A counter
// span with a number in its attribute "value" is not a slice; each counter name has its own lane.
// Times count from the earliest start; a span that ends before it starts is drawn with length 0.
// Cost: n log n for any overlap. Ownership: borrows nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "profile/timeline.h"

namespace ridge::exports {

struct Lane {
  std::uint32_t process = 0;  ///< position in Drawing::processes
  profile::Level level = profile::Level::kModel;
  profile::TextId thread = 0, queue = 0;
  profile::TextId counter = 0;              ///< name of the counter, in a counter's lane
  bool counts = false;                      ///< lane of a counter: spans do not nest
  std::uint32_t overflow = 0;               ///< 0: first lane of its kind
  std::vector<profile::SpanId> spans = {};  ///< by start, longer spans first
};

struct Drawing {
  std::vector<profile::TextId> processes = {0};  ///< devices; the first is the host
  std::vector<Lane> lanes;
  std::int64_t origin_ns = 0;  ///< earliest start

  /// Nanoseconds from the origin.
  std::uint64_t since(std::int64_t ns) const {
    return static_cast<std::uint64_t>(ns) - static_cast<std::uint64_t>(origin_ns);
  }
};

Drawing lay_out(const profile::Timeline& timeline);
/// Layout of the chosen spans only.
Drawing lay_out(const profile::Timeline& timeline, std::span<const profile::SpanId> chosen);

/// Label of a lane: "layer, thread 7", "kernel, queue 2, overflow 1"; for a counter its name.
std::string label(const profile::Timeline& timeline, const Lane& lane);
/// Number in attribute "value" of a span of level counter.
std::optional<double> counter_value(const profile::Timeline& timeline, const profile::Span& span);
/// End of a span, not before its start.
inline std::int64_t drawn_end(const profile::Span& span) {
  return span.end_ns < span.start_ns ? span.start_ns : span.end_ns;
}

struct Edge {
  std::int64_t at_ns = 0;
  profile::SpanId span = 0;
  bool begins = false;
};
/// Visits the edges of a lane of nested spans in order of time: every end comes after its begin and
/// before the end of the enclosing span.
void each_edge(const profile::Timeline& timeline, const Lane& lane,
               const std::function<void(const Edge&)>& visit);

}  // namespace ridge::exports
