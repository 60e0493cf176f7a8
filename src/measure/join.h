// Joins what was measured with what it stands for: kernels' times, layers' members, nodes' work, in
// the tables of profile/profile.h.
//
// Fills nodes, layers (but roofs and rates, see roofline/place.h), without_layer, the unattributed
// share and the sums of `profiling`. Where the correction is not usable (self_check.h) layers take
// the time that is reported. A kernel that ran and that the attribution does not know is a
// layer without members and counts as unattributed.
#pragma once

#include "analysis/resolved.h"
#include "attribution/attribution.h"
#include "measure/collect.h"
#include "measure/estimate.h"
#include "profile/profile.h"

namespace ridge::measure {

struct Measured {
  const analysis::Resolved& resolved;
  const attribution::OptimisedGraph& optimised;  ///< with the sizes of its tensors
  const attribution::Attribution& attribution;
  const std::vector<graph::NodeId>&
      kernels;  ///< by Event::kernel: the kernel of the optimised graph (kernels_of)
  const Collected& collected;
  const Estimates& estimates;
};

/// Returns the layer of each measured kernel, by Event::kernel; kNone where none has it.
std::vector<std::uint32_t> join(const Measured& measured, profile::Profile& profile);

/// The events of one run as attribution takes them; they refer to `collected`.
std::vector<attribution::KernelEvent> events_of(const Collected& collected);

/// For each measured kernel the one of the optimised graph, or kNone: by the events of one run.
std::vector<graph::NodeId> kernels_of(const Collected& collected,
                                      const attribution::OptimisedGraph& optimised);

}  // namespace ridge::measure
