// SPDX-License-Identifier: Apache-2.0
// Measured roofs of one machine at one thread count, in the form used for bounds of layers.
//
// Source: Williams, Waterman, Patterson, "Roofline", CACM 52(4), 2009; several memory levels as in
// Ilic, Pratas, Sousa, "Cache-aware Roofline", CAL 13(1), 2014, with the difference that the
// traffic of a level counts only bytes that cannot fit in the levels before it.
//
// Plain data; created by roofs_from() from ridge.machine/1 rows. Thread rule: immutable.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/roof.h"

namespace ridge::roofline {

/// Memory level: total capacity available to the threads, and peak bandwidth.
struct Level {
  std::string name;           ///< "L1", "L2", "L3", "memory"
  std::int64_t capacity = 0;  ///< bytes; 0 for memory, which is unlimited
  /// the fastest of read, write, copy, triad: no measurement may exceed it
  double bytes_per_s = 0;
  /// the fastest of read alone; bytes_per_s where it was not measured
  double read_per_s = 0;
  std::int64_t reach = 0;  ///< bytes; see Cache
};

struct Roofs {
  std::int32_t threads = 1;
  std::vector<machine::Roof> compute;  ///< one per element type
  std::vector<Level> levels;           ///< nearest first
  /// FLOP/s with a multiply-add as 2, or nullopt where that type was not measured.
  std::optional<double> flop_per_s(std::string_view dtype) const;
  /// Sum of the capacities of all caches, which may hold different lines.
  std::int64_t cache_bytes() const;
};

/// Cache capacities of one machine.
struct Cache {
  std::string level;           ///< "L1", "L2", "L3"
  std::int64_t bytes = 0;      ///< per instance
  std::int32_t instances = 1;  ///< in the machine
  /// Bytes that an instance keeps of data that is read again and again, as far as reads show it
  /// (machine/cache_reach.h); 0: not measured.
  std::int64_t reach = 0;
};

/// Returns the roofs for `threads`. The number of instances of a cache is limited to the number of
/// threads: one each, whichever processors they run on. A cache holds no more than its reach.
/// Levels without a bandwidth, and caches without a capacity, are omitted.
Roofs roofs_from(const std::vector<machine::Roof>& rows, const std::vector<Cache>& caches,
                 std::int32_t threads);

}  // namespace ridge::roofline
