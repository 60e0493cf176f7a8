#include "stats/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/random.h"
#include "stats/series_median.h"

namespace ridge::stats {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr Ratio kNoRatio{kNone, {kNone, kNone}, 0};

double resampled_median(std::span<const double> values, Random& random,
                        std::vector<double>& scratch) {
  scratch.resize(values.size());
  for (double& d : scratch) d = values[random.below(values.size())];
  return median(scratch);
}

}  // namespace

Ratio paired_ratio(std::span<const double> first, std::span<const double> second,
                   double confidence) {
  if (first.empty() || first.size() != second.size()) return kNoRatio;
  std::vector<double> logs(first.size());
  for (std::size_t i = 0; i < logs.size(); ++i) logs[i] = std::log(second[i] / first[i]);
  const Estimate e = series_median(logs, confidence);
  return {std::exp(e.value), {std::exp(e.ci.lo), std::exp(e.ci.hi)}, logs.size()};
}

Ratio ratio_of_medians(std::span<const double> first, std::span<const double> second,
                       const BootstrapOptions& options) {
  if (first.empty() || second.empty()) return kNoRatio;
  const double point = median(second) / median(first);
  Random random(options.seed);
  std::vector<double> scratch;
  std::vector<double> replicates(static_cast<std::size_t>(std::max(options.resamples, 1)));
  for (double& r : replicates) {
    const double denominator = resampled_median(first, random, scratch);
    r = resampled_median(second, random, scratch) / denominator;
  }
  std::sort(replicates.begin(), replicates.end());
  const double tail = (1 - options.confidence) / 2;
  return {point,
          {std::min(quantile_of_sorted(replicates, tail), point),
           std::max(quantile_of_sorted(replicates, 1 - tail), point)},
          std::min(first.size(), second.size())};
}

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFaster:
      return "faster";
    case Verdict::kSlower:
      return "slower";
    case Verdict::kSame:
      return "same";
    case Verdict::kUnclear:
      break;
  }
  return "unclear";
}

Verdict verdict(const Ratio& ratio, double threshold) {
  if (ratio.ci.hi < 1 - threshold) return Verdict::kFaster;
  if (ratio.ci.lo > 1 + threshold) return Verdict::kSlower;
  if (ratio.ci.lo >= 1 - threshold && ratio.ci.hi <= 1 + threshold) return Verdict::kSame;
  return Verdict::kUnclear;
}

}  // namespace ridge::stats
