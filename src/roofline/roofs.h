// The measured ceilings of one machine at one thread count, as a layer is held against them.
//
// Source: Williams, Waterman, Patterson, "Roofline", CACM 52(4), 2009; several memory levels as in
// Ilic, Pratas, Sousa, "Cache-aware Roofline", CAL 13(1), 2014, with the difference that traffic of
// a level counts only what cannot fit in the levels before it.
//
// Plain data; made by roofs_from() from ridge.machine/1 rows. Thread rule: immutable.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "profile/profile.h"

namespace ridge::roofline {

/// A memory level: what it holds for all the threads together, and how fast bytes come out of it at
/// best.
struct Level {
  std::string name;           ///< "L1", "L2", "L3", "memory"
  std::int64_t capacity = 0;  ///< bytes; of memory: unlimited, 0
  double bytes_per_s = 0;  ///< the fastest of read, write, copy, triad: a bound must not be beaten
};

struct Roofs {
  std::int32_t threads = 1;
  std::vector<profile::Roof> compute;  ///< one per element type
  std::vector<Level> levels;           ///< nearest first
  /// FLOP/s with a multiply-add as 2, or nullopt where that type was not measured.
  std::optional<double> flop_per_s(std::string_view dtype) const;
};

/// Cache capacities as one machine has them.
struct Cache {
  std::string level;           ///< "L1", "L2", "L3"
  std::int64_t bytes = 0;      ///< of one instance
  std::int32_t instances = 1;  ///< of the machine
};

/// The roofs for `threads`. As many instances of a cache are counted as the threads can reach: one
/// each, whichever processors they run on. Levels without a bandwidth are left out.
Roofs roofs_from(const std::vector<profile::Roof>& rows, const std::vector<Cache>& caches,
                 std::int32_t threads);

}  // namespace ridge::roofline
