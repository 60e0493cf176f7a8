// SPDX-License-Identifier: Apache-2.0
#include "stats/samples.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace ridge::stats {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double log_choose(std::int64_t n, std::int64_t k) {
  const auto log_factorial = [](std::int64_t m) {
    return std::lgamma(static_cast<double>(m) + 1.0);
  };
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

/// P(B = k) for B binomial with n trials of probability p.
double binomial_mass(std::int64_t k, std::int64_t n, double p) {
  if (p <= 0 || p >= 1) return (p <= 0 ? k == 0 : k == n) ? 1 : 0;
  return std::exp(log_choose(n, k) + static_cast<double>(k) * std::log(p) +
                  static_cast<double>(n - k) * std::log1p(-p));
}

}  // namespace

std::vector<double> as_doubles(std::span<const std::int64_t> values) {
  std::vector<double> out(values.size());
  std::transform(values.begin(), values.end(), out.begin(),
                 [](std::int64_t v) { return static_cast<double>(v); });
  return out;
}

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> out(values.begin(), values.end());
  std::sort(out.begin(), out.end());
  return out;
}

double mean(std::span<const double> values) {
  if (values.empty()) return kNone;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviation(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double center = mean(values);
  double squares = 0;
  for (const double v : values) squares += (v - center) * (v - center);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double median(std::span<const double> values) { return quantile(values, 0.5); }

double quantile(std::span<const double> values, double q) {
  return quantile_of_sorted(sorted(values), q);
}

double quantile_of_sorted(std::span<const double> ascending, double q) {
  assert(q >= 0 && q <= 1);
  if (ascending.empty()) return kNone;
  const double h = q * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(h);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  const double fraction = h - static_cast<double>(below);
  return ascending[below] + fraction * (ascending[above] - ascending[below]);
}

double mad(std::span<const double> values) {
  const double center = median(values);
  std::vector<double> deviations(values.begin(), values.end());
  for (double& d : deviations) d = std::abs(d - center);
  return median(deviations);
}

std::vector<double> limited(std::span<const double> values, double farthest, double least) {
  std::vector<double> out(values.begin(), values.end());
  if (out.empty()) return out;
  const double center = median(values);
  const double limit = farthest * std::max(kMadToSigma * mad(values), least * std::abs(center));
  for (double& value : out) value = std::clamp(value, center - limit, center + limit);
  return out;
}

std::optional<Interval> quantile_interval(std::span<const double> values, double q,
                                          double confidence) {
  const auto n = static_cast<std::int64_t>(values.size());
  const double tail = (1 - confidence) / 2;
  // With B values below the quantile, it lies below the r-th smallest (1-based) when B < r and
  // above it when B >= r. So the lower rank is the largest r with P(B < r) <= tail, the upper one
  // the smallest r with P(B >= r) <= tail.
  std::int64_t lower = 0, upper = n + 1;
  double below = 0;
  for (std::int64_t r = 1; r <= n; ++r) {
    below += binomial_mass(r - 1, n, q);
    if (below <= tail) lower = r;
    if (1 - below <= tail) {
      upper = r;
      break;
    }
  }
  if (lower < 1 || upper > n) return std::nullopt;
  const std::vector<double> ascending = sorted(values);
  return Interval{ascending[static_cast<std::size_t>(lower - 1)],
                  ascending[static_cast<std::size_t>(upper - 1)]};
}

std::optional<Interval> median_interval(std::span<const double> values, double confidence) {
  return quantile_interval(values, 0.5, confidence);
}

}  // namespace ridge::stats
