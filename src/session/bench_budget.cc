// SPDX-License-Identifier: Apache-2.0
#include "session/bench_budget.h"

#include <algorithm>

namespace ridge::session {
namespace {

/// Minimum measuring time of a process: with less, it only makes the minimum number of runs.
constexpr double kMinSeconds = 0.05;

}  // namespace

// Example: 60 s for 4 points of 3 processes each. The first point gets 60 / 4 / 3 = 5 s per process
// and takes 18 s, so the overhead of its model is 18 - 3 * 5 = 3 s. With 42 s and 3 points left,
// the next point of that model and work gets (42 / 3 - 3) / 3 = 3.67 s per process. A point of the
// same model with 8 times the work has a predicted overhead of 24 s and takes at least 24.15 s:
// with 20 s left it is skipped.
double BenchBudget::overhead_s(const BenchPoint& point) const {
  double cheapest = measured_.empty() ? 0 : measured_[0].overhead_s;
  std::optional<double> of_model, of_both;
  for (const MeasuredPoint& k : measured_) {
    cheapest = std::min(cheapest, k.overhead_s);
    if (k.point.model != point.model) continue;
    const double scaled = k.overhead_s * std::max(1.0, point.work / k.point.work);
    of_model = std::max(scaled, of_model.value_or(0));
    if (k.point.runtime == point.runtime) of_both = std::max(scaled, of_both.value_or(0));
  }
  return of_both.value_or(of_model.value_or(cheapest));
}

double BenchBudget::min_s(const BenchPoint& point) const {
  return overhead_s(point) + kMinSeconds * processes_;
}

std::optional<double> BenchBudget::next(const BenchPoint& point, double elapsed_s) const {
  const double left = total_s_ - elapsed_s;
  if (left <= 0 || points_ <= 0 || (!measured_.empty() && min_s(point) > left)) return std::nullopt;
  // Every remaining point gets an equal share, from which this point pays its overhead.
  const double overhead = overhead_s(point);
  const double share = left / static_cast<double>(points_) - overhead;
  return std::max(kMinSeconds, share / processes_);
}

void BenchBudget::done(const BenchPoint& point, double wall_s, double given_s) {
  measured_.push_back({point, std::max(0.0, wall_s - given_s * processes_)});
  remove();
}

}  // namespace ridge::session
