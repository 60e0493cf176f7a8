// SPDX-License-Identifier: Apache-2.0
// Errors of estimates against measured models, and the time that both took.
//
//   error       = estimate / measured - 1
//   MAPE        = mean of |error|;  p95 = the |error| at rank floor(0.95 n) of n, from 0
//   bias        = mean of error
//   saved       = time to measure the models / time to plan, load and run their bricks, until both
//                 have intervals of the same width
//   saved at equal runs = time of one run of every model / time of one run of every brick
//
// A model whose measurement or estimate stays too wide is named; its time does not count as saved,
// while the time of its bricks counts in full. With bricks that were measured before, or without a
// model that counts, there is no saving.
// Thread rule: plain data, pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace ridge::bricks {

struct CheckedModel {
  std::string name;
  stats::Estimate measured, estimate;
  std::size_t processes = 0;  ///< in which the model was measured
  double seconds = 0;         ///< loading and running it in all of them
  bool narrow = true;         ///< its measured interval reached the width
  /// Half of what the measurement adds to the interval, relative: of the model, and of its estimate
  /// (ModelProgress::half_width). NaN if unknown.
  double measured_width = 0, estimate_width = 0;
  bool estimate_narrow = true;  ///< the estimate reached the width
  /// True if both sides were measured to the width, so that their costs can be compared.
  bool comparable() const { return narrow && estimate_narrow; }
  double error() const { return estimate.value / measured.value - 1; }
  /// True if the two 95 % intervals have a point in common.
  bool intervals_meet() const {
    return estimate.low() <= measured.high() && measured.low() <= estimate.high();
  }
};

struct CheckTimes {
  double plan_s = 0, load_s = 0, run_s = 0;  ///< time for the bricks
  double bricks_round_s = 0;                 ///< one run of every brick, donors included
  double models_round_s = 0;                 ///< one run of every model
};

struct Check {
  std::string ridge, runtime, runtime_version, host;
  std::uint32_t threads = 1;
  double width = 0.03;
  std::vector<CheckedModel> models;
  CheckTimes times;
  std::vector<std::string> without_estimate;  ///< models that could not be compared
  bool measured_before = false;               ///< the store had times of bricks
};

struct CheckSummary {
  double mape = 0, p95 = 0, worst = 0, bias = 0;
  std::size_t intervals_met = 0;
  double models_s = 0;      ///< measuring the models that count
  std::size_t counted = 0;  ///< models of which both sides reached the width
  /// Widest of those: CheckedModel::measured_width and estimate_width. NaN without any.
  double models_width = 0, estimates_width = 0;
  double saved = 0, saved_equal_runs = 0;
};

/// NaN for figures of no models.
CheckSummary summary_of(const Check& check);

}  // namespace ridge::bricks
