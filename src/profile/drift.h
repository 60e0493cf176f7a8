// By how much the machine changed while something was measured: the times of the reference kernels
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

/// From the shortest to the longest time of one kernel.
struct ReferenceRange {
  std::string kernel;
  std::int64_t least_ns = 0, most_ns = 0;

  double share() const { return static_cast<double>(most_ns) / static_cast<double>(least_ns) - 1; }
};

/// Of each kernel, in the order of the readings. Times not above 0 are passed over.
std::vector<ReferenceRange> reference_ranges(std::span<const ReferenceTime> readings);

/// What the reader of a profile must know where a kernel's times lie apart by 5 % or more; "" where
/// none does.
std::string drift_note(std::span<const ReferenceTime> readings);

/// "read 0.95 ms to 1.31 ms".
std::string text_of(const ReferenceRange& range);

}  // namespace ridge::profile
