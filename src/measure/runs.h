// SPDX-License-Identifier: Apache-2.0
// Raw results of a measured process, before any statistics: one row per run of the model. Plain
// data, times in nanoseconds.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace ridge::measure {

/// Execution of one kernel in a profiled run. `kernel` is an index into the list of kernel names of
/// the same process.
struct Event {
  std::uint32_t kernel = 0;
  std::int64_t duration_ns = 0;  ///< the event's own duration, less the nested events' duration
};

struct Run {
  /// For a profiled run: the runtime's own run event if there is one, without writing its report.
  std::int64_t wall_ns = 0;
  double foreign_cpus = 0;    ///< processors that other processes kept busy during the run
  std::vector<Event> events;  ///< profiled runs only
};

/// Run that carried a level below the layers, with its number of readings.
struct LeveledRun {
  double wall_ns = 0;
  int events = 0;
};

/// Levels below the layers, by position.
enum DeeperLevel : std::uint8_t { kThreadLevel, kCounterLevel, kDeeperLevels };

/// Runs of one round with deeper levels, next to its plain run; nullopt if not requested.
struct DeeperRuns {
  /// By level: a run with half of the level's readings, and one with all.
  std::array<std::optional<LeveledRun>, kDeeperLevels> part, whole;
  std::optional<double> deepest_ns;  ///< run with the events of layers and all readings at once
};

/// Plain and profiled runs alternate: plain[i] and profiled[i] are adjacent, deeper[i] is from the
/// same round.
struct ProcessRuns {
  std::int64_t load_ns = 0;  ///< 0: not comparable, because the optimized graph was written too
  std::int64_t first_run_ns = 0;
  std::vector<Run> plain, profiled;
  std::vector<DeeperRuns> deeper;  ///< empty: none were requested
  /// Round of each pair, ascending: processes measured in turns have partners in the same rounds.
  /// Empty: 0, 1, 2, ...
  std::vector<std::uint32_t> rounds;
};

/// Cost of profiling from one resample of the runs.
struct CostDraw {
  double wall_ns = 0, inside_ns = 0, fixed_ns = 0;
  double reported_ns = 0, outside_ns = 0;
};

/// Cost of one profiling event, from chains of trivial kernels (not from the measured model).
struct EventCost {
  double wall_ns = 0;             ///< time it adds to a run
  double inside_ns = 0;           ///< the part inside the event's own duration
  double resolution_ns = 0;       ///< shorter durations cannot be told apart
  double cheapest_kernel_ns = 0;  ///< time of the cheapest kernel, unprofiled
  double fixed_ns = 0;            ///< time that profiling adds to a run besides its events
  /// Excess per event of the reported durations over the plain run: inside_ns before clamping,
  /// negative if the time between kernels exceeds the profiler's share of the durations.
  double reported_ns = 0;
  double outside_ns = 0;        ///< time of a plain run of a chain outside its kernels
  double blocks = 0;            ///< number of blocks of runs that the draws were made from
  std::vector<CostDraw> draws;  ///< resamples for uncertainty; empty: the costs are exact
};

}  // namespace ridge::measure
