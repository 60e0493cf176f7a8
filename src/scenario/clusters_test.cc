// SPDX-License-Identifier: Apache-2.0
#include "scenario/clusters.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ridge::scenario {
namespace {

// Distances 1, 1, 8, 1, 1, 8, 1, 1: sum of (t - 1) = 14, of (t - 1)(t - 2) = 84, N = 8; 2 x 14^2 /
// (8 x 84).
TEST(Clusters, TheIndexIsThatOfFerroAndSegers) {
  std::vector<std::int64_t> values(30, 0);
  for (const std::size_t i : {0u, 1u, 2u, 10u, 11u, 12u, 20u, 21u, 22u}) values[i] = 5;
  EXPECT_NEAR(extremal_index(values, 4), 2.0 * 196 / (8 * 84), 1e-12);
  EXPECT_EQ(extremal_index(values, 5), 1);  // none above
}

/// P(count = k): a Poisson number of clusters with geometric sizes, summed over the clusters.
double direct(double clusters, double index, int k) {
  if (k == 0) return std::exp(-clusters);
  double sum = 0;
  for (int j = 1; j <= k; ++j)
    sum += std::exp(-clusters + j * std::log(clusters) - std::lgamma(j + 1) + std::lgamma(k) -
                    std::lgamma(j) - std::lgamma(k - j + 1) + j * std::log(index) +
                    (k - j) * std::log1p(-index));
  return sum;
}

TEST(Clusters, CountsAreSumsOverClusters) {
  for (const double mean : {8.0, 50.0})
    for (const double index : {0.1, 0.5}) {
      const ClusteredCount count(mean, index);
      double below = 0;
      std::int64_t most = 0, least = 0;
      for (int k = 0; k < 600; ++k) {  // below: P(count < k)
        if (below <= 0.025) most = k;
        if (1 - below > 0.025) least = k + 1;
        below += direct(mean * index, index, k);
      }
      EXPECT_EQ(count.max_below(0.025), most) << mean << ' ' << index;
      EXPECT_EQ(count.min_above(0.025), least) << mean << ' ' << index;
    }
}

// Geometric sizes of mean 1 are single queries: Poisson. P(N < 3) = 0.0174 and P(N < 4) = 0.0496
// for a mean of 9.0 - computed by hand below.
TEST(Clusters, SingleQueriesArePoisson) {
  double below = 0, term = std::exp(-9.0);
  std::int64_t most = 0;
  for (int k = 0; below + term <= 0.025; ++k) {
    below += term;
    term *= 9.0 / (k + 1);
    most = k + 1;
  }
  EXPECT_EQ(ClusteredCount(9, 1).max_below(0.025), most);
}

TEST(Clusters, ManyAreNormal) {
  const ClusteredCount few(4900, 0.1), many(5100, 0.1);
  EXPECT_NEAR(static_cast<double>(few.max_below(0.025)), 4900 - 1.96 * std::sqrt(4900 * 19), 25);
  EXPECT_NEAR(static_cast<double>(many.min_above(0.025)), 5100 + 1.96 * std::sqrt(5100 * 19), 1);
}

}  // namespace
}  // namespace ridge::scenario
