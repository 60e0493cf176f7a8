// The cost of a level of profiling, from runs with and without it: so much for each event, so much
// for each run.
//
// Two chains of the same kernel, of different lengths, run with profiling off and on in turns. The
// difference of two runs beside each other is what profiling added there:
//
//   added(n) = median of (profiled - plain) of the chain of n kernels
//   wall     = (added(lengthy) - added(brief)) / (lengthy - brief)             (not below 0)
//   fixed    = added(brief) - brief * wall                                     of either sign
//   told(n)  = median of (sum of reported durations - plain run beside it)
//   inside   = (told(lengthy) - told(brief)) / (lengthy - brief)           (from 0 to wall)
//
// Only runs beside each other are subtracted: medians of short and long runs do not rise in
// proportion on a machine that others use.
//
// Each figure comes with draws: the same from resampled pairs of runs, neighbours drawn together
// (stats/blocks.h), so that whoever uses the costs can carry on how well they are known.
#pragma once

#include <cstdint>
#include <vector>

#include "measure/runs.h"
#include "profile/profile.h"

namespace ridge::measure {

/// Runs of a chain: plain[i] and profiled[i] ran back to back.
struct ChainRuns {
  int kernels = 0;
  std::vector<double> plain_ns, profiled_ns;
  std::vector<double> reported_ns;  ///< sum over the events of profiled[i]
};

inline constexpr int kCostDraws = 400;

/// wall, inside, fixed and the draws; 0 where a chain has no runs. Deterministic.
EventCost event_cost(const ChainRuns& brief, const ChainRuns& lengthy);

/// The slope of the plain runs: what a kernel takes.
double kernel_slope(const ChainRuns& brief, const ChainRuns& lengthy);

/// A cost with its 95 % interval; without draws the interval is the cost itself.
profile::Estimate with_interval(double cost, const EventCost& costs, double CostDraw::*draw);

}  // namespace ridge::measure
