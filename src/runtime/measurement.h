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
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/units.h"

namespace ridge::runtime {

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// Runs come in rounds, each kind of run beside the others, so that all see the same state of a
/// shared machine. Of two rounds the order of the first is drawn and the second has the reverse, so
/// that nothing periodic on the machine keeps step.
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
  /// Levels below the layers. Each comes in runs of its own, with all of its readings and with half
  /// of them, and all levels come together in one run (kDeepest).
  bool threads = false, counters = false;
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
/// "first", "warm-up", "settle", "plain", "profiled", "thread, half", ...
std::string_view name(Mode mode);

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

/// A thread of the measuring process that runs the model: 0 is the one that calls the runtime.
struct ThreadInfo {
  std::int64_t id = 0;  ///< the system's
  std::string name;     ///< as the system lists it
};

/// What one thread did in one run.
struct ThreadWork {
  std::uint32_t thread = 0;  ///< position in Measurement::threads
  std::int64_t cpu_ns = 0;
  std::int64_t wait_ns = -1;   ///< ready and without a processor; -1: the system does not say
  std::int64_t switches = -1;  ///< times it was given a processor; -1: the same
};

struct CounterInfo {
  std::string name, unit;  ///< "page-faults", ""; "task-clock", "ns"
  std::string origin;      ///< who counts: "perf hardware", "perf software, user mode only"
  std::string absent;      ///< why there is none; "" where it counts
};

/// What one counter said of one run, all threads together.
struct CounterValue {
  std::uint32_t counter = 0;  ///< position in Measurement::counters
  std::int64_t value = 0;     ///< scaled by enabled / running
  /// Sums over the threads. A processor with fewer counters than asked for takes turns.
  std::int64_t enabled_ns = 0, running_ns = 0;
};

/// A run that carried levels below the layers.
struct DeepRun {
  std::uint32_t sample = 0;            ///< position in Measurement::samples
  std::uint32_t thread_readings = 0;   ///< threads read before and after the run
  std::uint32_t counter_readings = 0;  ///< counters that were open, each thread's by itself
  std::vector<ThreadWork> threads;
  std::vector<CounterValue> counters;
};

struct Measurement {
  std::vector<Sample> samples;  ///< in order of time, warm-up included
  std::vector<KernelInfo> kernels;
  std::vector<ProfiledRun> profiled;  ///< of modes kProfiled and kDeepest
  std::vector<ThreadInfo> threads;
  std::vector<CounterInfo> counters;
  std::vector<DeepRun> deep;
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
