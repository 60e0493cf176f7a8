// How long the steps of a mapping take on a double-buffered accelerator.
//
// While the array works on a step, the results of the step before go to DRAM and the operands of
// the next one come from it: the law of overlapped.h. Thread rule: pure function.
// Cost: O(classes of steps), 64 for matrices; not O(tiles).
#pragma once

#include <cstdint>

#include "accelerator/machine.h"
#include "accelerator/mapping.h"

namespace ridge::accelerator {

/// Cycles.
struct Schedule {
  std::int64_t total = 0;
  std::int64_t working = 0;  ///< of the array, `filling` among them
  std::int64_t filling = 0;  ///< of filling and emptying the array
  std::int64_t edges = 0;    ///< of the first load and the last store, which nothing hides
};
Schedule schedule(const Tiles& tiles, const Machine& machine, const Mapping& how);

}  // namespace ridge::accelerator
