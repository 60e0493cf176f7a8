// SPDX-License-Identifier: Apache-2.0
#include "advice/record/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace ridge::advice {

double tolerance(double predicted_ns, double latency_ns) {
  return std::max(kAllowedOfGain * std::abs(predicted_ns), kAllowedOfLatency * latency_ns);
}

bool is_within(double predicted_ns, double achieved_ns, double latency_ns) {
  return std::abs(predicted_ns - achieved_ns) <= tolerance(achieved_ns, latency_ns);
}

bool is_predictable(const stats::Estimate& predicted, double latency_ns) {
  const double half = (predicted.high() - predicted.low()) / 2;
  return std::isnan(half) || half <= tolerance(predicted.value, latency_ns);
}

std::string unpredictable_text(const stats::Estimate& predicted, double latency_ns) {
  return fmt::format(
      "cannot be predicted in this budget: {} to {} is more than {} to both sides of {}",
      duration(predicted.low()), duration(predicted.high()),
      duration(tolerance(predicted.value, latency_ns)), duration(predicted.value));
}

namespace {

Prediction fared(const std::optional<stats::Estimate>& predicted, double gain_ns,
                 double latency_ns) {
  if (!predicted || std::isnan(predicted->value)) return Prediction::kNone;
  if (!is_predictable(*predicted, latency_ns)) return Prediction::kUnpredictable;
  return is_within(predicted->value, gain_ns, latency_ns) ? Prediction::kWithin
                                                          : Prediction::kMissed;
}

}  // namespace

Check verdict(const stats::Change& change, const stats::Estimate& before,
              const stats::Estimate& after, const std::optional<stats::Estimate>& predicted,
              const std::string& busy) {
  Check out;
  out.before_ns = before;
  out.after_ns = after;
  const std::optional<stats::Interval> interval = change.difference_interval(0.95);
  if (!interval) {
    out.reason = "too few runs side by side for an interval";
    return out;
  }
  out.gain_ns = {-change.difference(), stats::Interval{-interval->hi, -interval->lo}};
  if (!busy.empty()) {
    out.reason = busy;
    return out;
  }
  if (out.gain_ns.low() > 0)
    out.state = CheckState::kGained;
  else
    out.state = out.gain_ns.high() < 0 ? CheckState::kLost : CheckState::kNoDifference;
  out.prediction = fared(predicted, out.gain_ns.value, before.value);
  return out;
}

}  // namespace ridge::advice
