// SPDX-License-Identifier: Apache-2.0
// Plausibility checks on the events of profiled runs: profiler faults that are visible in a single
// event or by comparison with other runs. Faults in their sums are detected by self_check.h.
//
//   for (std::string& note : event_notes(kernels, measured)) ...
//
// Checks for: events that end before they begin or are longer than their run, a runtime's own run
// time that exceeds the run by our clock (clock steps), duplicate events, runs whose events differ
// from most others, and durations in coarse steps. Cost: O(events).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "attribution/attribution.h"
#include "measure/collect.h"

namespace ridge::measure {

/// Returns a note for each kind of fault, over all processes.
std::vector<std::string> event_notes(const std::vector<ProcessMeasurement>& processes);

/// Note about layers of the main graph that have work but no event; nullopt if there are none.
std::optional<std::string> missing_note(const attribution::Attribution& attribution,
                                        const std::vector<bool>& executed,  ///< by kernel
                                        const analysis::Resolved& resolved);

/// Names the nodes that are in no layer without a known reason, each by number and name; nullopt if
/// there is none.
std::optional<std::string> unplaced_note(const attribution::Attribution& attribution,
                                         const analysis::Resolved& resolved);

/// Resolution of reported durations: their greatest common divisor. 1 us if it is below 10 us or
/// there are too few durations.
std::int64_t duration_step_ns(const std::vector<ProcessMeasurement>& processes);

}  // namespace ridge::measure
