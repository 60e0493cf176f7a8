// SPDX-License-Identifier: Apache-2.0
// A profile as Chrome trace events (chrome://tracing, Perfetto).
//
// Recorded spans, or the timeline of export/profile/made_timeline.h where none were recorded: a
// process per device, a thread per lane of export/profile/lanes.h, counters, and a flow from each
// launch to the kernel with its correlation id. Format: "Trace Event Format", complete events (ph
// X). Times are relative, microseconds with three decimals, as numbers (pytorch/kineto writes the
// same; absolute or textual times break viewers).
#pragma once

#include "base/sink.h"
#include "profile/profile.h"

namespace ridge::exports {

void write_chrome_trace(const profile::Profile& profile, Sink& sink);

}  // namespace ridge::exports
