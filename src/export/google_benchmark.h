// A profile as google-benchmark's JSON: its tools/compare.py, and dashboards that read it.
//
// A benchmark of the model's latency, its unprofiled samples as repetitions, and one per layer with
// the corrected time of each profiled run; each with mean, median and standard deviation.
// Repetitions stand raw, so that compare.py's U test (nine or more) works. A layer whose
// runs a document does not keep has its median alone. Names are "MODEL" and
// "MODEL/INDEX TYPE nodes", unique in a file. The readers insist on a cpu_time: it repeats
// real_time, as the context says, since ridge measures time on the wall.
// Format: google/benchmark docs/user_guide.md and tools/gbench/report.py.
#pragma once

#include "base/sink.h"
#include "profile/profile.h"

namespace ridge::exports {

void write_google_benchmark(const profile::Profile& profile, Sink& sink);

}  // namespace ridge::exports
