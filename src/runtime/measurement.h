// SPDX-License-Identifier: Apache-2.0
// Plan and results of a measurement: plain data on both sides of the child process.
//
// All times are raw: nothing is corrected, rejected or averaged here (stats/ and the caller do
// that). CLOCK_MONOTONIC throughout.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/units.h"

namespace ridge::runtime {

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// Runs are grouped in rounds, with each kind of run next to the others, so that all see the same
/// state of a shared machine. Of two rounds the first has a random order and the second the
/// reverse, so that nothing periodic on the machine stays in step.
struct Plan {
  /// Unprofiled runs before the first round, in addition to the very first run.
  std::uint32_t warmup_runs = 2;
  Nanos warmup_time{0};  ///< warm-up continues until both are reached
  /// Unprofiled runs at the start of each round, whose times are not used.
  std::uint32_t settle_runs = 0;
  std::uint32_t unprofiled_per_round = 1;
  std::uint32_t profiled_per_round = 1;  ///< 0: no layer times needed
  std::uint32_t min_rounds = 10;
  std::uint32_t max_rounds = 1000;
  /// After min_rounds, stop when this much time has passed since the first round.
  Nanos budget{2'000'000'000};
  Nanos limit{120'000'000'000};  ///< stop even before min_rounds, but not before one round is done
  std::uint64_t max_events = 20'000'000;  ///< no profiled runs after this many events
  /// Levels below the layers. Each has runs of its own, with all of its readings and with half of
  /// them, and all levels together have one run (kDeepest).
  bool threads = false, counters = false;
  /// Profiling stays on from the first profiled run on: of a runtime with RIDGE_KEEPS_PROFILING,
  /// and without any other kind of run.
  bool keep_profiling = false;
};

enum class Mode : std::uint8_t {
  kFirst,
  kWarmup,
  kSettle,
  kUnprofiled,
  kProfiled,
  kThreadPart,
  kThread,
  kCounterPart,
  kCounter,
  kDeepest,  ///< events, threads and counters
};
/// Returns "first", "warm-up", "settle", "plain", "profiled", "thread, half", ...
std::string_view name(Mode mode);

/// One run of the model.
struct Sample {
  Mode mode = Mode::kUnprofiled;
  std::uint32_t round = 0;
  Nanos start;  ///< CLOCK_MONOTONIC of this machine: comparable between processes
  Nanos wall;   ///< duration of the runtime's run call
  Nanos cpu;    ///< CPU time of the whole measuring process, all threads
  /// Processors used by others, averaged over the window of at least 200 ms that contains this run
  /// (LoadMeter). Negative: unknown.
  double foreign_cpus = -1;
  /// Processors' time that the hypervisor gave to other guests, averaged likewise.
  double stolen_cpus = -1;
};

/// Kernel of the optimized graph, as named by events.
struct KernelInfo {
  std::string name, type;
  std::string implementation;  ///< execution provider
  std::string output_shapes;   ///< as printed by the runtime, from the first event seen
};

/// Execution of a kernel in a profiled run.
struct KernelEvent {
  std::uint32_t kernel = 0;      ///< index into Measurement::kernels
  std::uint32_t parent = kNone;  ///< index, in the same run, of the enclosing control flow event
  std::uint32_t queue = 0;       ///< 0, 1, ... per thread
  std::int64_t start_ns = 0;     ///< relative to Sample::start of the run
  std::int64_t duration_ns = 0;  ///< as measured by the runtime: whole microseconds, rounded down
  /// Time between the observer's start and stop; includes part of the profiler's overhead.
  std::int64_t window_ns = 0;
  /// Duration less the windows of directly nested events; may be slightly negative, within the
  /// resolution.
  std::int64_t exclusive_ns = 0;
  /// Fields of RidgeEvent for runtimes that report running means; 0 once resolved (means.h).
  std::int64_t executions = 0, before_ns = 0;
};

struct ProfiledRun {
  std::uint32_t sample = 0;         ///< index into Measurement::samples
  std::int64_t model_run_ns = -1;   ///< the runtime's own duration of the whole run; -1 = none
  std::vector<KernelEvent> events;  ///< in order of their ends
};

/// Thread of the measuring process that runs the model; thread 0 calls the runtime.
struct ThreadInfo {
  std::int64_t id = 0;  ///< system thread id
  std::string name;     ///< as listed by the system
};

/// Activity of one thread in one run.
struct ThreadWork {
  std::uint32_t thread = 0;  ///< index into Measurement::threads
  std::int64_t cpu_ns = 0;
  std::int64_t wait_ns = -1;   ///< ready but not running; -1: unavailable on this system
  std::int64_t switches = -1;  ///< times it was scheduled; -1: unavailable
};

struct CounterInfo {
  std::string name, unit;  ///< "page-faults", ""; "task-clock", "ns"
  std::string origin;      ///< source: "perf hardware", "perf software, user mode only"
  std::string absent;      ///< reason why it is unavailable; "": it counts
};

/// Value of one counter in one run, all threads together.
struct CounterValue {
  std::uint32_t counter = 0;  ///< index into Measurement::counters
  std::int64_t value = 0;     ///< scaled by enabled / running
  /// Sums over the threads. A processor with fewer counters than requested multiplexes.
  std::int64_t enabled_ns = 0, running_ns = 0;
};

/// Run with levels below the layers.
struct DeepRun {
  std::uint32_t sample = 0;            ///< index into Measurement::samples
  std::uint32_t thread_readings = 0;   ///< threads read before and after the run
  std::uint32_t counter_readings = 0;  ///< open counters, counted per thread
  std::vector<ThreadWork> threads;
  std::vector<CounterValue> counters;
};

struct Measurement {
  std::vector<Sample> samples;  ///< in order of time, warm-up included
  std::vector<KernelInfo> kernels;
  std::vector<ProfiledRun> profiled;  ///< runs with mode kProfiled or kDeepest
  std::vector<ThreadInfo> threads;
  std::vector<CounterInfo> counters;
  std::vector<DeepRun> deep;
  bool canceled = false;
  /// Reason for an early end (a crash, a hang, a run that failed); the samples are from before it.
  std::optional<Error> failure;
};

/// Memory of one kernel according to the runtime; -1 = unknown.
struct KernelFacts {
  KernelInfo kernel;
  std::string input_shapes;
  std::int64_t activation_bytes = -1, parameter_bytes = -1, output_bytes = -1;
};

}  // namespace ridge::runtime
