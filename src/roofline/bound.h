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
// than the previous level (AMD's L3 beside L2), so capacities add up. If the runtime's cheapest
// kernel takes longer than the roofs require, the kind is "overhead"; the bound remains that of the
// roofs, since another kernel may be cheaper still.
#pragma once

#include "profile/profile.h"
#include "roofline/roofs.h"

namespace ridge::roofline {

/// Work that is compared with the roofs.
struct Demand {
  profile::Least least;
  std::string dtype;  ///< "float32", ...
};

/// Computes the bound. `cheapest_kernel_ns`: see profile::Profiling. `measured_ns`: corrected time;
/// if not above 0, roof_share is null. An unknown term (null count, no roof for the type) makes the
/// bound null with a reason; zero MACs need no compute roof.
profile::Bound bound_of(const Demand& demand, const Roofs& roofs, double cheapest_kernel_ns,
                        double measured_ns);

}  // namespace ridge::roofline
