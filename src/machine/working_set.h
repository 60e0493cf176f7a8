// Memory per thread such that the traffic comes from one level of the hierarchy.
//
// Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "machine/host.h"

namespace ridge::machine {

/// Returns the processors for `threads` pinned threads: one per core first, then SMT siblings, each
/// group in ascending order. Fewer if the process may use fewer.
std::vector<Cpu> place_threads(const Host& host, int threads);

/// Working set of one level.
struct WorkingSet {
  std::string level;                  ///< "L1", "L2", "L3", "memory"
  std::int64_t bytes_per_thread = 0;  ///< over all arrays of a kernel; 0: cannot be measured
  std::string reason;                 ///< reason why it cannot be measured
};

/// Returns the levels of this host for threads on `cpus`, nearest first.
///   L1, L2: half of a thread's share, so that nothing else evicts it; L3: a quarter, since others
///   may use it too; each at least twice a thread's share of the level before;
///   memory: four times the last-level caches that the threads reach (STREAM's rule), at least 128
///   MiB, at most a quarter of the memory that this process may use.
std::vector<WorkingSet> working_sets(const Host& host, const std::vector<Cpu>& cpus);

}  // namespace ridge::machine
