// SPDX-License-Identifier: Apache-2.0
// Notes about input that a reader dropped or repaired. Shared by the readers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_scan.h"

namespace ridge::imports {

/// Counts of events with invalid or inconsistent times.
struct Oddities {
  std::int64_t negative = 0;      ///< negative durations; such events are dropped
  std::int64_t out_of_range = 0;  ///< times that are not numbers or exceed 64 bits; dropped
  std::int64_t too_far = 0;       ///< times outside in_range; dropped
  /// Events that begin before an event that precedes them in the file.
  std::int64_t backwards = 0;
  std::int64_t overlapping = 0;  ///< overlaps on one thread without nesting; kept
};

/// True if both ends of a span are within profile::kFarthest of zero.
bool in_range(std::int64_t start_ns, std::int64_t end_ns);

/// Saturating addition of nanoseconds from untrusted input.
void add_up(std::int64_t& sum, std::int64_t part);

/// True if per-run times of every layer fit in memory proportional to the file: a short file can
/// claim as many layers and as many runs as it has events.
bool keeps_runs(std::size_t layers, std::size_t runs, std::size_t events);
/// Adds the note that they did not, and that times are means.
void note_means(std::size_t layers, std::size_t runs, std::vector<std::string>& notes);

void note(const Damage& damage, std::vector<std::string>& notes);
void note(const Oddities& oddities, std::vector<std::string>& notes);

}  // namespace ridge::imports
