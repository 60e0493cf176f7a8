// SPDX-License-Identifier: Apache-2.0
// Time budget of ridge bench, divided over its points while they are measured.
//
//   BenchBudget budget(600, points, processes);
//   if (const auto s = budget.next(point, elapsed_s)) { ...; budget.done(point, wall_s, *s);
//   } else budget.skip();
//
// The overhead of a point (its time beyond the measuring time it was given: loading, calibration,
// the minimum number of runs) is predicted from the points measured before it: the maximum over
// points of the same model and runtime, else of the same model, each scaled up by the ratio of work
// (never down); else the minimum over all points. A point is skipped if its overhead and the
// minimum measuring time exceed the remaining budget. Until a point has been measured, overheads
// are unknown and count as 0, and no point is skipped while time remains. Pure; thread rule: one
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ridge::session {

/// Properties of a point that predict its overhead.
struct BenchPoint {
  std::string model, runtime;
  double work = 1;  ///< multiply-accumulates of one run; at least 1
};

class BenchBudget {
 public:
  /// `points`: number of points to measure, each in `processes` processes.
  BenchBudget(double total_s, std::int64_t points, std::uint32_t processes)
      : total_s_(total_s), points_(points), processes_(processes) {}

  /// Measuring time for each process of the point; nullopt: the point does not fit.
  std::optional<double> next(const BenchPoint& point, double elapsed_s) const;
  /// Minimum time that the point takes: overhead plus minimum measuring time.
  double min_s(const BenchPoint& point) const;
  /// Records that the point took `wall_s` and that its processes were given `given_s` each.
  void done(const BenchPoint& point, double wall_s, double given_s);
  /// Removes a point that is not measured; its share goes to the others.
  void skip() { remove(); }

 private:
  struct MeasuredPoint {
    BenchPoint point;
    double overhead_s;
  };
  /// Takes one point off those that remain.
  void remove() { --points_; }
  /// Predicted overhead of the point.
  double overhead_s(const BenchPoint& point) const;

  double total_s_;
  std::int64_t points_;
  std::uint32_t processes_;
  std::vector<MeasuredPoint> measured_;
};

}  // namespace ridge::session
