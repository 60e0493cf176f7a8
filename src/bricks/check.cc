// SPDX-License-Identifier: Apache-2.0
#include "bricks/check.h"

#include <algorithm>
#include <cmath>

#include "stats/samples.h"

namespace ridge::bricks {

CheckSummary summary_of(const Check& check) {
  std::vector<double> errors, sizes;
  CheckSummary out;
  for (const CheckedModel& m : check.models) {
    errors.push_back(m.error());
    sizes.push_back(std::abs(m.error()));
    out.intervals_met += m.intervals_meet() ? 1 : 0;
    if (!m.comparable()) continue;
    out.models_s += m.seconds;
    ++out.counted;
    out.models_width = std::max(out.models_width, m.measured_width);
    out.estimates_width = std::max(out.estimates_width, m.estimate_width);
  }
  std::ranges::sort(sizes);
  out.mape = stats::mean(sizes);
  out.bias = stats::mean(errors);
  out.p95 = out.worst = std::nan("");
  if (!sizes.empty()) {
    const auto rank = static_cast<std::size_t>(0.95 * static_cast<double>(sizes.size()));
    out.p95 = sizes[std::min(rank, sizes.size() - 1)];
    out.worst = sizes.back();
  }
  const CheckTimes& t = check.times;
  if (out.counted == 0) out.models_width = out.estimates_width = std::nan("");
  out.saved = check.measured_before || out.counted == 0
                  ? std::nan("")
                  : out.models_s / (t.plan_s + t.load_s + t.run_s);
  out.saved_equal_runs = t.models_round_s / t.bricks_round_s;
  return out;
}

}  // namespace ridge::bricks
