// SPDX-License-Identifier: Apache-2.0
#include "stats/outliers.h"

#include <algorithm>
#include <cmath>

#include "stats/normal.h"

namespace ridge::stats {
namespace {

struct Moments {
  double mean = 0, deviation = 0;
};

Moments moments_of(std::span<const double> values, const std::vector<std::size_t>& kept) {
  Moments out;
  const auto n = static_cast<double>(kept.size());
  for (const std::size_t i : kept) out.mean += values[i];
  out.mean /= n;
  double squares = 0;
  for (const std::size_t i : kept) squares += (values[i] - out.mean) * (values[i] - out.mean);
  if (kept.size() > 1) out.deviation = std::sqrt(squares / (n - 1));
  return out;
}

/// Critical value of a step that looks at `left` values.
double critical(std::size_t left, double significance) {
  const auto n = static_cast<double>(left);
  const double t = student_quantile(1 - significance / (2 * n), n - 2);
  return (n - 1) * t / std::sqrt((n - 2 + t * t) * n);
}

}  // namespace

Outliers outliers(std::span<const double> values, const OutlierRule& rule) {
  std::vector<std::size_t> kept, removed;
  for (std::size_t i = 0; i < values.size(); ++i) kept.push_back(i);
  std::size_t outside = 0;
  while (kept.size() > 3 && removed.size() < rule.most) {
    const Moments m = moments_of(values, kept);
    const auto distance = [&](std::size_t i) { return std::abs(values[i] - m.mean); };
    const auto far = std::ranges::max_element(kept, {}, distance);
    if (distance(*far) > critical(kept.size(), rule.significance) * m.deviation)
      outside = removed.size() + 1;
    removed.push_back(*far);
    kept.erase(far);
  }
  kept.insert(kept.end(), removed.begin() + static_cast<std::ptrdiff_t>(outside), removed.end());
  removed.resize(outside);
  const Moments m = moments_of(values, kept);
  return {std::move(removed), m.mean, m.deviation, kept.size()};
}

double prediction_reach(const Outliers& sample, double significance) {
  const auto n = static_cast<double>(sample.kept);
  return student_quantile(1 - significance, n - 1) * sample.spread * std::sqrt(1 + 1 / n);
}

}  // namespace ridge::stats
