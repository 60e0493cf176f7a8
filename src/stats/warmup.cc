// SPDX-License-Identifier: Apache-2.0
#include "stats/warmup.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/samples.h"

namespace ridge::stats {
namespace {

constexpr std::size_t kMin = 4;
constexpr std::size_t kMinSegment = 2;
// Distance, in robust standard deviations, beyond which a single sample is an outlier (the usual 3
// of Hampel's filter clips too much of a right-skewed timing series).
constexpr double kOutlierSigmas = 5;

/// Squared error of any range around its mean, in O(1) by prefix sums.
class RangeCost {
 public:
  explicit RangeCost(std::span<const double> x) : sum_(x.size() + 1), squares_(x.size() + 1) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum_[i + 1] = sum_[i] + x[i];
      squares_[i + 1] = squares_[i] + x[i] * x[i];
    }
  }
  double operator()(std::size_t first, std::size_t last) const {
    const double s = sum_[last] - sum_[first];
    return squares_[last] - squares_[first] - s * s / static_cast<double>(last - first);
  }

 private:
  std::vector<double> sum_, squares_;
};

/// Estimates the standard deviation from the differences of neighbors, of which a shift of level
/// affects only one.
double noise_sigma(std::span<const double> x) {
  std::vector<double> steps(x.size() - 1);
  for (std::size_t i = 0; i + 1 < x.size(); ++i) steps[i] = std::abs(x[i + 1] - x[i]);
  return kMadToSigma * median(steps) / std::sqrt(2.0);
}

/// Clamps every sample to the median of its neighborhood -+ kOutlierSigmas: a preemption must not
/// look like a segment.
std::vector<double> without_outliers(std::span<const double> x, double sigma) {
  constexpr std::size_t kReach = 5;
  std::vector<double> out(x.begin(), x.end());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t first = i < kReach ? 0 : i - kReach;
    const std::size_t last = std::min(x.size(), i + kReach + 1);
    const double center = median(x.subspan(first, last - first));
    out[i] = std::clamp(x[i], center - kOutlierSigmas * sigma, center + kOutlierSigmas * sigma);
  }
  return out;
}

/// Number of consecutive leading samples outside the fence around the median of `steady`.
std::size_t leading_outliers(std::span<const double> x, std::span<const double> steady,
                             double tolerance) {
  const double center = median(steady);
  const double fence = std::max(kOutlierSigmas * kMadToSigma * mad(steady), tolerance * center);
  std::size_t n = 0;
  while (n < x.size() && std::abs(x[n] - center) > fence) ++n;
  return n;
}

}  // namespace

std::string_view name(SteadyState verdict) {
  switch (verdict) {
    case SteadyState::kFlat:
      return "flat";
    case SteadyState::kWarmup:
      return "warm-up";
    case SteadyState::kSlowdown:
      return "slowdown";
    case SteadyState::kNone:
      break;
  }
  return "no steady state";
}

// Example: series 1, 1, 3, 3 with penalty 0.5. best[2] = -0.5 + 0 + 0.5 = 0. For end = 4, one
// segment from 0 costs -0.5 + 4 + 0.5 = 4 (squared error 4 around the mean 2), a second segment
// from 2 costs best[2] + 0 + 0.5 = 0.5, the minimum. Result: {2}.
std::vector<std::size_t> change_points(std::span<const double> series, double penalty) {
  const std::size_t n = series.size();
  if (n < 2 * kMinSegment) return {};
  // Subtracts the median first, so that the running sums of squares do not lose precision.
  std::vector<double> x(series.begin(), series.end());
  const double center = median(series);
  for (double& v : x) v -= center;
  const RangeCost cost(x);

  std::vector<double> best(n + 1, std::numeric_limits<double>::infinity());
  std::vector<std::size_t> from(n + 1, 0);
  best[0] = -penalty;
  for (std::size_t end = kMinSegment; end <= n; ++end) {
    for (std::size_t start = 0; start + kMinSegment <= end; ++start) {
      const double total = best[start] + cost(start, end) + penalty;
      if (total < best[end]) {
        best[end] = total;
        from[end] = start;
      }
    }
  }

  std::vector<std::size_t> changes;
  for (std::size_t at = from[n]; at > 0; at = from[at]) changes.push_back(at);
  std::reverse(changes.begin(), changes.end());
  return changes;
}

Warmup detect_warmup(std::span<const double> series, const WarmupOptions& options) {
  const std::size_t n = series.size();
  if (n < kMin) return {};
  // A series without noise still needs a scale: at least 5 % of the tolerance around its median.
  const double scale = 0.5 * options.tolerance * std::abs(median(series));
  const double sigma = std::max(noise_sigma(series), 0.1 * scale);
  const std::vector<double> clean = without_outliers(series, sigma);
  const double penalty = options.penalty * sigma * sigma * std::log(static_cast<double>(n));

  std::vector<std::size_t> bounds = change_points(clean, penalty);
  bounds.insert(bounds.begin(), 0);
  const auto level = [&](std::size_t segment) {
    const std::size_t last = segment + 1 < bounds.size() ? bounds[segment + 1] : n;
    return median(std::span(clean).subspan(bounds[segment], last - bounds[segment]));
  };
  const double steady_level = level(bounds.size() - 1);
  const auto alike = [&](double a) {
    return std::abs(a - steady_level) <=
           std::max(options.tolerance * std::abs(steady_level), sigma);
  };
  std::size_t first_steady = bounds.size() - 1;
  while (first_steady > 0 && alike(level(first_steady - 1))) --first_steady;

  std::size_t drop = bounds[first_steady];
  const double needed = options.steady_share * static_cast<double>(n);
  if (static_cast<double>(n - drop) < std::max(needed, 2.0)) return {};
  if (drop == 0) drop = leading_outliers(series, series, options.tolerance);
  if (static_cast<double>(n - drop) < std::max(needed, 2.0)) return {};
  if (drop == 0) return {SteadyState::kFlat, 0};
  const bool slower = mean(series.first(drop)) > median(series.subspan(drop));
  return {slower ? SteadyState::kWarmup : SteadyState::kSlowdown, drop};
}

}  // namespace ridge::stats
