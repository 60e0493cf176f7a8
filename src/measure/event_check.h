// Whether the events of profiled runs can be what happened: faults of a profiler that each event
// shows by itself, or beside the other runs. What they amount to in sums is for self_check.h.
//
//   for (std::string& note : event_notes(kernels, measured)) ...
//
// Looked for: events that end before they begin or are longer than the run around them, a run's own
// figure that is longer than the run by our clock (steps of a clock), events that come twice, runs
// with other events than most, and durations in coarse steps. Cost: O(events).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "attribution/attribution.h"
#include "measure/collect.h"

namespace ridge::measure {

/// A note for each kind of fault, over all processes.
std::vector<std::string> event_notes(const std::vector<ProcessMeasurement>& processes);

/// Of layers of the main graph that have work and that no event tells of.
std::optional<std::string> missing_note(const attribution::Attribution& attribution,
                                        const std::vector<bool>& executed,  ///< by kernel
                                        const analysis::Resolved& resolved);

/// The step in which durations are told: their greatest common divisor. 1 us at least, and where
/// they are too few to tell.
std::int64_t duration_step_ns(const std::vector<ProcessMeasurement>& processes);

}  // namespace ridge::measure
