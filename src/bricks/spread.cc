// SPDX-License-Identifier: Apache-2.0
#include "bricks/spread.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "stats/normal.h"
#include "stats/samples.h"

namespace ridge::bricks {
namespace {

constexpr double kTail = 0.975;

}  // namespace

double mean(const ProcessTimes& times) {
  double sum = 0;
  for (const ProcessTime& t : times) sum += t.ns;
  return times.empty() ? std::numeric_limits<double>::quiet_NaN()
                       : sum / static_cast<double>(times.size());
}

void limit_outliers(ProcessTimes& times) {
  if (times.size() < 6) return;
  std::vector<double> values;
  for (const ProcessTime& t : times) values.push_back(t.ns);
  const std::vector<double> near = stats::limited(values, kFarthest, kMinSpread);
  for (std::size_t i = 0; i < times.size(); ++i) times[i].ns = near[i];
}

stats::Estimate sum_of(std::span<const Term> terms, std::span<const PredictedTerm> predicted) {
  std::unordered_map<std::uint32_t, double> moved;  // u_p
  double sum = 0, weighted = 0, weights = 0;
  bool enough = true;
  for (const Term& term : terms) {
    const double n = static_cast<double>(term.times->size());
    const double center = mean(*term.times);
    sum += term.count * center;
    enough = enough && n >= 2;
    double own = 0;
    for (const ProcessTime& t : *term.times) {
      const double u = term.count * (t.ns - center) / n;
      moved[t.process] += u;
      own += u * u;
    }
    weighted += own * n;
    weights += own;
  }
  double variance = 0;
  for (const auto& [process, u] : moved) variance += u * u;
  // Without any variation the degrees of freedom do not matter.
  const double n = weights > 0 ? weighted / weights : 2;
  double half = 0;
  if (!terms.empty() && enough)
    half = stats::student_quantile(kTail, std::max(1.0, n - 1)) *
           std::sqrt(variance * n / std::max(1.0, n - 1));
  for (const PredictedTerm& p : predicted) {
    sum += p.ns;
    half = std::hypot(half, p.half_width_ns);
  }
  if (!enough) return {sum};
  return {sum, stats::Interval{std::max(0.0, sum - half), sum + half}};
}

stats::Estimate with_cuts(const stats::Estimate& sum, std::span<const Term> terms) {
  if (!sum.interval) return sum;
  double variance = std::pow(kCutSpread * sum.value, 2);
  for (const Term& term : terms) variance += std::pow(term.count * term.state_ns, 2);
  const double half =
      std::hypot(sum.high() - sum.value, stats::normal_quantile(kTail) * std::sqrt(variance));
  return {sum.value, stats::Interval{std::max(0.0, sum.value - half), sum.value + half}};
}

double relative_half_width(const stats::Estimate& sum) {
  const double half = std::max(sum.high() - sum.value, sum.value - sum.low()) / sum.value;
  return std::isfinite(half) ? half : std::numeric_limits<double>::infinity();
}

}  // namespace ridge::bricks
