// What latencies, and the difference of two, are made of, so that the parts add up.
//
// Parts are sums over groups of their medians, as Parts::groups_ns is: a module's own time is a
// median of sums and differs a little. What one side does not know is said, not drawn as 0.
#pragma once

#include <string>
#include <vector>

#include "compare/comparison.h"
#include "report/comparison_tree.h"

namespace ridge::report {

/// A bar per run, stacked by operator, and best of each below them.
std::string latency_bars(const compare::Comparison& comparison);

struct Step {
  std::string label;
  double ns = 0;
};

/// From the baseline to that run by module (the largest differences on their own), or by operator,
/// then what no group holds. The steps add up to the difference of the latencies; where one is not
/// known, to that of the groups.
std::vector<Step> module_steps(const compare::Comparison& comparison, const ComparisonTree& tree,
                               std::size_t run);
std::vector<Step> operator_steps(const compare::Comparison& comparison, std::size_t run);

/// The steps as a waterfall from the baseline's time to the run's.
std::string waterfall(const compare::Comparison& comparison, std::size_t run,
                      const std::vector<Step>& steps);

}  // namespace ridge::report
