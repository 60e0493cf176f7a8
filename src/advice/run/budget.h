// SPDX-License-Identifier: Apache-2.0
// Division of the time for advice over its measurements.
//
//   const AdviceBudget budget(spec, true);
//   budget.of_run_s();                       // measuring time of each process of the run
//   if (const auto s = budget.of_check_s(3)) // of each process and side, with three checks to go
//
// Without a total every process has the time that the spec gives to each. Of a total, the run gets
// kRunShare and bricks kBrickShare; the checks divide evenly what is left when they begin.
// Measuring is kMeasuringShare of a check: loading and comparing outputs are the rest. No process
// gets more than without a total. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <optional>

#include "base/clock.h"
#include "session/measure_spec.h"

namespace ridge::advice {

class AdviceBudget {
 public:
  static constexpr double kRunShare = 0.15, kBrickShare = 0.35, kMeasuringShare = 0.5;
  /// A check is not begun with less for each process.
  static constexpr double kMinProcessSeconds = 0.05;

  /// `more`: bricks or checks follow the run.
  AdviceBudget(const session::MeasureSpec& spec, bool more);

  double of_run_s() const { return run_s_; }
  /// 0: no limit.
  double of_bricks_s() const { return kBrickShare * total_s_; }
  /// nullopt: the budget is spent.
  std::optional<double> of_check_s(std::size_t checks_left) const;

 private:
  double processes_ = 1;
  double total_s_ = 0;  // 0: none
  double max_s_ = 0;    // of a process
  double run_s_ = 0;
  Nanos begun_;
};

}  // namespace ridge::advice
