// What a reader left out, as notes. Shared by the readers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_scan.h"

namespace ridge::imports {

/// Counts what events had that times cannot have.
struct Oddities {
  std::int64_t negative = 0;      ///< durations; such events are dropped
  std::int64_t out_of_range = 0;  ///< times that are no numbers or beyond 64 bits; dropped
  std::int64_t backwards = 0;     ///< events that begin before one that stands earlier in the file
  std::int64_t overlapping = 0;   ///< on one thread, neither inside the other; kept
};

/// Adds nanoseconds of hostile size: stays at the end of the range where it would leave it.
void add_up(std::int64_t& sum, std::int64_t part);

void note(const Damage& damage, std::vector<std::string>& notes);
void note(const Oddities& oddities, std::vector<std::string>& notes);

}  // namespace ridge::imports
