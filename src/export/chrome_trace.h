// A profile as Chrome trace events (chrome://tracing, Perfetto): layers on one track, their kernels
// on another.
//
// The timeline is made, not recorded: medians laid end to end in order of execution. Every event
// says so and carries its member nodes.
// Format: "Trace Event Format", complete events (ph X), times in microseconds.
#pragma once

#include "base/sink.h"
#include "profile/profile.h"

namespace ridge::exports {

void write_chrome_trace(const profile::Profile& profile, Sink& sink);

}  // namespace ridge::exports
