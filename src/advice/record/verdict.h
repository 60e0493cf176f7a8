// SPDX-License-Identifier: Apache-2.0
// Verdict on a finding that was applied: what the repair did, by the change of the latency in
// turns, and how the predicted gain fared, each by itself: a repair may gain more than was
// predicted.
//
//   Check check = verdict(change, before, after, predicted, busy);
//
//   not judged      too few pairs for an interval, or other programs used the processors
//   gained, lost    the interval of the gain lies above 0, below it
//   no difference   it includes 0
//
//   unpredictable   the interval of the predicted gain is wider than what is allowed
//   within, missed  the measured gain is as near to the predicted one as allowed, or is not
//
// Example: 5.89 ms before, 2.08 ms after and 3.2 ms predicted have gained, and the prediction
// missed.
//
// Thread rule: pure.
#pragma once

#include <optional>
#include <string>

#include "advice/record/advice.h"
#include "stats/change.h"

namespace ridge::advice {

/// Difference between predicted and achieved gain that is allowed: the greater of these shares of
/// the achieved gain and of the latency.
inline constexpr double kAllowedOfGain = 0.10, kAllowedOfLatency = 0.02;

/// True if a predicted gain is as near to the achieved one as allowed.
bool is_within(double predicted_ns, double achieved_ns, double latency_ns);

/// Half of the width that a prediction's interval may have: the difference that is_within() allows
/// if the predicted gain is achieved.
double tolerance(double predicted_ns, double latency_ns);

/// False if a gain cannot be predicted in this budget: half of its interval exceeds tolerance(). An
/// estimate without an interval counts as predictable.
bool is_predictable(const stats::Estimate& predicted, double latency_ns);

/// "cannot be predicted in this budget: ...", for people.
std::string unpredictable_text(const stats::Estimate& predicted, double latency_ns);

/// `busy`: why the machine was not fit to judge; "" if it was.
Check verdict(const stats::Change& change, const stats::Estimate& before,
              const stats::Estimate& after, const std::optional<stats::Estimate>& predicted,
              const std::string& busy);

}  // namespace ridge::advice
