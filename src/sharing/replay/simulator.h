// SPDX-License-Identifier: Apache-2.0
// Plays a trace against a memory budget and a policy, without running anything: which requests
// find their model in memory, how long each waits until it is ready, what is evicted. The same
// trace, costs and options give the same result on every machine.
//
//   const Simulation s = simulate(trace, costs, {.memory = Bytes{1 << 30}, .policy = {}});
//   s.hits, s.ready.p99_ns, s.byte_seconds
//
// A request for a model
// - that is ready in memory is a hit: it is ready after `lease`;
// - that is being loaded joins that load, however many do (single flight): `lease` after its end;
// - whose prepared file is on disk: after `prepared_load`;
// - else misses every level, and its client loads by itself as without sharing: after `ask` and
//   `own_load`. From then on the prepared file is on disk, and the model in memory.
// Then it runs, and its lease ends with the run. A load claims its memory when it begins; idle
// models leave in the order of the policy. Where all idle ones together are not enough, none
// leaves, and the request loads for itself alone (`unadmitted`), as do models that are not worth
// sharing (Simulated::shared). Loads take as long as they take, whatever else is loaded.
//
// Open loop: requests come at the times of the trace. Closed loop (clients > 0): so many clients
// take the requests of the trace in their order, each the next one when its last one has run.
//
// Thread rule: pure. Cost: about 0.1 us and 8 bytes for each request (bench/share_replay.cc).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/units.h"
#include "sharing/record/policy_spec.h"
#include "sharing/record/replay.h"
#include "sharing/replay/trace.h"

namespace ridge::sharing {

/// Costs of a model of the trace.
struct Simulated {
  Bytes bytes{0};
  Nanos own_load{0}, prepared_load{0}, lease{0}, run{0};
  bool shared = true;
};

struct SimulatorOptions {
  Bytes memory{0};
  std::optional<Bytes> disk = {};  ///< for prepared files, least recently used; absent: no bound
  Nanos ask{0};
  PolicySpec policy = {};
  std::uint32_t clients = 0;  ///< clients of a closed loop; 0: open loop
};

/// `models`: one for each of the trace.
Simulation simulate(const Trace& trace, std::span<const Simulated> models,
                    const SimulatorOptions& options);

}  // namespace ridge::sharing
