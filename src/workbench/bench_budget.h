// The time that ridge bench may take, divided over its points as they go.
//
//   BenchBudget budget(600, points, processes);
//   if (const auto s = budget.next(point, elapsed_s)) { ...; budget.done(point, wall_s, *s);
//   } else budget.leave();
//
// What a point costs beside measuring (loading, calibrating, its least number of runs) is learnt
// from the points before it: from the dearest of the same model in the same runtime, else of the
// same model, times how much more work it is; else from the cheapest of all. A point that does not
// fit into what is left is not begun. Only what nothing is known of is begun at any rate, and so is
// the first. Pure; thread rule: one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ridge::workbench {

/// What tells how dear a point is.
struct BenchPoint {
  std::string model, runtime;
  double work = 1;  ///< multiply-accumulates, of all sizes together; at least 1
};

class BenchBudget {
 public:
  /// `points` are still to be measured, each in `processes`.
  BenchBudget(double total_s, std::int64_t points, std::uint32_t processes)
      : total_s_(total_s), points_(points), processes_(processes) {}

  /// How long each process of the point may measure; nullopt: it does not fit.
  std::optional<double> next(const BenchPoint& point, double elapsed_s) const;
  /// What it costs at least.
  double least_s(const BenchPoint& point) const;
  /// The point took `wall_s`; its processes were given `given_s` each.
  void done(const BenchPoint& point, double wall_s, double given_s);
  /// A point is not measured now: its share is for the others.
  void leave() { --points_; }

 private:
  struct Known {
    BenchPoint point;
    double overhead_s;
  };
  /// Beside measuring.
  double overhead_s(const BenchPoint& point) const;

  double total_s_;
  std::int64_t points_;
  std::uint32_t processes_;
  std::vector<Known> known_;
};

}  // namespace ridge::workbench
