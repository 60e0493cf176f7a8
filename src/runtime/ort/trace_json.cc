// SPDX-License-Identifier: Apache-2.0
#include "runtime/ort/trace_json.h"

namespace ridge::ort {
namespace {

void find_depths(std::vector<TraceEvent>& events) {
  std::vector<profile::OrtInterval> intervals;
  intervals.reserve(events.size());
  for (const TraceEvent& e : events)
    intervals.push_back({e.start_us, e.duration_us, e.thread, e.holds_events()});
  const std::vector<std::uint32_t> around = profile::enclosing(intervals);
  for (std::size_t i = events.size(); i-- > 0;)
    events[i].depth = around[i] == profile::kNotEnclosed ? 0 : events[around[i]].depth + 1;
}

}  // namespace

Result<std::vector<TraceEvent>> parse_trace(std::string_view text) {
  profile::OrtTrace trace(text);
  std::vector<TraceEvent> events;
  TraceEvent event;
  while (trace.next(event)) events.push_back(event);
  if (trace.damage().cut_off || JsonScan(text).peek() != '[') {
    return environment_error("RIDGE-ORT-0040", "ONNX Runtime wrote a profile that is not JSON")
        .hint("check that the temporary folder has room");
  }
  find_depths(events);
  return events;
}

}  // namespace ridge::ort
