// The least time a piece of work can take under measured roofs, and which roof says so.
//
//   bound = max( 2*MACs / compute roof,
//                max over levels of trips * (bytes beyond the capacity of the levels before it) /
//                bandwidth of the level )
//
// MACs and bytes are the least that any implementation needs (profile::Least): of the nearest level
// the bytes touched, of any other those of the cache lines that they lie in. Bytes that fit in a
// cache may already lie there, in each trip, so they are not charged to the level behind it: the
// bound is sound for any state of the caches. A cache may hold other lines than the one before it
// (AMD's L3 beside L2), so their capacities add up. Where the runtime's cheapest kernel costs more
// than the roofs ask for, the kind is "overhead"; the bound stays that of the roofs, since another
// kernel may be cheaper still.
#pragma once

#include "profile/profile.h"
#include "roofline/roofs.h"

namespace ridge::roofline {

/// What is held against the roofs.
struct Demand {
  profile::Least least;
  std::string dtype;  ///< "float32", ...
};

/// `cheapest_kernel_ns`: see profile::Profiling. `measured_ns`: corrected time; 0 leaves roof_share
/// null. A term that cannot be known (null count, no roof for the type) makes the bound null with
/// the reason, unless the work it stands for is 0.
profile::Bound bound_of(const Demand& demand, const Roofs& roofs, double cheapest_kernel_ns,
                        double measured_ns);

}  // namespace ridge::roofline
