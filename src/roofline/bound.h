// The least time a piece of work can take under measured roofs, and which roof says so.
//
//   bound = max( 2*MACs / compute roof,
//                max over levels of (bytes beyond the capacity of the levels before it) / bandwidth
//                of the level )
//
// Bytes that fit in a cache may already lie there, so they are not charged to the level behind it:
// the bound is sound for any state of the caches. Below the cost of the runtime's cheapest kernel
// the binding term is called "overhead".
#pragma once

#include "profile/profile.h"
#include "roofline/roofs.h"

namespace ridge::roofline {

/// What is held against the roofs.
struct Demand {
  profile::Count macs;   ///< executed
  profile::Count bytes;  ///< across the boundary, read + written
  std::string dtype;     ///< "float32", ...
};

/// `cheapest_kernel_ns`: see profile::Profiling. `measured_ns`: corrected time; 0 leaves roof_share
/// null. A term that cannot be known (null count, no roof for the type) makes the bound null with
/// the reason, unless the work it stands for is 0.
profile::Bound bound_of(const Demand& demand, const Roofs& roofs, double cheapest_kernel_ns,
                        double measured_ns);

}  // namespace ridge::roofline
