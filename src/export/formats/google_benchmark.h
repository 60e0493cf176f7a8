// SPDX-License-Identifier: Apache-2.0
// A profile as google-benchmark's JSON, for its tools/compare.py and for dashboards.
//
// One benchmark for the model's latency, with its unprofiled samples as repetitions, and one per
// layer with the corrected time of each profiled run; each with mean, median and standard
// deviation. Single repetitions are included, so that compare.py's U test (nine or more) works. A
// layer without stored runs has only its median. Names are "MODEL" and "MODEL/INDEX TYPE nodes",
// unique in a file. Readers require a cpu_time: it repeats real_time, as the context states, since
// ridge measures wall time.
// Format: google/benchmark docs/user_guide.md and tools/gbench/report.py.
#pragma once

#include "base/sink.h"
#include "profile/profile.h"

namespace ridge::exports {

void write_google_benchmark(const profile::Profile& profile, Sink& sink);

}  // namespace ridge::exports
