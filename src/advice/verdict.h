// Verdict on a finding that was applied: the change of the latency in turns against the predicted
// one.
//
//   Check check = verdict(change, predicted, quiet);
//
//   not judged      too few pairs for an interval, or other programs used the processors
//   no difference   the interval of the gain includes 0
//   held            a gain, and within kAllowed of the predicted one, if there was one
//   missed          a loss, or a gain far from the predicted one
//
// Thread rule: pure.
#pragma once

#include <optional>
#include <string>

#include "advice/advice.h"
#include "stats/change.h"

namespace ridge::advice {

/// Difference between predicted and achieved gain that is allowed: the greater of these shares of
/// the achieved gain and of the latency.
inline constexpr double kAllowedOfGain = 0.10, kAllowedOfLatency = 0.02;

/// True if a predicted gain is as near to the achieved one as allowed.
bool is_within(double predicted_ns, double achieved_ns, double latency_ns);

/// `busy`: why the machine was not fit to judge; "" if it was.
Check verdict(const stats::Change& change, const profile::Estimate& before,
              const profile::Estimate& after, const std::optional<profile::Estimate>& predicted,
              const std::string& busy);

}  // namespace ridge::advice
