// SPDX-License-Identifier: Apache-2.0
// Charts of the parts of latencies and of the difference of two latencies; the parts add up.
//
// Parts are sums of the medians of groups, like Parts::groups_ns: the time of a module is a median
// of sums instead and differs slightly. A part that one side lacks is labeled, not drawn as 0.
#pragma once

#include <string>
#include <vector>

#include "compare/rows.h"
#include "report/comparison/tree.h"

namespace ridge::report {

/// Stacked bars by operator, one per run, and below them one for the best of each.
std::string latency_bars(const compare::Comparison& comparison);

struct Step {
  std::string label;
  double ns = 0;
};

/// Steps from the baseline to `run`: by module (the largest differences separately) or by operator,
/// then the parts that are in no group. The steps add up to the difference of the latencies, or of
/// the groups where a latency is not known.
std::vector<Step> module_steps(const compare::Comparison& comparison, const ComparisonTree& tree,
                               std::size_t run);
std::vector<Step> operator_steps(const compare::Comparison& comparison, std::size_t run);

/// Waterfall chart of the steps from the baseline's time to the run's.
std::string waterfall(const compare::Comparison& comparison, std::size_t run,
                      const std::vector<Step>& steps);

}  // namespace ridge::report
