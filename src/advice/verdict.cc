#include "advice/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace ridge::advice {

bool is_within(double predicted_ns, double achieved_ns, double latency_ns) {
  return std::abs(predicted_ns - achieved_ns) <=
         std::max(kAllowedOfGain * std::abs(achieved_ns), kAllowedOfLatency * latency_ns);
}

Check verdict(const stats::Change& change, const profile::Estimate& before,
              const profile::Estimate& after, const std::optional<profile::Estimate>& predicted,
              const std::string& busy) {
  Check out;
  out.before_ns = before;
  out.after_ns = after;
  const std::optional<stats::Interval> interval = change.difference_interval(0.95);
  if (!interval) {
    out.reason = "too few runs side by side for an interval";
    return out;
  }
  out.gain_ns = {-change.difference(), -interval->hi, -interval->lo};
  const double gain = out.gain_ns.median;
  if (!busy.empty()) {
    out.reason = busy;
  } else if (out.gain_ns.low <= 0 && out.gain_ns.high >= 0) {
    out.state = CheckState::kNoDifference;
  } else if (gain < 0) {
    out.state = CheckState::kMissed;
    out.reason = "it is slower";
  } else if (predicted && !is_within(predicted->median, gain, before.median)) {
    out.state = CheckState::kMissed;
    out.reason = fmt::format("{:.3g} ms were predicted", predicted->median * 1e-6);
  } else {
    out.state = CheckState::kHeld;
  }
  return out;
}

}  // namespace ridge::advice
