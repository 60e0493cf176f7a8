// How well corrected figures are known: the whole correction again, on resampled runs.
//
//   const Replicates replicates(estimates, cost);
//   layer.corrected = replicates.corrected({kernel}, corrected_ns);
//
// A replicate draws processes, then pairs of runs inside each, neighbours together
// (stats/blocks.h), and one of the draws of the profiler's cost (event_cost.h); on those it
// corrects as correction.h does. So an interval carries the noise of the runs, their dependence,
// and how well the excess and the event's own cost are known. What replicates cannot know: whether
// an event costs in the model what it costs in the chains. That is what the prediction is for:
//
//   predicted profiled run = plain run + events * wall + fixed
//
// beside the profiled run as measured, and the same with the costs of the levels below, beside the
// runs that had all levels at once. Thread rule: const. Cost: replicates * runs * kernels, once,
// and replicates * runs for each question.
#pragma once

#include <cstdint>
#include <vector>

#include "measure/estimate.h"

namespace ridge::measure {

class Replicates {
 public:
  /// `estimates` must outlive it.
  Replicates(const Estimates& estimates, const EventCost& cost);

  /// Of the corrected time of a layer, `median` as given.
  profile::Estimate corrected(const std::vector<std::uint32_t>& members, double median) const;
  /// Of a run's layers and gaps together, corrected.
  profile::Estimate total(double median) const;
  /// Of a profiled run, from plain ones and the costs.
  profile::Estimate predicted_profiled(double median) const;
  /// Of a run with all levels at once.
  profile::Estimate predicted_deepest() const;

 private:
  struct Drawn {
    std::uint32_t process = 0, pair = 0;
    double factor = 1;
  };
  struct Replicate {
    double inside_ns = 0, total_ns = 0, profiled_ns = 0, deepest_ns = 0;
    std::vector<Drawn> runs;
  };
  Replicate replicate(const CostDraw& draw, std::uint64_t seed) const;

  const Estimates& estimates_;
  double blocks_ = 0;  ///< of neighbouring runs, over all processes
  std::vector<Replicate> replicates_;
};

}  // namespace ridge::measure
