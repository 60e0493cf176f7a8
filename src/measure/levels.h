// The levels below the layers: what their readings cost, and what they say.
//
//   const std::vector<DeeperCost> costs = deeper_costs(runs);   // runs: Estimates::deeper
//   tell_work(processes, threads, profile.levels);
//
// A level's cost is told like the profiler's (event_cost.h), from runs of the model itself: with
// half of the level's readings and with all of them, each beside the plain run of its round. Levels
// are never in a run that latency or layers are told from.
#pragma once

#include <cstdint>
#include <vector>

#include "measure/collect.h"
#include "measure/runs.h"
#include "profile/profile.h"

namespace ridge::measure {

/// A plain run and the deeper runs of its round.
struct DeeperPair {
  double plain_ns = 0;
  DeeperRuns runs;
};

struct DeeperCost {
  profile::Level level = profile::Level::kThread;
  double events = 0;  ///< readings of a run with all of them
  EventCost cost;
  std::vector<std::vector<double>> walls_ns;  ///< [process]: of the runs with all
};

/// Of the levels that have runs. [process][pair]. Rounds in which a level had another number of
/// readings than most (a thread came or went) are left out.
std::vector<DeeperCost> deeper_costs(const std::vector<std::vector<DeeperPair>>& processes);

/// Times of the runs that had everything at once: [process].
std::vector<std::vector<double>> deepest_walls(
    const std::vector<std::vector<DeeperPair>>& processes);

/// What threads and counters say: their runs' medians over processes, thread k of one process being
/// thread k of another. `threads`: as many as the runtime was given.
void tell_work(const std::vector<ProcessMeasurement>& processes, std::uint32_t threads,
               profile::Levels& levels);

}  // namespace ridge::measure
