// SPDX-License-Identifier: Apache-2.0
// Cost of a level of profiling per event and per run, from runs with and without it.
//
// Runs with few events of the level and runs with many alternate with runs that have none. The
// difference of two adjacent runs is the overhead of the level. For level layer these are two
// chains of the same kernel, of different lengths (calibrate.h); for a lower level, runs of the
// model itself with half and with all of the level's readings (levels.h).
//
//   added(n) = median of (profiled - plain) of the runs of n events
//   wall     = (added(lengthy) - added(brief)) / (lengthy - brief)             (not below 0)
//   fixed    = added(brief) - brief * wall                                     of either sign
//   told(n)  = median of (sum of reported durations - adjacent plain run)
//   reported = (told(lengthy) - told(brief)) / (lengthy - brief)           of either sign
//   inside   = reported, clamped to [0, wall]
//   outside  = brief * reported - told(brief)          time of a plain run outside its kernels
//
// told, inside and outside are meaningful for chains only: lower levels have events without a
// duration, and the values are not used there.
//
// Only adjacent runs are subtracted: on a shared machine, medians of short and long runs do not
// scale in proportion.
//
// Each figure comes with draws: the same figure from resampled pairs of runs, neighbors drawn
// together (stats/blocks.h), so that users of the costs can propagate their uncertainty.
#pragma once

#include <cstdint>
#include <vector>

#include "measure/runs.h"
#include "profile/profile.h"

namespace ridge::measure {

/// Runs with and without a level: plain[i] and profiled[i] are adjacent.
struct LeveledRuns {
  int events = 0;  ///< number of the level's events in each profiled run
  std::vector<double> plain_ns, profiled_ns;
  std::vector<double> reported_ns;  ///< sum over the events of profiled[i]
};

inline constexpr int kCostDraws = 400;

/// Computes the costs and their draws; all 0 if either set has no runs. Deterministic.
EventCost event_cost(const LeveledRuns& brief, const LeveledRuns& lengthy);

/// Slope of the plain runs: time per kernel.
double kernel_slope(const LeveledRuns& brief, const LeveledRuns& lengthy);

/// Limits the part of the cost that lies inside an event's own duration to `bound_ns`, in every
/// draw. The total cost of an event is unchanged, so the rest moves outside the duration.
EventCost with_share_below(EventCost cost, double bound_ns);

/// Cost per event and per run with 95 % intervals; without draws the interval is the cost itself.
stats::Estimate event_interval(const EventCost& cost);
stats::Estimate fixed_interval(const EventCost& cost);

}  // namespace ridge::measure
