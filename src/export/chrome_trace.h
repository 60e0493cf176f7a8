// A profile as Chrome trace events (chrome://tracing, Perfetto).
//
// Spans as recorded, or the made timeline of export/made_timeline.h where none were: a process per
// device, a thread per lane of export/lanes.h, counters, and a flow from each launch to the kernel
// of its correlation.
// Format: "Trace Event Format", complete events (ph X). Times are relative, microseconds with three
// decimals, as numbers (pytorch/kineto writes the same; absolute or textual times break viewers).
#pragma once

#include "base/sink.h"
#include "profile/profile.h"

namespace ridge::exports {

void write_chrome_trace(const profile::Profile& profile, Sink& sink);

}  // namespace ridge::exports
