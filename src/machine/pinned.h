// SPDX-License-Identifier: Apache-2.0
// Execution of a body on pinned threads that start together, for measuring roofs.
//
//   auto bursts = run_together(cpus, 20, steady_clock(), {.body = [&](int t, int) { kernel(t); }});
//   // bursts[b].wall: from the first start to the last finish
//
// Ownership: the threads live only during the call. Thread rule: `body` runs on all threads
// concurrently.
#pragma once

#include <functional>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace ridge::machine {

/// Returns the logical processors that this process may use, ascending.
std::vector<int> allowed_cpus();

/// One round, in which every thread ran its body once.
struct Burst {
  Nanos wall;                 ///< from the earliest start to the latest end
  std::vector<Nanos> thread;  ///< each thread's own time
  bool undisturbed = true;    ///< all threads started together and none was preempted
};

/// Callbacks of each thread; they must not throw.
struct Work {
  /// Runs once, untimed, for example to touch memory first; may be empty.
  std::function<void(int thread)> set_up;
  std::function<void(int thread, int burst)> body;
};

/// Runs `work` on one thread per element of `cpus`, each pinned to its processor, `bursts` times.
/// The threads wait for each other before each burst, spinning. Environment error if a thread
/// cannot be started or pinned (RIDGE-MACH-0001).
Result<std::vector<Burst>> run_together(const std::vector<int>& cpus, int bursts,
                                        const Clock& clock, const Work& work);

}  // namespace ridge::machine
