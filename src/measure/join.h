// Joins what was measured with what it stands for: kernels' times, layers' members, nodes' work, in the tables of profile/profile.h.
//
// Fills nodes, layers (but roofs and rates, see roofline/place.h), without_layer, the unattributed share and the sums of `profiling`.
// A layer none of whose kernels ran is no layer: its nodes are listed as not executed. A kernel that ran and that the attribution does not know is a layer
// without members and counts as unattributed.
#pragma once

#include "analysis/resolved.h"
#include "attribution/attribution.h"
#include "measure/collect.h"
#include "measure/estimate.h"
#include "profile/profile.h"

namespace ridge::measure {

struct Measured {
  const analysis::Resolved& resolved;
  const attribution::Attribution& attribution;
  const Collected& collected;
  const Estimates& estimates;
  const EventCost& cost;
};

void join(const Measured& measured, profile::Profile& profile);

/// The element type a kernel computes in, named as roofs are: "int8" for the kernels of quantised arithmetic, else the type of its first output as the
/// runtime prints it ("[{\"float\":[1,8]}]" -> "float32"); "" where it says nothing.
std::string precision_of(std::string_view kernel_type, std::string_view output_shapes);

}  // namespace ridge::measure
