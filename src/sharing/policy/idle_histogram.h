// SPDX-License-Identifier: Apache-2.0
// Idle times of one object: their distribution, and for how long the object should be kept.
//
//   IdleHistogram idle;
//   idle.add(Nanos{125'000'000'000}, spec);      // the third bin of a minute
//   const KeepWindow window = idle.window(spec); // {begin, end} after the last lease ended
//
// Shahrad et al., "Serverless in the Wild", USENIX ATC 2020, section 4.2: of the idle times within
// the bins, those below the head percentile (rounded down to a bin) need no object in memory, and
// those above the tail percentile (rounded up) are not waited for; a margin widens the window on
// both sides. The histogram does not represent what comes where the bins' counts vary too little
// (their coefficient of variation), or most idle times lie beyond its bins; then the object is kept
// for all its bins. The paper forecasts the latter by ARIMA; here they are kept like the former.
//
// A count that reaches its limit halves all counts, so that the histogram also ages. Internal to
// policy/. Thread rule: one thread. Cost: add() O(1), window() O(bins); 2 bytes for each bin.
#pragma once

#include <cstdint>
#include <vector>

#include "base/units.h"
#include "sharing/record/policy_spec.h"

namespace ridge::sharing {

/// When an object should be in memory, counted from the end of its last lease.
struct KeepWindow {
  Nanos begin{0}, end{0};
};

class IdleHistogram {
 public:
  /// All calls have the same spec.
  void add(Nanos idle, const HistogramSpec& spec);
  KeepWindow window(const HistogramSpec& spec) const;
  bool representative(const HistogramSpec& spec) const;

 private:
  void halve();

  std::vector<std::uint16_t> counts_;
  std::uint64_t within_ = 0, beyond_ = 0;  ///< idle times
  double squares_ = 0;                     ///< sum over the counts
};

}  // namespace ridge::sharing
