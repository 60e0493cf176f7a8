// Runs to figures: latency, kernel times, and what the profiler cost, each with an interval.
//
// Latency comes from plain runs only, kernel times from profiled ones, less what profiling adds to
// them (correction.h). That scales kernels until they and the gaps come to a run without the
// profiler, and a disturbance closes what medians leave open: `residual_share` is small by
// construction. self_check.h has what can fail.
//
//   total          = median over runs of (sum of corrected kernels + gaps)
//   disturbance    = total - sum of the layers' medians - median of gaps       (not below 0)
//   residual share = (sum of corrected + gaps + disturbance) / latency - 1
#pragma once

#include <vector>

#include "measure/correction.h"
#include "measure/gate.h"
#include "measure/levels.h"
#include "measure/runs.h"
#include "profile/profile.h"

namespace ridge::measure {

struct Estimates {
  profile::Latency latency;
  profile::Profiling profiling;                ///< sums over all kernels
  std::int64_t load_ns = 0, first_run_ns = 0;  ///< medians over processes
  /// [process][kept pair][kernel]: reported nanoseconds in that run.
  std::vector<std::vector<std::vector<double>>> kernel_runs;
  std::vector<std::vector<PairTimes>> pairs;         ///< [process][kept pair]
  std::vector<std::vector<Correction>> corrections;  ///< [process][kept pair]
  /// of each kernel, per run of the model (mean; differs between runs only under control flow)
  std::vector<double> executions;
  EventCost cost;                    ///< as calibrated, with its share bounded (share_bound)
  double total_ns = 0;               ///< median over runs of corrected kernels and gaps
  double predicted_profiled_ns = 0;  ///< plain run + events * cost + fixed cost
  std::vector<std::vector<DeeperPair>>
      deeper;  ///< [process][kept pair]; empty: none were asked for
  std::vector<DeeperCost> deeper_costs;
  bool busy = false;  ///< disturbed runs had to be used
};

/// `kernels`: how many kernel names there are; `kept`: of each process, which pairs count. One
/// without any is left out, but of latency.processes, where it has its place without samples.
/// Left to the join: sums over layers (profiling.corrected_sum_ns...), intervals (replicates.h).
Estimates estimate(const std::vector<ProcessRuns>& processes, const std::vector<Kept>& kept,
                   std::size_t kernels, const EventCost& cost);
/// Of processes that took turns with nobody.
Estimates estimate(const std::vector<ProcessRuns>& processes, std::size_t kernels,
                   const EventCost& cost, const Host& host);

/// Median over the runs of all processes with its 95 % interval (stats/block_median.h), which knows
/// that processes differ; no interval (NaN) of fewer than six runs.
profile::Estimate estimate_of(const std::vector<std::vector<double>>& processes);
/// Of what cannot lie below 0.
profile::Estimate estimate_of_times(const std::vector<std::vector<double>>& processes);

/// A kernel's time in a run less the profiler's own events, not below 0.
double body_of(const Estimates& estimates, const std::vector<double>& run, std::uint32_t kernel,
               double inside_ns);
double body_of_run(const Estimates& estimates, const std::vector<double>& run, double inside_ns);

/// Median and interval of the sum over `members` (kernel positions) per run: what a layer of
/// several kernels took.
profile::Estimate time_of(const Estimates& estimates, const std::vector<std::uint32_t>& members);

/// The same of every run, the processes one after the other.
std::vector<double> reported(const Estimates& estimates, const std::vector<std::uint32_t>& members);

/// The same less what profiling added, of every run, by process.
std::vector<std::vector<double>> corrected_by_process(const Estimates& estimates,
                                                      const std::vector<std::uint32_t>& members);
/// The processes one after the other.
std::vector<double> corrected(const Estimates& estimates,
                              const std::vector<std::uint32_t>& members);

/// The largest share of an event's cost that can lie inside the durations of this model's kernels:
/// what its shortest kernels report, less the cheapest kernel of the calibration. A chain's events
/// can cost more than a model's: ShuffleNetV2 has Reshapes that report 2.1 us, where an event
/// between the calibration's Sums adds 3.0 us to their durations.
///
///   reported = 5 % quantile, over kernels with any time, of the interquartile mean per execution
///   bound    = reported - cheapest kernel                                          (not below 0)
///
/// Infinite where no kernel reports any time.
double share_bound(const Estimates& estimates, double cheapest_kernel_ns);

}  // namespace ridge::measure
