// SPDX-License-Identifier: Apache-2.0
#include "accuracy/paired.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "accuracy/fault.h"
#include "stats/normal.h"

namespace ridge::accuracy {
namespace {

constexpr const char* kPairedDifference = "comparison of evaluations";

/// Probability of at most `most` of `trials` tosses of a fair coin, most < trials / 2.
double coin_tail(std::int64_t most, std::int64_t trials) {
  const auto n = static_cast<double>(trials), k = static_cast<double>(most);
  const double last =
      std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) - n * std::log(2));
  // From the largest term down; the others are ratios to it.
  double sum = 0, term = 1;
  for (std::int64_t i = most; i >= 0 && term > 1e-20; --i) {
    sum += term;
    term *= static_cast<double>(i) / static_cast<double>(trials - i + 1);
  }
  return last * sum;
}

/// Tango's score statistic of the difference `delta`: the distance of the observed difference
/// in standard errors, these with the most likely share of `only_first` under `delta`.
double tango_score(const PairedCounts& counts, double delta) {
  const auto n = static_cast<double>(counts.samples());
  const auto b = static_cast<double>(counts.only_second),
             c = static_cast<double>(counts.only_first);
  // The root of a quadratic that the derivative of the likelihood leads to.
  const double linear = -b - c + (2 * n - b + c) * delta;
  const double constant = -c * delta * (1 - delta);
  const double root = std::sqrt(std::max(linear * linear - 8 * n * constant, 0.0));
  const double share = std::max((root - linear) / (4 * n), 0.0);
  const double variance = n * (2 * share + delta * (1 - delta));
  const double distance = b - c - n * delta;
  if (variance > 0) return distance / std::sqrt(variance);
  if (distance == 0) return 0;
  return std::copysign(std::numeric_limits<double>::infinity(), distance);
}

/// The difference in [low, high] at which the falling score passes `score`.
double where(const PairedCounts& counts, double score, double low, double high) {
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (tango_score(counts, middle) > score ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

double mcnemar_exact(std::int64_t only_first, std::int64_t only_second) {
  if (only_first == only_second) return 1;
  return std::min(2 * coin_tail(std::min(only_first, only_second), only_first + only_second), 1.0);
}

std::optional<stats::Interval> tango_interval(const PairedCounts& counts, double confidence) {
  const std::int64_t n = counts.samples();
  if (n == 0) return std::nullopt;
  const double z = stats::normal_quantile(1 - (1 - confidence) / 2);
  const double observed =
      static_cast<double>(counts.only_second - counts.only_first) / static_cast<double>(n);
  return stats::Interval{counts.only_first == n ? -1 : where(counts, z, -1, observed),
                         counts.only_second == n ? 1 : where(counts, -z, observed, 1)};
}

Result<PairedShares> compare_shares(std::span<const std::uint8_t> first,
                                    std::span<const std::uint8_t> second, double confidence) {
  if (first.size() != second.size())
    return sizes_differ(kPairedDifference, first.size(), "samples in the first", second.size(),
                        "in the second");
  PairedShares shares;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const bool before = first[i] != 0, after = second[i] != 0;
    PairedCounts& counts = shares.counts;
    ++(before ? (after ? counts.both : counts.only_first)
              : (after ? counts.only_second : counts.neither));
    if (before && !after) shares.lost.push_back(i);
    if (after && !before) shares.gained.push_back(i);
  }
  const PairedCounts& counts = shares.counts;
  const auto samples = static_cast<std::int64_t>(first.size());
  if (samples > 0)
    shares.difference = {
        static_cast<double>(counts.only_second - counts.only_first) / static_cast<double>(samples),
        tango_interval(counts, confidence), samples};
  shares.p_value = mcnemar_exact(counts.only_first, counts.only_second);
  return shares;
}

}  // namespace ridge::accuracy
