// What a reader left out, as notes. Shared by the readers.
#pragma once

#include <cstddef>
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
  std::int64_t too_far = 0;       ///< times that are not in_range; dropped
  std::int64_t backwards = 0;     ///< events that begin before one that stands earlier in the file
  std::int64_t overlapping = 0;   ///< on one thread, neither inside the other; kept
};

/// Whether both ends of a span are no farther than profile::kFarthest.
bool in_range(std::int64_t start_ns, std::int64_t end_ns);

/// Adds nanoseconds of hostile size: stays at the end of the range where it would leave it.
void add_up(std::int64_t& sum, std::int64_t part);

/// Whether times of every layer in every run may be kept: a short file may have as many of both as
/// it has events.
bool keeps_runs(std::size_t layers, std::size_t runs, std::size_t events);
/// Says that they were not, and that times are means.
void note_means(std::size_t layers, std::size_t runs, std::vector<std::string>& notes);

void note(const Damage& damage, std::vector<std::string>& notes);
void note(const Oddities& oddities, std::vector<std::string>& notes);

}  // namespace ridge::imports
