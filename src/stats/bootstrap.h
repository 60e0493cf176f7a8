// SPDX-License-Identifier: Apache-2.0
// Bootstrap confidence interval for a statistic of one sample.
//
//   const Estimate best = stats::percentile_bootstrap(rates, largest);
//
// Deterministic: the same samples, options and order give the same interval on every machine. An
// interval always contains its point estimate (it is extended to it if necessary). Samples must be
// finite; if there are none, the value is NaN without an interval. Samples are treated as
// independent; for samples of several processes use block_median.h. Thread rule: pure function.
// Cost: resamples x the statistic.
#pragma once

#include <cstdint>
#include <span>

#include "stats/estimate.h"

namespace ridge::stats {

struct BootstrapOptions {
  int resamples = 2000;
  double confidence = 0.95;
  std::uint64_t seed = 1;
};

using Statistic = double (*)(std::span<const double>);

/// Percentile interval: the (1 -+ confidence) / 2 quantiles of the statistic over resamples (Efron
/// and Tibshirani, An Introduction to the Bootstrap, 1993, section 13.3).
Estimate percentile_bootstrap(std::span<const double> values, Statistic statistic,
                              const BootstrapOptions& options = {});

}  // namespace ridge::stats
