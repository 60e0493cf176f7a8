// How much memory a thread walks over so that its traffic comes from one level of the hierarchy.
//
// Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "machine/host.h"

namespace ridge::machine {

/// The processors that `threads` threads are pinned to: one per core first, SMT siblings after,
/// each group in ascending order. Fewer where the process is allowed fewer.
std::vector<Cpu> place_threads(const Host& host, int threads);

/// One level to measure.
struct WorkingSet {
  std::string level;                  ///< "L1", "L2", "L3", "memory"
  std::int64_t bytes_per_thread = 0;  ///< over all arrays of a kernel; 0 = cannot be measured
  std::string reason;                 ///< why not
};

/// The levels of this host for threads on `cpus`, nearest first.
///   L1, L2: half of a thread's share, so that nothing else evicts it; L3: a quarter of it, as
///   others may use it too; each at least twice the level before;
///   memory: four times the last-level caches that the threads reach (STREAM's rule), at least 128
///   MiB, at most a quarter of the memory that this process may use.
std::vector<WorkingSet> working_sets(const Host& host, const std::vector<Cpu>& cpus);

}  // namespace ridge::machine
