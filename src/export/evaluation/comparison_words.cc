// SPDX-License-Identifier: Apache-2.0
#include "export/evaluation/comparison_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/percent.h"

namespace ridge::exports {
namespace {

constexpr double kMinP = 1e-4;

}  // namespace

std::string share_text(const accuracy::Figure& share) {
  std::string out = percent(share.value);
  if (share.interval)
    out += fmt::format(" ({:.1f} to {:.1f})", 100 * share.interval->lo, 100 * share.interval->hi);
  return out;
}

std::string points_text(const accuracy::Figure& difference) {
  std::string out = fmt::format("{:+.1f} pp", 100 * difference.value);
  if (difference.interval)
    out += fmt::format(" ({:+.1f} to {:+.1f})", 100 * difference.interval->lo,
                       100 * difference.interval->hi);
  return out;
}

std::string change_text(const std::optional<compare::Ratio>& ratio) {
  if (!ratio) return "";
  std::string out = signed_percent(ratio->ratio.value - 1);
  if (ratio->ratio.interval)
    out += fmt::format(" ({:+.1f} to {:+.1f})", 100 * (ratio->ratio.low() - 1),
                       100 * (ratio->ratio.high() - 1));
  return out;
}

std::string accuracy_verdict(const compare::EvaluationDifference& difference) {
  if (!difference.accuracy) return "";
  if (!difference.accuracy->significant) return "no difference shown";
  return difference.accuracy->difference.value < 0 ? "significantly lower" : "significantly higher";
}

std::optional<compare::Ratio> median_latency(const compare::EvaluationDifference& difference) {
  constexpr double kMedian = 50;
  const auto found =
      std::ranges::find(difference.latency, kMedian, &compare::LatencyRatio::percentile);
  if (found == difference.latency.end()) return std::nullopt;
  return found->ratio;
}

std::optional<accuracy::Figure> accuracy_of(const compare::EvaluationRun& run) {
  if (run.correct.empty()) return std::nullopt;
  return accuracy::proportion(std::ranges::count(run.correct, std::uint8_t{1}),
                              std::ssize(run.correct));
}

std::string p_value_text(double p) {
  return p < kMinP ? fmt::format("< {}", kMinP) : fmt::format("{:.2g}", p);
}

FilledFigures filled_figures(const compare::EvaluationComparison& c) {
  FilledFigures out;
  for (const compare::EvaluationDifference& d : c.differences) {
    out.judged |= d.accuracy.has_value();
    out.prepare |= d.prepare.has_value();
    out.latency |= median_latency(d).has_value();
    out.rate |= d.completed.has_value();
  }
  for (const compare::EvaluationRun& run : c.runs) out.accuracy |= accuracy_of(run).has_value();
  return out;
}

}  // namespace ridge::exports
