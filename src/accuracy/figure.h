// SPDX-License-Identifier: Apache-2.0
// A metric over samples: value, interval, number of samples; and the bootstrap over samples.
//
//   const Figure top1 = proportion(7612, 10000);         // Wilson's interval
//   const Figure f1 = mean_figure(f1_of_each_answer);    // bootstrap
//   const Figure rate = resampled(n, [&](Weights w) { return edits(w) / words(w); });
//
// Samples (images, questions, utterances) are taken to be independent draws from the data for which
// the metric speaks; whatever belongs to one sample stays together when samples are drawn. A metric
// that is no mean of values per sample is given as a function of weights: how often each sample
// occurs. Deterministic: the same input and options give the same interval on every machine.
//
// No samples: the value is NaN and there is no interval. Fewer than 2^32 samples. Thread rule: pure
// functions. Cost of the bootstrap: resamples x (samples + the statistic).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>

#include "stats/bootstrap.h"
#include "stats/samples.h"

namespace ridge::accuracy {

struct Figure {
  double value = std::numeric_limits<double>::quiet_NaN();
  std::optional<stats::Interval> interval;
  std::int64_t samples = 0;
};

/// Occurrences of each sample; empty means that each occurs once.
using Weights = std::span<const std::uint32_t>;

inline std::uint32_t weight_of(Weights weights, std::size_t sample) {
  return weights.empty() ? 1 : weights[sample];
}

/// A metric of samples that occur as often as the weights say; NaN if it has no value for them.
using Statistic = std::function<double(Weights)>;

/// The metric of all samples with its percentile interval (Efron and Tibshirani 1993, section
/// 13.3), extended to contain the value. Resamples without a finite value are left out; there is no
/// interval if they are more than one in twenty, or if the value itself is not finite.
Figure resampled(std::size_t samples, const Statistic& statistic,
                 const stats::BootstrapOptions& options = {});

/// Mean of one value per sample, by the same bootstrap. A value that is not finite makes the mean
/// so, and then there is no interval.
Figure mean_figure(std::span<const double> values, const stats::BootstrapOptions& options = {});

/// Share of successes, with Wilson's interval (stats/proportion.h). 0 <= successes <= trials.
Figure proportion(std::int64_t successes, std::int64_t trials, double confidence = 0.95);

}  // namespace ridge::accuracy
