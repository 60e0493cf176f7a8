// SPDX-License-Identifier: Apache-2.0
// Bricks still to be measured so that every model of a plan has an estimate that is narrow enough.
//
//   for (const ModelProgress& m : progress_of(plan, times, goal)) m.estimate, m.reached
//   for (const Wanted& w : to_measure(plan, times, goal)) plan.bricks[w.brick]  // the next process
//
// Every brick is measured in goal.processes processes, at the reuse distance of each model that has
// it (suite_times.h). After that, for each model whose interval is still too wide, the next process
// has the bricks among its own that cause most of the width. With u_bp, what brick b moves the sum
// by in process p (spread.h), and U_p, what all bricks move it by,
//
//   variance of the sum ~ sum over p of U_p^2 = sum over b of (sum over p of u_bp * U_p)
//
// so the inner sum is the part of brick b, small for one whose luck is its own, and large for one
// that is slow whenever the others are. Bricks are taken in descending order of part / time until
// they cause kShareOfVariance of the variance.
//
// If models are compared (goal.paired) and one of the bricks that not all have lacks a process, so
// do the others of them: what is measured in one process ran in turns.
//
// A model that would need more than goal.max_processes processes is left too wide at once:
//
//   processes needed = n * (half-width / goal.width)^2 * (t(infinite) / t(n - 1))^2
//
// The estimate here follows from the plan's occurrences, without loading a model; nodes left over
// are not part of it. Thread rule: pure. Cost: O(occurrences + times).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bricks/plan.h"
#include "bricks/suite_times.h"

namespace ridge::bricks {

/// Part of a model's variance that the next process tries to reduce.
inline constexpr double kShareOfVariance = 0.9;

struct SuiteGoal {
  double width = 0.03;  ///< ModelProgress::half_width to reach
  std::uint32_t processes = 4, max_processes = 60;
  /// Bricks that not all models have are measured in the same processes: a model and its edited
  /// copies are compared by them (paired_gain.h).
  bool paired = false;
};

struct ModelProgress {
  std::string name;
  stats::Estimate estimate;  ///< NaN where a brick was not measured
  /// Half the interval without cuts (spread.h), relative to the estimate: the part that more
  /// processes narrow. Infinite without an interval.
  double half_width = 0;
  std::size_t unmeasured = 0;  ///< bricks without a time
  bool reached = false;
};

/// Half-width to expect after as much measuring time again: the half-width of the mean of twice as
/// many processes.
inline double width_after_twice_the_time(double half_width) { return half_width / std::sqrt(2.0); }

/// In the order of the plan's models.
std::vector<ModelProgress> progress_of(const Plan& plan, const SuiteTimes& times,
                                       const SuiteGoal& goal);

struct Wanted {
  std::size_t brick = 0;                  ///< position in plan.bricks
  std::vector<std::int64_t> reuse_bytes;  ///< ascending; SuiteBrick::reuse_bytes
  std::int64_t live_bytes = 0;            ///< mean of Occurrence::live_bytes
  /// Distance of large weights (batches.h): half the traffic of the models that have it, in the
  /// mean.
  std::int64_t far_bytes = 0;

  bool operator==(const Wanted&) const = default;
};

/// Returns the bricks with the most work first; empty if the goal is reached or cannot be: bricks
/// that were lost for another reason than the budget are not tried again.
std::vector<Wanted> to_measure(const Plan& plan, const SuiteTimes& times, const SuiteGoal& goal);

}  // namespace ridge::bricks
