// Where the spans of a timeline are drawn: a lane per level, device, queue and thread, on which
// spans nest. What overlaps without nesting goes to an overflow lane of the same name.
//
//   const Drawing drawing = lay_out(timeline);
//   for (const Lane& lane : drawing.lanes)
//     each_edge(timeline, lane, [](const Edge& edge) { … });   // begins and ends, in order
//
// Chrome's `X` events and Perfetto's track events are only defined for slices that nest. A counter
// with a number in its attribute "value" is no slice and has a lane of its own per name. Times are
// drawn from the earliest start on; a span that ends before it starts is drawn with no length.
// Cost: n log n, whatever overlaps. Ownership: borrows nothing.
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
  profile::TextId counter = 0;              ///< the name, of a counter's lane
  bool counts = false;                      ///< a counter: spans do not nest
  std::uint32_t overflow = 0;               ///< 0: the first of its kind
  std::vector<profile::SpanId> spans = {};  ///< by start, the longer first
};

struct Drawing {
  std::vector<profile::TextId> processes = {0};  ///< devices; the first is the host
  std::vector<Lane> lanes;
  std::int64_t origin_ns = 0;  ///< the earliest start

  /// Nanoseconds from the origin.
  std::uint64_t since(std::int64_t ns) const {
    return static_cast<std::uint64_t>(ns) - static_cast<std::uint64_t>(origin_ns);
  }
};

Drawing lay_out(const profile::Timeline& timeline);
/// Of these spans alone.
Drawing lay_out(const profile::Timeline& timeline, std::span<const profile::SpanId> chosen);

/// "layer, thread 7", "kernel, stream 2, overflow 1"; a counter's name.
std::string label(const profile::Timeline& timeline, const Lane& lane);
/// Of a counter's span: the number in its attribute "value".
std::optional<double> counter_value(const profile::Timeline& timeline, const profile::Span& span);
/// Not before the start.
inline std::int64_t drawn_end(const profile::Span& span) {
  return span.end_ns < span.start_ns ? span.start_ns : span.end_ns;
}

struct Edge {
  std::int64_t at_ns = 0;
  profile::SpanId span = 0;
  bool begins = false;
};
/// The edges of a lane that nests: every end stands after its begin and before that of the span
/// around it, times never go back.
void each_edge(const profile::Timeline& timeline, const Lane& lane,
               const std::function<void(const Edge&)>& visit);

}  // namespace ridge::exports
