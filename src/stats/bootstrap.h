// Bootstrap confidence intervals: for a statistic of one sample, and for the median over several
// processes.
//
//   const Estimate latency = stats::hierarchical_median(samples_of_each_process);
//   // latency.value in ns, latency.ci the 95 % interval
//
// Deterministic: the same samples, options and order give the same interval on every machine. An
// interval always contains its point estimate (it is widened where a resampling bound falls short
// of it). Samples must be finite; where there is none, value and bounds are NaN. Thread rule: pure
// functions. Cost: resamples x n; a median of 100 samples takes a millisecond.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stats/samples.h"

namespace ridge::stats {

struct Estimate {
  double value = 0;
  Interval ci;
};

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

/// Bias-corrected and accelerated interval (Efron 1987, JASA 82:171, equations 2.3 and 6.6): the
/// percentiles are moved by the bias z0 = quantile(share of resamples below the estimate, ties
/// half) and the acceleration a from the jackknife. Better than the percentile interval for skewed
/// samples. For medians the jackknife is a crude estimate of a; it is used as it comes.
Estimate bca_bootstrap(std::span<const double> values, Statistic statistic,
                       const BootstrapOptions& options = {});

/// The median of one process's samples with its BCa interval.
Estimate bootstrap_median(std::span<const double> values, const BootstrapOptions& options = {});

/// The median of all samples together, with a percentile interval that knows that samples of one
/// process resemble each other: processes are drawn with replacement, then samples inside each
/// (Davison and Hinkley, Bootstrap Methods, 1997, section 3.8). With one process it says only how
/// well that process is known. Empty processes are ignored.
Estimate hierarchical_median(std::span<const std::vector<double>> processes,
                             const BootstrapOptions& options = {});

}  // namespace ridge::stats
