// SPDX-License-Identifier: Apache-2.0
// A profile as pprof's profile.proto in gzip: `go tool pprof`, speedscope, Perfetto, Pyroscope.
//
// Contains the stacks of export/formats/stacks.h, a sample per layer with time (ns), flops and
// bytes, and labels: layer, name, implementation, precision, bound. The format has no null values:
// an unknown figure is 0, and a label "unknown" of the sample names it.
// Source of the field numbers: google/pprof proto/profile.proto. Deterministic: no date is
// included.
#pragma once

#include <string>

#include "base/sink.h"
#include "profile/profile.h"

namespace ridge::exports {

void write_pprof(const profile::Profile& profile, Sink& sink);

/// The message before compression.
std::string pprof_message(const profile::Profile& profile);

}  // namespace ridge::exports
