// SPDX-License-Identifier: Apache-2.0
#include "scenario/clusters.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/normal.h"

namespace ridge::scenario {
namespace {

/// From so many clusters on the count is taken to be normal.
constexpr double kManyClusters = 500;

/// Probabilities of 0, 1, 2, ... late queries, by Evans' recursion (Biometrika 40:186, 1953).
class Probabilities {
 public:
  Probabilities(double mean, double index) : clusters_(mean * index), index_(index) {}

  long double next() {
    const long double rest = 1 - index_;
    const long double k = static_cast<long double>(count_++);
    long double out = 0;
    if (k == 0)
      out = std::exp(-static_cast<long double>(clusters_));
    else
      out =
          ((2 * rest * (k - 1) + clusters_ * index_) * last_ - rest * rest * (k - 2) * before_) / k;
    before_ = last_;
    return last_ = std::max<long double>(out, 0);
  }

 private:
  double clusters_, index_;
  long double last_ = 0, before_ = 0;
  std::int64_t count_ = 0;
};

}  // namespace

double extremal_index(std::span<const std::int64_t> in_order, std::int64_t bound) {
  std::vector<double> distances;
  std::size_t last = 0;
  bool any = false;
  for (std::size_t i = 0; i < in_order.size(); ++i) {
    if (in_order[i] <= bound) continue;
    if (any) distances.push_back(static_cast<double>(i - last));
    last = i;
    any = true;
  }
  if (distances.size() < 2) return 1;
  const bool close = *std::ranges::max_element(distances) <= 2;
  double sum = 0, products = 0;
  for (const double t : distances) {
    sum += close ? t : t - 1;
    products += close ? t * t : (t - 1) * (t - 2);
  }
  if (!(products > 0)) return 1;
  return std::min(1.0, 2 * sum * sum / (static_cast<double>(distances.size()) * products));
}

double ClusteredCount::deviation() const { return std::sqrt(mean_ * (2 / index_ - 1)); }

std::int64_t ClusteredCount::max_below(double tail) const {
  if (clusters() > kManyClusters)
    return static_cast<std::int64_t>(
        std::floor(mean_ + stats::normal_quantile(tail) * deviation()));
  Probabilities of(mean_, index_);
  std::int64_t k = 0;
  for (long double below = of.next(); below <= tail; below += of.next()) ++k;
  return k;
}

std::int64_t ClusteredCount::min_above(double tail) const {
  if (clusters() > kManyClusters)
    return static_cast<std::int64_t>(std::ceil(mean_ - stats::normal_quantile(tail) * deviation()));
  Probabilities of(mean_, index_);
  std::int64_t k = 0;
  for (long double above = 1; above > tail; above -= of.next()) ++k;
  return k;
}

}  // namespace ridge::scenario
