// Threads that stay where they are put and start together: how a roof is measured.
//
//   auto bursts = run_together(cpus, 20, steady_clock(), {.body = [&](int t, int) { kernel(t); }});
//   // bursts[b].wall: from the first start to the last finish
//
// Ownership: the threads live as long as the call. Thread rule: `body` runs on all threads at once.
#pragma once

#include <functional>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace ridge::machine {

/// The logical processors that this process may run on, ascending.
std::vector<int> allowed_cpus();

/// One round in which every thread ran its body once.
struct Burst {
  Nanos wall;                 ///< from the earliest start to the latest end
  std::vector<Nanos> thread;  ///< each thread's own time
  bool undisturbed = true;    ///< all started together, none lost its processor
};

/// What each thread does; must not throw.
struct Work {
  std::function<void(int thread)>
      set_up;  ///< once, unmeasured: memory is touched here; may be empty
  std::function<void(int thread, int burst)> body;
};

/// Runs `work` on one thread per element of `cpus`, each pinned to its processor, `bursts` times.
/// Before each burst the threads wait for each other, spinning. Environment error where a thread
/// cannot be started or pinned (RIDGE-MACH-0001).
Result<std::vector<Burst>> run_together(const std::vector<int>& cpus, int bursts,
                                        const Clock& clock, const Work& work);

}  // namespace ridge::machine
