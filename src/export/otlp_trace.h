// A profile as OTLP/JSON lines, the traces signal: a file that the OpenTelemetry collector's
// otlpjsonfile receiver reads, for Jaeger and its kind. (Its specification calls the file form
// "development".)
//
// The recorded spans, or the made timeline where none were; a line holds a batch of at most 512. A
// trace is a span without parent and all below it. Ids are derived from the profile and the spans'
// positions, so the same profile gives the same file. Times count from the timeline's earliest
// start, nanoseconds as text: there is no date in a profile, and the resource says so. A kernel
// links to the launch of its correlation. Cost: linear.
#pragma once

#include "base/sink.h"
#include "profile/profile.h"

namespace ridge::exports {

void write_otlp_lines(const profile::Profile& profile, Sink& sink);

}  // namespace ridge::exports
