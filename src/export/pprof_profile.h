// A profile as pprof's profile.proto in gzip: `go tool pprof`, speedscope, Perfetto, Pyroscope.
//
// The stacks of export/stacks.h, a sample per layer with time (ns), flops and bytes, and labels:
// layer, name, implementation, precision, bound. Values cannot be null there: a figure that is not
// known stands as 0 in a sample whose label "unknown" names it.
// Source of the numbers of fields: google/pprof proto/profile.proto. Deterministic: no date is in
// it.
#pragma once

#include <string>

#include "base/sink.h"
#include "profile/profile.h"

namespace ridge::exports {

void write_pprof(const profile::Profile& profile, Sink& sink);

/// The same before compression.
std::string pprof_message(const profile::Profile& profile);

}  // namespace ridge::exports
