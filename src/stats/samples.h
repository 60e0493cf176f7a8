// SPDX-License-Identifier: Apache-2.0
// Summary statistics of a sample: median, quantiles, spread, and intervals that assume only
// independence.
//
//   const double m = stats::median(times);
//   if (auto ci = stats::median_interval(times)) fmt::print("{} [{}, {}]\n", m, ci->lo, ci->hi);
//
// Units: as the samples, without scaling. Ownership: inputs are read, and copied if they must be
// sorted. Errors: an empty sample gives NaN (null in JSON); an interval for which the sample is too
// small is nullopt. Samples must be finite. Thread rule: pure functions. Cost: O(n log n).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ridge::stats {

/// A closed range, lo <= hi.
struct Interval {
  double lo = 0;
  double hi = 0;

  bool contains(double x) const { return lo <= x && x <= hi; }
  bool operator==(const Interval&) const = default;
};

/// Converts integer nanoseconds to double; exact below 2^53 ns (104 days).
std::vector<double> as_doubles(std::span<const std::int64_t> values);

std::vector<double> sorted(std::span<const double> values);

double mean(std::span<const double> values);

/// Standard deviation of a sample (n - 1); 0 for fewer than two values.
double deviation(std::span<const double> values);

/// The middle value, or the mean of the two middle ones.
double median(std::span<const double> values);

/// Linear interpolation between order statistics at h = (n-1)q, 0 <= q <= 1: Hyndman and Fan
/// (1996), type 7.
double quantile(std::span<const double> values, double q);
/// Variant of quantile() for values in ascending order; O(1).
double quantile_of_sorted(std::span<const double> ascending, double q);

/// Median absolute deviation from the median, unscaled. Multiplied by 1.4826 it estimates the
/// standard deviation of a normal sample.
double mad(std::span<const double> values);
inline constexpr double kMadToSigma = 1.482602218505602;

/// The values, those farther than `farthest` robust standard deviations (kMadToSigma * mad, at
/// least `least` of the median) from the median moved to that distance. The mean of the result is
/// the first step of Huber's estimate of location (1964, Annals of Mathematical Statistics 35:73):
/// few outliers move it little, and unlike a median it adds up: the mean of a sum is the sum of
/// means.
std::vector<double> limited(std::span<const double> values, double farthest, double least);

/// Interval between two order statistics that covers the q-quantile of the population with at least
/// `confidence`, whatever its distribution (David and Nagaraja, Order Statistics, 3rd ed., section
/// 7.1): each tail has a probability of at most (1 - confidence) / 2. nullopt if the sample is too
/// small: below 6 values for the median at 95 %, below 368 for the 99th percentile.
std::optional<Interval> quantile_interval(std::span<const double> values, double q,
                                          double confidence = 0.95);
std::optional<Interval> median_interval(std::span<const double> values, double confidence = 0.95);

}  // namespace ridge::stats
