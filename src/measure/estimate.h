// SPDX-License-Identifier: Apache-2.0
// Statistics over runs: latency, kernel times, and the profiler's overhead, each with an interval.
//
// Latency comes from plain runs only, kernel times from profiled ones, corrected for the overhead
// of profiling (correction.h). The correction scales kernels until they and the gaps add up to a
// run without the profiler, and a disturbance term covers what medians leave over: `residual_share`
// is small by construction. self_check.h has the figures that can fail.
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
  /// Executions of each kernel per run of the model (mean; differs between runs only under control
  /// flow).
  std::vector<double> executions;
  EventCost cost;                    ///< as calibrated, with inside_ns bounded (share_bound)
  double total_ns = 0;               ///< median over runs of corrected kernels plus gaps
  double predicted_profiled_ns = 0;  ///< plain run + events * cost + fixed cost
  /// [process][kept pair]; empty: no deeper levels were requested
  std::vector<std::vector<DeeperPair>> deeper;
  std::vector<DeeperCost> deeper_costs;
  bool busy = false;  ///< disturbed runs had to be kept
};

/// Estimates from the kept pairs. `kernels`: number of kernel names; `kept`: the pairs that count,
/// by process. A process without kept pairs is skipped, except that latency.processes has an empty
/// entry for it. Not set here: sums over layers (profiling.corrected_sum_ns...), which join.h
/// computes, and intervals of corrected times (replicates.h).
Estimates estimate(const std::vector<ProcessRuns>& processes, const std::vector<Kept>& kept,
                   std::size_t kernels, const EventCost& cost);
/// For processes measured alone.
Estimates estimate(const std::vector<ProcessRuns>& processes, std::size_t kernels,
                   const EventCost& cost, const Host& host);

/// Time of a kernel in a run less the profiler's events (executions * inside_ns), not below 0.
double body_of(const Estimates& estimates, const std::vector<double>& run, std::uint32_t kernel,
               double inside_ns);
double body_of_run(const Estimates& estimates, const std::vector<double>& run, double inside_ns);

/// Median and interval of the reported time per run, summed over `members` (kernel positions): the
/// time of a layer of several kernels.
stats::Estimate time_of(const Estimates& estimates, const std::vector<std::uint32_t>& members);

/// Reported time of `members` in every run, the processes concatenated.
std::vector<double> reported(const Estimates& estimates, const std::vector<std::uint32_t>& members);

/// Corrected time of `members` in every run, by process.
std::vector<std::vector<double>> corrected_by_process(const Estimates& estimates,
                                                      const std::vector<std::uint32_t>& members);
/// Corrected time of `members` in every run, the processes concatenated.
std::vector<double> corrected(const Estimates& estimates,
                              const std::vector<std::uint32_t>& members);

/// Upper bound on the part of an event's cost that lies inside the durations of this model's
/// kernels: the time its shortest kernels report, less the cheapest kernel of the calibration.
/// Events of a calibration chain can cost more than a model's: ShuffleNetV2 has Reshapes that
/// report 2.1 us, while an event between the calibration's Sums adds 3.0 us to their durations.
///
///   reported = 5 % quantile, over kernels with any time, of the interquartile mean per execution
///   bound    = reported - cheapest kernel                                          (not below 0)
///
/// Infinite if no kernel reports any time.
double share_bound(const Estimates& estimates, double cheapest_kernel_ns);

}  // namespace ridge::measure
