// SPDX-License-Identifier: Apache-2.0
// A profile as OTLP/JSON lines (traces signal): a file for the OpenTelemetry collector's
// otlpjsonfile receiver, and thus for Jaeger and similar viewers. (The specification gives the file
// format the status "development".)
//
// Contains the recorded spans, or the timeline of export/profile/made_timeline.h where none were
// recorded; a line is a batch of at most 512 spans. A trace is a span without parent and all spans
// below it. Ids are derived from the profile and the spans' positions, so the same profile gives
// the same file. Times count from the timeline's earliest start, as nanoseconds in text: a profile
// has no date, as a resource attribute states. A kernel links to the launch with its correlation
// id. Cost: linear.
#pragma once

#include "base/sink.h"
#include "profile/profile.h"

namespace ridge::exports {

void write_otlp_lines(const profile::Profile& profile, Sink& sink);

}  // namespace ridge::exports
