// SPDX-License-Identifier: Apache-2.0
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

/// Least bytes, of all threads together, with which memory is measured.
inline constexpr std::int64_t kMinMemorySet = std::int64_t{128} << 20;

/// Returns the levels of this host for threads on `cpus`, nearest first.
///   L1, L2: half of a thread's share, so that nothing else evicts it; L3: a quarter, since others
///   may use it too, and at most eight times the share of the level before, since a virtual machine
///   is often told of caches far larger than what it may fill; each at least twice the share of the
///   level before;
///   memory: four times the last-level caches that the threads reach (STREAM's rule), at least 128
///   MiB, at most a quarter of the memory that this process may use.
std::vector<WorkingSet> working_sets(const Host& host, const std::vector<Cpu>& cpus);

/// Bytes per thread at which the reach of the outermost cache is measured (cache_reach.h): from the
/// working set of that level to twice a thread's share of it, each half as large again as the one
/// before.
/// Empty if one of both levels is not measured.
std::vector<std::int64_t> reach_sets(const Host& host, const std::vector<Cpu>& cpus);

}  // namespace ridge::machine
