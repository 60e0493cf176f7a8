// SPDX-License-Identifier: Apache-2.0
#include "advice/run/budget.h"

#include <algorithm>

namespace ridge::advice {

AdviceBudget::AdviceBudget(const session::MeasureSpec& spec, bool more)
    : processes_(spec.processes), begun_(steady_clock().now()) {
  if (spec.budget.of_each_process) {
    max_s_ = run_s_ = spec.budget.seconds;
    return;
  }
  total_s_ = spec.budget.seconds;
  max_s_ = session::TimeBudget{}.seconds;
  run_s_ = more ? std::min(max_s_, kRunShare * total_s_ / processes_) : total_s_ / processes_;
}

std::optional<double> AdviceBudget::of_check_s(std::size_t checks_left) const {
  if (total_s_ <= 0) return max_s_;
  const double spent_s = static_cast<double>((steady_clock().now() - begun_).count) * 1e-9;
  const double checks = static_cast<double>(std::max<std::size_t>(checks_left, 1));
  const double share = kMeasuringShare * (total_s_ - spent_s) / (2 * processes_ * checks);
  if (share < kMinProcessSeconds) return std::nullopt;
  return std::min(share, max_s_);
}

}  // namespace ridge::advice
