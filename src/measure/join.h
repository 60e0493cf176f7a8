// SPDX-License-Identifier: Apache-2.0
// Joins the measurement with the model: kernels' times, layers' members, nodes' work, in the tables
// of profile/profile.h.
//
// Fills nodes, layers (except roofs and rates, see roofline/place.h), without_layer, the
// unattributed share and the sums of `profiling`. If the correction is not usable (self_check.h),
// layers get the reported time. A kernel that ran but is unknown to the attribution becomes a layer
// without members and counts as unattributed.
#pragma once

#include "analysis/bounds/min_work.h"
#include "analysis/resolved.h"
#include "attribution/attribution.h"
#include "attribution/optimized.h"
#include "measure/collect.h"
#include "measure/estimate.h"
#include "profile/profile.h"

namespace ridge::measure {

struct Measured {
  const analysis::Resolved& resolved;
  const attribution::OptimizedGraph& optimized;  ///< with the sizes of its tensors
  const attribution::Attribution& attribution;
  /// By Event::kernel: the kernel of the optimized graph (kernels_of).
  const std::vector<graph::NodeId>& kernels;
  const Collected& collected;
  const Estimates& estimates;
  /// kAll: ridge made the inputs, so that all positions of an attention take part.
  analysis::TakePart positions = analysis::TakePart::kUnknown;
};

/// Returns the layer of each measured kernel, by Event::kernel; kNone if it has none.
std::vector<std::uint32_t> join(const Measured& measured, profile::Profile& profile);

/// Returns the events of one run in the form attribution needs; they refer to `collected`.
std::vector<attribution::KernelEvent> events_of(const Collected& collected);

/// For each measured kernel, its kernel in the optimized graph or kNone, from the events of one
/// run.
std::vector<graph::NodeId> kernels_of(const Collected& collected,
                                      const attribution::OptimizedGraph& optimized);

}  // namespace ridge::measure
