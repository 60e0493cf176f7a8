// The time that ridge bench may take, divided over its points as they go.
//
//   BenchBudget budget(600, points, processes);
//   while (const auto seconds = budget.next(elapsed_s)) { ...; budget.done(wall_s, *seconds); }
//
// What a point costs beside measuring (loading, calibrating) is learnt from the points before it.
// Pure; thread rule: one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace ridge::cli {

/// "90s", "10m", "1h30m" in seconds. Errors (usage class) say the form.
Result<double> parse_duration(const std::string& text);

class BenchBudget {
 public:
  /// `points` are still to be measured, each in `processes`.
  BenchBudget(double total_s, std::int64_t points, std::uint32_t processes)
      : total_s_(total_s), points_(points), processes_(processes) {}

  /// How long each process of the next point may measure; nullopt: the time is spent.
  std::optional<double> next(double elapsed_s) const;
  /// The point took `wall_s`; its processes were given `given_s` each.
  void done(double wall_s, double given_s);

 private:
  double total_s_;
  std::int64_t points_;
  std::uint32_t processes_;
  double overhead_s_ = 0;  ///< of all points so far
  std::int64_t measured_ = 0;
};

}  // namespace ridge::cli
