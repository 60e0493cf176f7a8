// Models in processes of their own that are measured in turns: a round of each, then the next round
// of each, all processes alive and loaded.
//
//   std::vector<Party> parties = {{&ort, session_a}, {&openvino, session_b}};
//   std::vector<Result<Measurement>> m = measure_in_turns(parties, plan, progress);
//
// What changes on the machine meanwhile hits all alike, so that round r of one is the partner of
// round r of any other (Sample::round). Of two rounds one goes through the parties in order and one
// in reverse; which comes first is drawn, so that nothing periodic keeps step. Within a round all
// have the same order of unprofiled and profiled runs. A round begins with Plan::settle_runs: the
// others' runs have taken the caches meanwhile.
//
// The plan is that of each party, but its budget is for each of them: n parties measure n times as
// long together. Load of others is what the machine was busy with less all parties' own. A party
// that fails ends alone (Measurement::failure) and the rest goes on. One party alone is measured
// without turns, as Runtime::measure does. Thread rule: one thread.
#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "runtime/runtime.h"

namespace ridge::runtime {

struct Party {
  Runtime* runtime = nullptr;
  SessionId session = 0;
};

/// A result for each party; an error only where it gave nothing at all. `interrupted` (may be null)
/// ends the measurement and keeps what there is.
std::vector<Result<Measurement>> measure_in_turns(std::span<const Party> parties, const Plan& plan,
                                                  const OnProgress& progress = {},
                                                  const std::atomic<bool>* interrupted = nullptr);

}  // namespace ridge::runtime
