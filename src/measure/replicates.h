// How well corrected figures are known: the whole correction again, on resampled runs.
//
//   const Replicates replicates(estimates);
//   layer.corrected = replicates.corrected({kernel}, corrected_ns);
//
// A replicate draws pairs of runs inside each process, neighbours together (stats/blocks.h), and
// one of the draws of the profiler's cost (event_cost.h); on those it corrects as correction.h
// does. So replicates carry the noise of the runs, their dependence, and how well the excess and
// the event's own cost are known. How processes differ is seen from the processes themselves:
//
//   bound = median -+ sqrt(r^2 + b^2), where r is how far the replicates' bound lies from the
//           median, and b how far that of the processes' own medians does (stats/block_median.h)
//
// Drawing processes with replacement instead covers the truth 75 times of 100 with three of them
// that differ. What replicates cannot know: whether an event costs in the model what it costs in
// the chains. That is what the prediction is for:
//
//   predicted profiled run = plain run + events * wall + fixed
//
// beside the profiled run as measured, and the same with the costs of the levels below, beside the
// runs that had all levels at once. Thread rule: const. Cost: replicates * runs * kernels, once,
// and replicates * runs for each question.
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
  /// `estimates` must outlive it.
  explicit Replicates(const Estimates& estimates);

  /// Of the corrected time of a layer, `median` as given.
  profile::Estimate corrected(const std::vector<std::uint32_t>& members, double median) const;
  /// Of a run's layers and gaps together, corrected.
  profile::Estimate total(double median) const;
  /// Of a profiled run, from plain ones and the costs.
  profile::Estimate predicted_profiled(double median) const;
  /// The figures of self_check.h: medians over runs.
  profile::Estimate factor() const;
  profile::Estimate unscaled_residual() const;
  profile::Estimate predicted_ratio() const;
  /// Of a run with all levels at once.
  profile::Estimate predicted_deepest() const;

 private:
  /// Of self_check.h, by process and pair.
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
  profile::Estimate check(Figure figure) const;
  profile::Estimate interval_of(double Replicate::*value, double median,
                                const std::optional<stats::Interval>& luck) const;

  const Estimates& estimates_;
  Checks checks_;      ///< of the runs as measured
  double blocks_ = 0;  ///< of neighbouring runs, over all processes
  std::optional<stats::Interval> plain_luck_, total_luck_;  ///< between processes
  std::vector<Replicate> replicates_;
};

}  // namespace ridge::measure
