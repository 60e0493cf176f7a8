// SPDX-License-Identifier: Apache-2.0
// Measures models in separate processes in turns: one round of each, then the next round of each,
// with all processes alive and loaded.
//
//   std::vector<Party> parties = {{&ort, session_a}, {&openvino, session_b}};
//   std::vector<Result<Measurement>> m = measure_in_turns(parties, plan, progress);
//
// Changes of the machine affect all alike, so round r of one party corresponds to round r of any
// other (Sample::round). Of two rounds, one visits the parties in order and one in reverse; which
// comes first is random, so that nothing periodic stays in step. Within a round all have the same
// order of unprofiled and profiled runs. A round begins with Plan::settle_runs, because the others'
// runs have displaced the caches.
//
// Each party follows the plan, and the budget counts per party: n parties together measure n times
// as long. Foreign load is the machine's busy time less the busy time of all parties. A party that
// fails ends alone (Measurement::failure) and the others continue. A single party is measured
// without turns, as by Runtime::measure. Thread rule: one thread.
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

/// Returns a result for each party; an error only if it produced no samples. `interrupted` (may be
/// null) ends the measurement and keeps the results so far.
std::vector<Result<Measurement>> measure_in_turns(std::span<const Party> parties, const Plan& plan,
                                                  const OnProgress& progress = {},
                                                  const std::atomic<bool>* interrupted = nullptr);

}  // namespace ridge::runtime
