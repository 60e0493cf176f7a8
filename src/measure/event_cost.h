// The cost of a level of profiling, from runs with and without it: so much for each event, so much
// for each run.
//
// Runs that make few events of the level and runs that make many take turns with runs that make
// none. The difference of two runs beside each other is what the level added there. Of level layer
// these are two chains of the same kernel, of different lengths (calibrate.h); of a level below it
// runs of the model itself, with half and with all of the level's readings (levels.h).
//
//   added(n) = median of (profiled - plain) of the runs of n events
//   wall     = (added(lengthy) - added(brief)) / (lengthy - brief)             (not below 0)
//   fixed    = added(brief) - brief * wall                                     of either sign
//   told(n)  = median of (sum of reported durations - plain run beside it)
//   reported = (told(lengthy) - told(brief)) / (lengthy - brief)           of either sign
//   inside   = reported, from 0 to wall
//   outside  = brief * reported - told(brief)          of a plain run, beside its kernels
//
// told and inside are of chains: of levels whose events have no duration they are not asked.
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

/// Runs with a level and without it: plain[i] and profiled[i] ran beside each other.
struct LeveledRuns {
  int events = 0;  ///< of the level in each profiled run
  std::vector<double> plain_ns, profiled_ns;
  std::vector<double> reported_ns;  ///< sum over the events of profiled[i]
};

inline constexpr int kCostDraws = 400;

/// wall, inside, fixed and the draws; 0 where one of both has no runs. Deterministic.
EventCost event_cost(const LeveledRuns& brief, const LeveledRuns& lengthy);

/// The slope of the plain runs: what a kernel takes.
double kernel_slope(const LeveledRuns& brief, const LeveledRuns& lengthy);

/// The cost with at most `bound_ns` of it inside an event's own duration, in every draw. The total
/// cost of an event stays, so what no longer lies inside lies beside the duration.
EventCost with_share_below(EventCost cost, double bound_ns);

/// The cost of an event and of a run with their 95 % intervals; without draws the interval is the
/// cost itself.
profile::Estimate event_interval(const EventCost& cost);
profile::Estimate fixed_interval(const EventCost& cost);

}  // namespace ridge::measure
