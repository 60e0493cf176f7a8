// A profile as Perfetto's own format: a stream of TracePacket messages with TrackEvents
// (ui.perfetto.dev, trace_processor).
//
// The recorded spans, or the made timeline of export/made_timeline.h where none were. A process
// per device, a track per lane of export/lanes.h, counters as counter tracks, a flow from each
// launch to the kernel of its correlation; names and texts of attributes are interned. Events stand
// in order of time. Source of the numbers of fields: google/perfetto protos/perfetto/trace/
// (TrackEvent, TrackDescriptor, InternedData). Cost: n log n, 24 bytes per event.
#pragma once

#include "base/sink.h"
#include "profile/profile.h"

namespace ridge::exports {

void write_perfetto_trace(const profile::Profile& profile, Sink& sink);

}  // namespace ridge::exports
