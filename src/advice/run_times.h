// SPDX-License-Identifier: Apache-2.0
// Times of the layers of a measured run that add up to its latency.
//
//   const RunTimes times = run_times(profile);
//   times.layers_ns[3], times.outside_ns       // their sum is times.latency_ns
//
// A disturbance falls on a few layers of each run, other ones in each: medians of single layers
// leave it out although every run has some of it, and so do means of layers without their own
// tails. (Of the 16.3 ms of EfficientNet-B0 with kept outputs, such layers add up to 13.8.) So what
// is disturbed is left out by whole runs. Run i of the layers follows the i-th run without the
// profiler, and the times of such a pair belong to one state of the machine:
//
//   kept     of each process, the middle half of the pairs by their time, plain run + layers
//   layer    mean over the kept pairs
//   latency  mean over the kept pairs of the run without the profiler
//   outside  latency - sum of the layers
//
// The mean over the middle half is nearly the median, and adds up. Layers that together take longer
// than the latency, as they may by chance, are scaled down to it.
//
//   pairs of 10 + (2 + 7), 11 + (2 + 8), 10 + (90 + 7) and 9 + (2 + 6): the middle half is
//   10 + (2 + 7) and 11 + (2 + 8), so layers take 2 and 7.5 and 1 is outside
//
// Thread rule: pure. Cost: O(runs * layers).
#pragma once

#include <cstddef>
#include <vector>

#include "profile/profile.h"

namespace ridge::advice {

struct RunTimes {
  double latency_ns = 0;
  std::vector<double> layers_ns;  ///< by position in Profile::layers
  double outside_ns = 0;          ///< time of a run that no layer has
  std::size_t kept = 0;           ///< pairs; 0: a document lacks them, and medians were scaled
};

RunTimes run_times(const profile::Profile& run);

}  // namespace ridge::advice
