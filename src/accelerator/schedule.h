// SPDX-License-Identifier: Apache-2.0
// Cycles of the steps of a mapping on a double-buffered accelerator.
//
// While the array processes a step, the results of the previous step go to DRAM and the operands of
// the next one are loaded: the formula of overlapped.h. Without double buffering each step is
// loaded, processed and stored before the next one.
// Thread rule: pure function. Cost: O(classes of equal steps), at most 64 per product for matrices;
// not O(tiles).
#pragma once

#include <cstdint>

#include "accelerator/machine.h"
#include "accelerator/mapping.h"

namespace ridge::accelerator {

/// Durations in cycles.
struct Schedule {
  std::int64_t total = 0;
  std::int64_t working = 0;  ///< array cycles, including `filling`
  std::int64_t filling = 0;  ///< filling and emptying the array
  std::int64_t edges = 0;    ///< first load and last store, which nothing hides
};
/// `rider_words`: elements that riders read besides the outputs of all products, in proportion to
/// the outputs.
Schedule schedule(const Tiles& tiles, const Machine& machine, const Mapping& how,
                  std::int64_t rider_words = 0);

}  // namespace ridge::accelerator
