// SPDX-License-Identifier: Apache-2.0
// A profile as Perfetto's own format: a stream of TracePacket messages with TrackEvents
// (ui.perfetto.dev, trace_processor).
//
// Contains the recorded spans, or the timeline of export/profile/made_timeline.h where none were
// recorded: a process per device, a track per lane of export/profile/lanes.h, counters as counter
// tracks, a flow from each launch to the kernel with its correlation id; names and texts of
// attributes are interned. Events are in order of time. Source of the field numbers:
// google/perfetto protos/perfetto/trace/ (TrackEvent, TrackDescriptor, InternedData). Cost: n log
// n, 24 bytes per event.
#pragma once

#include "base/sink.h"
#include "profile/profile.h"

namespace ridge::exports {

void write_perfetto_trace(const profile::Profile& profile, Sink& sink);

}  // namespace ridge::exports
