// SPDX-License-Identifier: Apache-2.0
// Outliers of a small sample, and the center and spread of what is left: Rosner's generalized
// extreme Studentized deviate test (1983, Technometrics 25:165-172).
//
//   const Outliers found = outliers(values, {.significance = 1e-4, .most = 3});
//   found.outside;                                     // positions, farthest first
//   const double limit = found.center + prediction_reach(found, 1e-4);
//
// The values are looked at by their distance from the mean, in standard deviations, the farthest
// removed each time; step i of n values (from 1) compares the distance R_i with
//
//   lambda_i = (n - i) t / sqrt((n - i - 1 + t^2) (n - i + 1)),
//   t = Student's quantile of 1 - significance / (2 (n - i + 1)) with n - i - 1 degrees of freedom
//
// and the values removed up to the last step with R_i > lambda_i are the outliers. Several outliers
// together, which hide each other from one look at all values, are found so. `significance` is the
// chance to call any of n normal values an outlier.
//
// Values must be finite. Thread rule: pure. Cost: O(most n).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ridge::stats {

struct OutlierRule {
  double significance = 0.01;  ///< over the whole sample; in (0, 1)
  std::size_t most = 1;        ///< outliers that are looked for; at most n - 3 are
};

struct Outliers {
  std::vector<std::size_t> outside;  ///< positions, in the order of removal
  double center = 0;                 ///< mean of the others
  double spread = 0;                 ///< their standard deviation; 0 for a single one
  std::size_t kept = 0;              ///< number of the others
};

Outliers outliers(std::span<const double> values, const OutlierRule& rule);

/// Distance from the center that one more normal value exceeds, on one side, with probability
/// `significance`: t s sqrt(1 + 1/n), with n - 1 degrees of freedom. Needs two kept values.
double prediction_reach(const Outliers& sample, double significance);

}  // namespace ridge::stats
