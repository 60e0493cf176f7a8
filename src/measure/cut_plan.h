// Where a measured model is cut to check its layer times: after tensors that alone cross, between
// layers, evenly over the time.
//
//   const CutPlan plan = plan_cuts(resolved, profile.layers, 5);
//   if (plan.cuts.empty()) say(plan.reason);
//
// A cut is usable where no layer has members on both sides, and where in order of execution every
// layer before it comes first. Layers without members (inserted by the runtime) belong to the side
// they stand on; those right at the cut to either. Thread rule: pure. Cost: O(nodes + layers), for
// each cut tried again O(nodes).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/cut.h"
#include "profile/profile.h"

namespace ridge::measure {

struct PlannedCut {
  analysis::Cut cut;
  std::uint32_t layers = 0;    ///< the first so many end with the last that has members before it
  std::uint32_t boundary = 0;  ///< layers without members that follow these
};

struct CutPlan {
  std::vector<PlannedCut> cuts;  ///< in order of execution; at most `count`
  std::string reason;            ///< why there are none
};

CutPlan plan_cuts(const analysis::Resolved& resolved, const std::vector<profile::Layer>& layers,
                  std::size_t count);

}  // namespace ridge::measure
