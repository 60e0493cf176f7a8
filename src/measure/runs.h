// What a measured process hands back, before any statistics: one row per run of the model. Plain
// data, times in nanoseconds.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace ridge::measure {

/// One execution of one kernel in a profiled run. `kernel` is a position in the list of kernel
/// names of the same process.
struct Event {
  std::uint32_t kernel = 0;
  std::int64_t duration_ns = 0;  ///< the event's own duration, less that of events nested in it
};

struct Run {
  std::int64_t wall_ns =
      0;  ///< of a profiled run: as the runtime's own run event says, without writing its report
  double foreign_cpus = 0;    ///< processors that other processes kept busy meanwhile
  std::vector<Event> events;  ///< profiled runs only
};

/// A run that carried a level below the layers, with so many readings.
struct LeveledRun {
  double wall_ns = 0;
  int events = 0;
};

/// Levels below the layers, by position.
enum DeeperLevel : std::uint8_t { kThreadLevel, kCounterLevel, kDeeperLevels };

/// Of one round, beside its plain run; nothing where it was not asked for.
struct DeeperRuns {
  /// Of each level by itself: with half of its readings, and with all.
  std::array<std::optional<LeveledRun>, kDeeperLevels> part, whole;
  std::optional<double> deepest_ns;  ///< events of layers and all readings at once
};

/// Plain and profiled runs alternate: plain[i] and profiled[i] ran back to back, deeper[i] beside
/// them.
struct ProcessRuns {
  std::int64_t load_ns = 0;  ///< 0: not comparable, because the optimised graph was written too
  std::int64_t first_run_ns = 0;
  std::vector<Run> plain, profiled;
  std::vector<DeeperRuns> deeper;  ///< empty: none were asked for
  /// Of each pair, ascending: processes that took turns have partners in the same rounds. Empty: 0,
  /// 1, 2, ...
  std::vector<std::uint32_t> rounds;
};

/// The cost of profiling as one resample of the chains' runs gives it.
struct CostDraw {
  double wall_ns = 0, inside_ns = 0, fixed_ns = 0;
  double reported_ns = 0, outside_ns = 0;
};

/// What one profiling event costs, from chains of trivial kernels (not from the model that is
/// measured).
struct EventCost {
  double wall_ns = 0;             ///< that it adds to a run
  double inside_ns = 0;           ///< the part that lies in the event's own duration
  double resolution_ns = 0;       ///< durations below it cannot be told apart
  double cheapest_kernel_ns = 0;  ///< of the cheapest kernel, unprofiled
  double fixed_ns = 0;            ///< that profiling adds to a run beside its events
  /// By how much what events report exceeds the plain run, per event: inside_ns before it is cut,
  /// below 0 where time between events is longer than what the profiler puts into them.
  double reported_ns = 0;
  double outside_ns = 0;        ///< of a plain run of a chain, beside its kernels
  double blocks = 0;            ///< of runs that the draws were made of
  std::vector<CostDraw> draws;  ///< how well the costs are known; empty where they are exact
};

}  // namespace ridge::measure
