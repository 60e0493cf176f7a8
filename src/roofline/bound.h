// SPDX-License-Identifier: Apache-2.0
// Lower bound on the time of a piece of work under measured roofs, and the roof that determines it.
//
//   bound = max( 2*MACs / compute roof,
//                max over levels of trips * (bytes beyond the capacity of the levels before it) /
//                bandwidth of the level )
//
// MACs and bytes are the minimum that any implementation needs (profile::Least): for the nearest
// level the bytes touched, for the others the bytes of the cache lines that contain them. Bytes
// that fit in a cache may already be there, in each trip, so they are not charged to the next
// level: the bound is valid for any initial state of the caches. A cache may contain other lines
// than the previous level (AMD's L3 beside L2), so capacities add up.
//
// A run reads its weights and inputs anew each time, S bytes of different addresses. The levels
// before a level keep at most their capacity C of them from run to run, so it delivers S - C:
//
//   the run >= (S - C) / read bandwidth of the level
//
// The outermost cache has a measured reach R: the bytes that it keeps of what is read again and
// again (machine/cache_reach.h). No reading was seen to be faster than R bytes from it and then
// the rest from memory:
//
//   the run >= R / read bandwidth of the cache + (S - R) / read bandwidth of the memory
//
// Which of the bytes the caches keep is not known. Where the memory binds, each layer has its
// share of this time, in proportion to the bytes of S that it reads (profile::Least::streamed). The
// sum of the shares is a bound for the run whatever the caches keep; the share of one layer takes
// for granted that the last-level cache keeps equal parts of all. Caches before it keep whole
// layers, as measured, so their rule holds for the run alone.
//
// Example: layers read 136 MB of weights, the caches have 33 MB, the memory reads 20 GB/s: a run
// takes at least 103 MB / 20 GB/s = 5.15 ms; a layer with 13.6 MB of weights 0.515 ms. If reads
// show that the outermost cache keeps 33 MB and reads 66 GB/s, the run takes 5.65 ms.
// If the runtime's cheapest
// kernel takes longer than the roofs require, the kind is "overhead"; the bound remains that of the
// roofs, since another kernel may be cheaper still.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"
#include "roofline/roofs.h"

namespace ridge::roofline {

/// Work that is compared with the roofs.
struct Demand {
  profile::Least least;
  std::string dtype;  ///< "float32", ...
  /// Bytes of weights and inputs that the whole run reads (run_stream()); 0: unknown.
  std::int64_t run_streamed = 0;
};

/// Bytes that a run reads of weights and inputs: the sum of Least::streamed.
std::int64_t run_stream(const std::vector<profile::Layer>& layers);

/// The level that takes longest for what it must deliver of the `streamed` bytes of a run.
struct StreamBound {
  std::string level;  ///< "L3", "memory"; "" if the nearest caches hold all, or no roof is known
  std::int64_t bytes = 0;  ///< bytes beyond the levels before it, that this level must deliver
  double time_ns = 0;
};
StreamBound stream_bound(std::int64_t streamed, const Roofs& roofs);

/// Computes the bound. `cheapest_kernel_ns`: see profile::Profiling. `measured_ns`: corrected time;
/// if not above 0, roof_share is null. An unknown term (null count, no roof for the type) makes the
/// bound null with a reason; zero MACs need no compute roof.
profile::Bound bound_of(const Demand& demand, const Roofs& roofs, double cheapest_kernel_ns,
                        double measured_ns);

}  // namespace ridge::roofline
