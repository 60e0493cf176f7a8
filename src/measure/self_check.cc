// SPDX-License-Identifier: Apache-2.0
#include "measure/self_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "stats/samples.h"

namespace ridge::measure {
namespace {

using profile::Profiling;
using stats::Estimate;

constexpr Tolerance kTolerance;

/// True if the whole interval is further than `tolerance` from `expected`.
bool apart(const std::optional<Estimate>& e, double expected, double tolerance) {
  return e && (e->low() > expected + tolerance || e->high() < expected - tolerance);
}

std::string text_with_interval(const Estimate& ns) {
  return fmt::format("{} [{}, {}]", duration(ns.value), duration(ns.low()), duration(ns.high()));
}

std::string predicted_note(const Profiling& p) {
  const char* costs = p.predicted_ratio->value < 1 ? "more" : "less";
  return fmt::format(
      "a profiled run takes {}, and the plain run with the calibrated cost of its events predicts "
      "{} ({} of it): profiling costs {} in this model than in the calibration's chains",
      text_with_interval(p.profiled_latency_ns),
      p.predicted_profiled_ns ? text_with_interval(*p.predicted_profiled_ns) : "?",
      factor_text(*p.predicted_ratio), costs);
}

std::string unscaled_note(const Estimate& e) {
  const std::string size =
      fmt::format("{:+.1f} % [{:+.1f}, {:+.1f}]", 100 * e.value, 100 * e.low(), 100 * e.high());
  if (e.value < 0)
    return fmt::format(
        "the profiler's events leave a part of the run unexplained: unscaled residual {}; they "
        "report too little, or this model spends that time between its layers",
        size);
  return fmt::format(
      "the profiler's events report more than a run takes: unscaled residual {}; they overlap, "
      "report too much, or cost more in this model than in the calibration's chains",
      size);
}

}  // namespace

std::string factor_text(const Estimate& e) {
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", e.value, e.low(), e.high());
}

std::string factor_note(const Estimate& factor) {
  return fmt::format(
      "layer times are scaled by {} to fit the runs without the profiler, which is more than "
      "{:.0f} "
      "% away from 1: profiled runs are not like the others, or the profiler reports wrong times",
      factor_text(factor), 100 * kTolerance.factor);
}

double unscaled_residual(const PairTimes& pair, const EventCost& cost) {
  if (pair.plain_ns <= 0) return 0;
  const double event =
      std::clamp(cost.reported_ns, -std::max(0.0, cost.resolution_ns), std::max(0.0, cost.wall_ns));
  const double outside = std::max(0.0, cost.outside_ns);
  return (pair.reported_ns - pair.events * event + outside) / pair.plain_ns - 1;
}

double predicted_ratio(const PairTimes& pair, const EventCost& cost) {
  if (pair.profiled_ns <= 0) return 1;
  return (pair.plain_ns + pair.events * cost.wall_ns + cost.fixed_ns) / pair.profiled_ns;
}

std::optional<std::string> drift_note(const std::vector<std::vector<PairTimes>>& processes) {
  std::vector<double> first, second;
  for (const auto& pairs : processes)
    for (std::size_t i = 0; i < pairs.size(); ++i)
      if (pairs[i].plain_ns > 0)
        (2 * i < pairs.size() ? first : second).push_back(pairs[i].profiled_ns / pairs[i].plain_ns);
  const auto before = stats::median_interval(first), after = stats::median_interval(second);
  if (!before || !after) return std::nullopt;
  if (after->lo <= before->hi + kDrift && before->lo <= after->hi + kDrift) return std::nullopt;
  return fmt::format(
      "the cost of profiling changes while it measures: a profiled run takes {:.3f} [{:.3f}, "
      "{:.3f}] times the plain run beside it in the first half of each process and {:.3f} [{:.3f}, "
      "{:.3f}] in the second; layers are corrected with what it costs on average",
      stats::median(first), before->lo, before->hi, stats::median(second), after->lo, after->hi);
}

std::vector<std::string> self_check_notes(const profile::Profile& profile) {
  const Profiling& p = profile.profiling;
  std::vector<std::string> out;
  const bool scaled = p.layer_times != profile::kReportedTimes;
  if (scaled && apart(p.factor, 1, kTolerance.factor)) out.push_back(factor_note(*p.factor));
  if (apart(p.unscaled_residual, 0, kTolerance.unscaled))
    out.push_back(unscaled_note(*p.unscaled_residual));
  if (apart(p.predicted_ratio, 1, kTolerance.predicted)) out.push_back(predicted_note(p));
  return out;
}

}  // namespace ridge::measure
