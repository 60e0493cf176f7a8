// SPDX-License-Identifier: Apache-2.0
// Sum of times that were measured in the same processes, with an interval.
//
//   const Sum total = sum_of({{&conv, 4}, {&relu, 2}, {&outside, 1}});
//
// Where memory lies is drawn once per process and moves all of its times together, so neither the
// bricks of a process nor its runs are independent: processes are. With m_b occurrences of brick b,
// its times x_bp in n_b processes and their mean x_b,
//
//   sum       = sum over b of m_b * x_b
//   u_p       = sum over the bricks b of process p of m_b * (x_bp - x_b) / n_b
//   variance  = n / (n - 1) * sum over p of u_p^2
//   interval  = sum -+ t(n - 1) * sqrt(variance)
//
// (linearization with processes as clusters; Binder 1983, International Statistical Review 51:279,
// and Student's t for few clusters.) n is the mean of the n_b, weighted by how much each brick
// contributes to the variance. A resampling of processes estimates the same variance, but with four
// processes its quantiles cover less than they claim.
//
//   conv 100, 110, 90 us and relu 10, 11, 9 us in three processes: 4 conv + 2 relu = 420 us; u_p =
//   0, (4 * 10 + 2 * 1) / 3 = 14, -14 us; variance = 3 / 2 * 392 = 588; interval 420 -+ 4.30 * 24.2
//
// Predicted times add their own variance.
//
// More processes narrow this interval, but not what a cut changes. In a model a layer always runs
// behind the same layers, in one state of the caches; the runs of its brick sample many. So with
// s_b, the standard deviation of single runs of a brick, and kCutSpread, the standard deviation of
// the errors of forty networks beyond it (docs/bricks.md),
//
//   variance of the cuts = sum over b of (m_b * s_b)^2 + (kCutSpread * sum)^2
//
// which with_cuts() adds. Thread rule: pure. Cost: O(times).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "profile/profile.h"

namespace ridge::bricks {

/// Median time in one process.
struct ProcessTime {
  std::uint32_t process = 0;  ///< position in the list of processes
  double ns = 0;
  std::uint32_t runs = 0;  ///< it is the mean of
  bool quiet = true;       ///< false: other programs used the processor in too many runs
};
using ProcessTimes = std::vector<ProcessTime>;

double mean(const ProcessTimes& times);

/// Moves times far from the others to kFarthest standard deviations from their median (estimated by
/// their median absolute deviation, at least kMinSpread of the median): in one process of eleven
/// a convolution took 4.3 ms instead of 2.1. Fewer than six times stay as they are.
void limit_outliers(ProcessTimes& times);
inline constexpr double kFarthest = 4, kMinSpread = 0.005;

struct Term {
  const ProcessTimes* times = nullptr;
  double count = 1;     ///< occurrences
  double state_ns = 0;  ///< standard deviation of single runs
};

inline constexpr double kCutSpread = 0.01;

/// A predicted time and the half-width of its 95 % interval.
struct PredictedTerm {
  double ns = 0, half_width_ns = 0;
};

/// Sum with its 95 % interval; without one (NaN) if a term was measured in fewer than two
/// processes.
stats::Estimate sum_of(std::span<const Term> terms, std::span<const PredictedTerm> predicted = {});

/// The sum with an interval that includes what cuts change.
stats::Estimate with_cuts(const stats::Estimate& sum, std::span<const Term> terms);

/// Half the width of the interval relative to the sum; infinity without an interval.
double relative_half_width(const stats::Estimate& sum);

}  // namespace ridge::bricks
