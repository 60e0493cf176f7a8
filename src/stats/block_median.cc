// SPDX-License-Identifier: Apache-2.0
#include "stats/block_median.h"

#include <algorithm>
#include <cmath>

#include "stats/normal.h"

namespace ridge::stats {
namespace {

constexpr std::size_t kMinBatches = 16;

/// Maps values above the median to 1, below to 0, equal to a half.
std::vector<double> sides(std::span<const double> series, double middle) {
  std::vector<double> out(series.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = series[i] > middle ? 1 : series[i] < middle ? 0 : 0.5;
  return out;
}

/// Standard error of the mean of independent values.
double error_of_mean(std::span<const double> values) {
  return deviation(values) / std::sqrt(static_cast<double>(values.size()));
}

/// Returns the means of adjacent pairs; an odd last value is dropped.
std::vector<double> halved(std::span<const double> shares) {
  std::vector<double> out(shares.size() / 2);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = (shares[2 * i] + shares[2 * i + 1]) / 2;
  return out;
}

/// Returns P(B < r) for r = 0 ... n/2, B binomial with n trials of probability a half.
std::vector<double> binomial_tails(std::size_t n) {
  std::vector<double> out;
  const auto trials = static_cast<double>(n);
  double log_mass = -trials * std::log(2.0), below = 0;
  for (std::size_t r = 0; r <= n / 2; ++r) {
    out.push_back(below);
    below += std::exp(log_mass);
    const auto k = static_cast<double>(r);
    log_mass += std::log((trials - k) / (k + 1));
  }
  return out;
}

/// Interval of the mean of the population from which the medians are drawn.
std::optional<Interval> between(std::span<const double> medians, double tail) {
  if (medians.size() < 2) return std::nullopt;
  const auto freedom = static_cast<double>(medians.size() - 1);
  const double middle = mean(medians);
  const double reach = student_quantile(1 - tail, freedom) * error_of_mean(medians);
  return Interval{middle - reach, middle + reach};
}

std::vector<double> medians_of(std::span<const std::vector<double>> blocks) {
  std::vector<double> out;
  for (const std::vector<double>& block : blocks)
    if (!block.empty()) out.push_back(median(block));
  return out;
}

Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

}  // namespace

std::optional<Interval> between_blocks(std::span<const std::vector<double>> blocks,
                                       double confidence) {
  return between(medians_of(blocks), (1 - confidence) / 2);
}

BlockMedian::BlockMedian(std::span<const std::vector<double>> blocks)
    : medians_(medians_of(blocks)) {
  std::vector<double> series;
  for (const std::vector<double>& block : blocks)
    series.insert(series.end(), block.begin(), block.end());
  ascending_ = sorted(series);
  value_ = quantile_of_sorted(ascending_, 0.5);
  tails_ = binomial_tails(series.size());
  for (std::vector<double> shares = sides(series, value_); shares.size() >= kMinBatches;
       shares = halved(shares))
    shares_.push_back({error_of_mean(shares), static_cast<double>(shares.size() - 1)});
}

// Example: 10 values, confidence 95 %, so tail = 0.025. P(B < r) for r = 0, 1, 2, 3 is 0, 1/1024,
// 11/1024 = 0.011, 56/1024 = 0.055; the first above 0.025 has index 3, so `rank` is 3 and the
// interval reaches from the 2nd smallest (ascending_[1]) to the 2nd largest value (ascending_[8]).
std::optional<Interval> BlockMedian::between_ranks(double tail) const {
  // One more than the largest r (1-based rank of the lower end) with P(B < r) <= tail.
  const auto rank = static_cast<std::size_t>(std::upper_bound(tails_.begin(), tails_.end(), tail) -
                                             tails_.begin());
  if (rank < 2) return std::nullopt;
  return Interval{ascending_[rank - 2], ascending_[ascending_.size() - (rank - 1)]};
}

std::optional<Interval> BlockMedian::interval(double confidence) const {
  const double tail = (1 - confidence) / 2;
  std::optional<Interval> out = between_ranks(tail);
  if (!out) return std::nullopt;
  double h = 0;
  for (const Error& e : shares_) h = std::max(h, student_quantile(1 - tail, e.freedom) * e.size);
  if (h >= 0.5) return std::nullopt;
  if (h > 0)
    out = hull(*out,
               {quantile_of_sorted(ascending_, 0.5 - h), quantile_of_sorted(ascending_, 0.5 + h)});
  const std::optional<Interval> apart = between(medians_, tail);
  return apart ? hull(*out, *apart) : out;
}

}  // namespace ridge::stats
