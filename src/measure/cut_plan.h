// SPDX-License-Identifier: Apache-2.0
// Chooses where a measured model is cut to verify its layer times: after tensors that are the only
// ones to cross, between layers, spaced evenly over the run time.
//
//   const CutPlan plan = plan_cuts(resolved, profile.layers, 5);
//   if (plan.cuts.empty()) say(plan.reason);
//
// A cut is usable if no layer has members on both sides and all layers before it execute before
// those after it. Layers without members (inserted by the runtime) belong to the side on which they
// execute; those directly at the cut may belong to either. Thread rule: pure. Cost: O(nodes +
// layers), plus O(nodes) for each cut tried.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/cut.h"
#include "profile/profile.h"

namespace ridge::measure {

struct PlannedCut {
  analysis::Cut cut;
  /// Number of layers up to the last one that has members before the cut.
  std::uint32_t layers = 0;
  std::uint32_t boundary = 0;  ///< number of layers without members that follow these
};

struct CutPlan {
  std::vector<PlannedCut> cuts;  ///< in execution order; at most `count`
  std::string reason;            ///< why there are none
};

CutPlan plan_cuts(const analysis::Resolved& resolved, const std::vector<profile::Layer>& layers,
                  std::size_t count);

}  // namespace ridge::measure
