// A profile as Chrome trace events (chrome://tracing, Perfetto).
//
// Where spans were recorded, those: a track per level, thread, device and queue, on which slices
// nest (what does not goes to an overflow track), counters, flows from launch to kernel. Else a
// timeline that is made: medians laid end to end in order of execution, layers on one track, their
// kernels on another; every event says so and carries its member nodes.
// Format: "Trace Event Format", complete events (ph X), relative times in microseconds with three
// decimals.
#pragma once

#include "base/sink.h"
#include "profile/profile.h"

namespace ridge::exports {

void write_chrome_trace(const profile::Profile& profile, Sink& sink);

}  // namespace ridge::exports
