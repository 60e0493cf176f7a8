// What a runtime is asked to measure and what comes back: plain data on both sides of the child
// process.
//
// All times are raw: nothing is corrected, rejected or averaged here (stats/ and the caller do
// that). CLOCK_MONOTONIC throughout.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/units.h"

namespace ridge::runtime {

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// Runs come in rounds, unprofiled and profiled side by side, so that both see the same state of a
/// shared machine. Of two rounds one begins with the unprofiled runs and one with the profiled
/// runs; which comes first is drawn, so that nothing periodic on the machine keeps step.
struct Plan {
  std::uint32_t warmup_runs =
      2;                 ///< unprofiled, before the first round; the very first run comes on top
  Nanos warmup_time{0};  ///< warm-up goes on until both are reached
  std::uint32_t settle_runs = 0;  ///< unprofiled runs that open each round and are not measured
  std::uint32_t unprofiled_per_round = 1;
  std::uint32_t profiled_per_round = 1;  ///< 0: no layer times are wanted
  std::uint32_t min_rounds = 10;
  std::uint32_t max_rounds = 1000;
  Nanos budget{/// After min_rounds, stop when this much time has gone by since the first round
               2'000'000'000};
  Nanos limit{120'000'000'000};  ///< stop even before min_rounds, but not before one round is done
  std::uint64_t max_events = 20'000'000;  ///< no profiled runs beyond this many events
};

enum class Mode : std::uint8_t { kFirst, kWarmup, kSettle, kUnprofiled, kProfiled };

/// One run of the model.
struct Sample {
  Mode mode = Mode::kUnprofiled;
  std::uint32_t round = 0;
  Nanos start;  ///< CLOCK_MONOTONIC of this machine: comparable between processes
  Nanos wall;   ///< around the runtime's run call
  Nanos cpu;    ///< of the whole measuring process, its threads included
  /// Processors that others used, on average over the window of at least 200 ms that this run lies
  /// in (LoadMeter). Negative: not known.
  double foreign_cpus = -1;
  /// The same for time that the hypervisor gave to other guests.
  double stolen_cpus = -1;
};

/// A kernel of the optimised graph as events name it.
struct KernelInfo {
  std::string name, type;
  std::string implementation;  ///< execution provider
  std::string output_shapes;   ///< as the runtime prints them, of the first event seen
};

/// One execution of a kernel in one profiled run.
struct KernelEvent {
  std::uint32_t kernel = 0;      ///< position in Measurement::kernels
  std::uint32_t parent = kNone;  ///< position in the same run of the control flow event around it
  std::uint32_t queue = 0;       ///< 0, 1, ... per thread
  std::int64_t start_ns = 0;     ///< from Sample::start of the run
  std::int64_t duration_ns = 0;  ///< as the runtime measured it: whole microseconds, rounded down
  std::int64_t window_ns =
      0;  ///< between the observer's start and stop: holds part of the profiler's cost too
  std::int64_t exclusive_ns =
      /// Duration less the windows of the events directly inside; may be negative within resolution
      0;
  /// As RidgeEvent has them, of runtimes that tell running means; 0 once resolved (means.h).
  std::int64_t executions = 0, before_ns = 0;
};

struct ProfiledRun {
  std::uint32_t sample = 0;         ///< position in Measurement::samples
  std::int64_t model_run_ns = -1;   ///< the runtime's own figure for the whole run; -1 = none
  std::vector<KernelEvent> events;  ///< in order of their ends
};

struct Measurement {
  std::vector<Sample> samples;  ///< in order of time, warm-up included
  std::vector<KernelInfo> kernels;
  std::vector<ProfiledRun> profiled;
  bool cancelled = false;
  /// What ended the measurement early: the samples above came before it. A crash, a hang, a run
  /// that failed.
  std::optional<Error> failure;
};

/// What the runtime says about the memory of one kernel; -1 = not said.
struct KernelFacts {
  KernelInfo kernel;
  std::string input_shapes;
  std::int64_t activation_bytes = -1, parameter_bytes = -1, output_bytes = -1;
};

}  // namespace ridge::runtime
