// SPDX-License-Identifier: Apache-2.0
// Drift of the machine during a measurement: the times of the reference kernels
// (machine/reference.h) that ran between the processes of the model.
//
//   for (const ReferenceRange& r : reference_ranges(profile.reference)) use(r.kernel, r.share());
//
// Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace ridge::profile {

/// Shortest and longest time of one kernel.
struct ReferenceRange {
  std::string kernel;
  std::int64_t min_ns = 0, max_ns = 0;

  double share() const { return static_cast<double>(max_ns) / static_cast<double>(min_ns) - 1; }
};

/// Returns one range per kernel, in the order of first appearance. Times not above 0 are ignored.
std::vector<ReferenceRange> reference_ranges(std::span<const ReferenceTime> readings);

/// Note on the kernels whose longest time exceeds the shortest by 5 % or more; "" if there are
/// none.
std::string drift_note(std::span<const ReferenceTime> readings);

/// Formats a range: "read 0.95 ms to 1.31 ms".
std::string text_of(const ReferenceRange& range);

}  // namespace ridge::profile
