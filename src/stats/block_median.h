// SPDX-License-Identifier: Apache-2.0
// Median of a time series recorded in blocks (the processes of a measurement), with an interval
// that allows for correlation of neighboring values and for differences between blocks.
//
//   const BlockMedian m(log_ratios_of_each_process);
//   m.value();  m.interval(0.95);
//
// A shared machine is slow for a while, then fast for a while, so forty consecutive runs carry less
// information than forty independent ones, and an interval that treats them as independent is too
// narrow. Memory layout is drawn once per process, so the number of processes limits the precision,
// however many runs each has. The interval is the hull of three:
// - between two order statistics, exact for independent values (samples.h, median_interval);
// - between the values at ranks 0.5 -+ h (Woodruff 1952, JASA 47:635: the interval of a proportion,
//   mapped back through the distribution). h is the half-width for the proportion of
//   values above the median, from means of consecutive batches (Heidelberger and Lewis 1984,
//   Operations Research 32:185): for batches of 1, 2, 4, ... values, as long as there are sixteen
//   batches, h = t x sqrt(variance of the batches' proportions / batches); the largest h is used.
//   Correlation over more than a sixteenth of the series is not seen here, but by
// - the mean of the blocks' own medians -+ t x its standard error, if there are two or more blocks.
//
// t is the quantile of Student's distribution with one degree of freedom less than there are
// batches, or blocks. No shape of the noise is assumed: only which values lie above the median
// matters, so a spike of any height counts once.
//
// With one block the interval covers only the uncertainty within that block. Intervals are nested:
// one of higher confidence contains the intervals of lower confidence. Values must be finite; empty
// blocks are ignored. Thread rule: plain data. Cost: O(n log n) once, O(log n) per interval.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "stats/samples.h"

namespace ridge::stats {

/// The third of these intervals: the variation between blocks alone. nullopt for fewer than two
/// blocks.
std::optional<Interval> between_blocks(std::span<const std::vector<double>> blocks,
                                       double confidence);

class BlockMedian {
 public:
  BlockMedian() = default;
  explicit BlockMedian(std::span<const std::vector<double>> blocks);

  std::size_t size() const { return ascending_.size(); }
  /// Median; NaN without values.
  double value() const { return value_; }
  /// Returns nullopt if there are too few values for that confidence: at 95 % fewer than six, or h
  /// of 0.5 or more.
  std::optional<Interval> interval(double confidence) const;

 private:
  /// Standard error of a mean, with its degrees of freedom.
  struct Error {
    double size, freedom;
  };
  std::optional<Interval> between_ranks(double tail) const;

  std::vector<double> ascending_;
  double value_ = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> tails_;  ///< P(fewer than r of n values lie below the median), r = 0 ... n/2
  std::vector<Error> shares_;  ///< errors of the proportion above the median, by batch size
  std::vector<double> medians_;  ///< medians of the nonempty blocks
};

}  // namespace ridge::stats
