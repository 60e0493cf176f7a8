// SPDX-License-Identifier: Apache-2.0
// Late queries come in clusters: one that waits makes those behind it wait. How many clusters there
// are says how much a series shows about a rare latency.
//
//   const double index = extremal_index(latencies, bound_ns);   // 0.1: clusters of about 10
//   const ClusteredCount late(n * 0.01, index);                 // late queries, 1 % being expected
//   late.max_below(0.025);                                     // so few have at most 2.5 %
//
// Above a high level the clusters arrive like a Poisson process (Leadbetter 1983; Hsing, Hüsler and
// Leadbetter 1988, Probability Theory and Related Fields 78:97). With geometric sizes the number of
// late queries has the distribution of Pólya and Aeppli (Johnson, Kemp and Kotz, Univariate
// Discrete Distributions, 3rd ed., section 9.7).
//
// Thread rule: pure. Cost: one pass; a count takes as many steps as queries are expected to be
// late.
#pragma once

#include <cstdint>
#include <span>

namespace ridge::scenario {

/// Share of the values above the bound that begin a cluster: the intervals estimator of Ferro and
/// Segers 2003 (Journal of the Royal Statistical Society B 65:545, equations 3 to 5), which reads
/// it from the distances between them. 1 for fewer than three values above the bound.
double extremal_index(std::span<const std::int64_t> in_order, std::int64_t bound);

class ClusteredCount {
 public:
  /// `mean` of the count, and 0 < index <= 1: clusters have 1 / index members on average.
  ClusteredCount(double mean, double index) : mean_(mean), index_(index) {}

  /// The largest k with P(count < k) <= tail.
  std::int64_t max_below(double tail) const;
  /// The smallest k with P(count >= k) <= tail.
  std::int64_t min_above(double tail) const;

  double clusters() const { return mean_ * index_; }

 private:
  double deviation() const;

  double mean_, index_;
};

}  // namespace ridge::scenario
