// SPDX-License-Identifier: Apache-2.0
// Levels below the layers: overhead and results of their readings.
//
//   const std::vector<DeeperCost> costs = deeper_costs(runs);   // runs: Estimates::deeper
//   tell_work(processes, threads, profile.levels);
//
// The cost of a level is determined like the profiler's (event_cost.h), from runs of the model
// itself: with half of the level's readings and with all of them, each next to the plain run of its
// round. Runs with these levels are never used for latency or layer times.
#pragma once

#include <cstdint>
#include <vector>

#include "measure/collect.h"
#include "measure/runs.h"
#include "profile/profile.h"

namespace ridge::measure {

/// Plain run and the deeper runs of the same round.
struct DeeperPair {
  double plain_ns = 0;
  DeeperRuns runs;
};

struct DeeperCost {
  profile::Level level = profile::Level::kThread;
  double events = 0;  ///< number of readings in a run with all of them
  EventCost cost;
  /// [process]: wall times of the runs with all readings
  std::vector<std::vector<double>> walls_ns;
};

/// Costs of the levels that have runs. `processes` is [process][pair]. Rounds in which a level's
/// number of readings differs from most rounds (a thread came or went) are dropped.
std::vector<DeeperCost> deeper_costs(const std::vector<std::vector<DeeperPair>>& processes);

/// Wall times of the runs with everything at once: [process].
std::vector<std::vector<double>> deepest_walls(
    const std::vector<std::vector<DeeperPair>>& processes);

/// Fills the results of threads and counters: medians of their runs over processes, where thread k
/// of one process corresponds to thread k of another. `threads`: number of threads given to the
/// runtime.
void summarize_threads(const std::vector<ProcessMeasurement>& processes, std::uint32_t threads,
                       profile::Levels& levels);

}  // namespace ridge::measure
