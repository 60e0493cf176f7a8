// SPDX-License-Identifier: Apache-2.0
// Uncertainty of corrected figures: repeats the whole correction on resampled runs.
//
//   const Replicates replicates(estimates);
//   layer.corrected = replicates.corrected({kernel}, corrected_ns);
//
// A replicate draws pairs of runs within each process, neighbors together (stats/blocks.h), and one
// of the draws of the profiler's cost (event_cost.h); with these it corrects as correction.h does.
// So replicates include the noise of the runs, their dependence, and the uncertainty of the excess
// and of the event's own cost. Differences between processes are estimated from the processes
// themselves:
//
//   bound = median -+ sqrt(r^2 + b^2), where r is the distance of the replicates' bound from the
//           median, and b the distance of the bound from the processes' own medians
//           (stats/block_median.h)
//
// Drawing processes with replacement instead covers the truth only 75 times of 100 with three
// processes that differ. Replicates cannot show whether an event costs as much in the model as in
// the chains. A prediction tests that:
//
//   predicted profiled run = plain run + events * wall + fixed
//
// It is compared with the measured profiled run; the same with the costs of the levels below is
// compared with the runs that had all levels at once. Thread rule: const. Cost: replicates * runs *
// kernels once, and replicates * runs per query.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "measure/estimate.h"
#include "stats/samples.h"

namespace ridge::measure {

class Replicates {
 public:
  /// `estimates` must outlive the object.
  explicit Replicates(const Estimates& estimates);

  /// Interval of the corrected time of a layer; `median` is passed through.
  stats::Estimate corrected(const std::vector<std::uint32_t>& members, double median) const;
  /// Interval of a run's corrected layers plus gaps.
  stats::Estimate total(double median) const;
  /// Interval of the predicted profiled run, from plain runs and the costs.
  stats::Estimate predicted_profiled(double median) const;
  /// Figures of self_check.h: medians over runs.
  stats::Estimate factor() const;
  stats::Estimate unscaled_residual() const;
  stats::Estimate predicted_ratio() const;
  /// Predicted run with all levels at once.
  stats::Estimate predicted_deepest() const;

 private:
  /// Figures of self_check.h, by process and pair.
  enum Figure : std::uint8_t { kFactor, kUnscaled, kPredicted, kFigures };
  using Checks = std::array<std::vector<std::vector<double>>, kFigures>;
  struct Drawn {
    std::uint32_t process = 0, pair = 0;
    double factor = 1;
  };
  struct Replicate {
    double inside_ns = 0, total_ns = 0, profiled_ns = 0, deepest_ns = 0;
    std::array<double, kFigures> checks{};
    std::vector<Drawn> runs;
  };
  static Checks checks_of(const std::vector<std::vector<PairTimes>>& processes,
                          const std::vector<std::vector<Correction>>& corrections,
                          const EventCost& cost);
  Replicate replicate(const CostDraw& draw, std::uint64_t seed) const;
  stats::Estimate check(Figure figure) const;
  stats::Estimate interval_of(double Replicate::*value, double median,
                              const std::optional<stats::Interval>& luck) const;

  const Estimates& estimates_;
  Checks checks_;      ///< for the runs as measured
  double blocks_ = 0;  ///< number of blocks of neighboring runs, over all processes
  std::optional<stats::Interval> plain_luck_, total_luck_;  ///< from differences between processes
  std::vector<Replicate> replicates_;
};

}  // namespace ridge::measure
